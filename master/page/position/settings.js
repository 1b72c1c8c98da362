// The settings of actions, as fields of a form.  Knows types of values; must not know actions.

import { OWN_ENGINE } from "../engines.js";
import { fillSelect, labelled, make, select } from "../elements.js";

const CHOICES_MAX = 10;

export class Settings {
  // fields: those that have a label are shown, each name once.
  constructor(fields) {
    this.inputs = new Map();
    const shown = [];
    for (const field of fields) {
      if (!field.label || this.inputs.has(field.name)) continue;
      const input = inputOf(field);
      this.inputs.set(field.name, [field, input]);
      shown.push(labelled(field.label, input));
    }
    this.element = make("div", { class: "fields" }, ...shown);
  }

  // The input of a name, if it is shown.
  input(name) {
    return this.inputs.get(name)?.[1];
  }

  // Offer engines, as options of selects, where one is to be chosen.
  offerEngines(options) {
    for (const [field, input] of this.inputs.values()) {
      if (field.sort === "engine") fillSelect(input, options, input.value);
    }
  }

  // The values of an action's fields; null: one is invalid, and the browser says so.
  valuesOf(action) {
    const values = {};
    for (const { name } of action.fields) {
      const [field, input] = this.inputs.get(name) ?? [];
      if (!input) continue;
      if (!input.reportValidity()) return null;
      if (input.value === "") continue;
      values[name] = field.sort === "count" || field.sort === "number" ? Number(input.value) : input.value;
    }
    return values;
  }
}

function inputOf(field) {
  const chosen = field.default ?? "";
  if (field.sort === "engine") return select([["", OWN_ENGINE]], "");
  if (field.sort === "option") {
    const first = field.default === null ? [["", field.hint]] : [];
    return select([...first, ...field.options.map((each) => [each, each])], chosen);
  }
  if (field.sort === "text" && field.options.length > 0) {
    return select([["", field.hint], ...field.options.map((each) => [each, each])], chosen);
  }
  if (field.sort === "count" && field.most - field.least < CHOICES_MAX) {
    const numbers = Array.from({ length: field.most - field.least + 1 }, (_, at) => field.least + at);
    const first = field.default === null ? [["", field.hint]] : [];
    return select([...first, ...numbers.map((number) => [number, number])], chosen);
  }
  if (field.sort === "count" || field.sort === "number") {
    return make("input", { type: "number", min: String(field.least), max: String(field.most),
      step: field.sort === "count" ? "1" : "any", value: String(chosen), placeholder: field.hint });
  }
  return make("input", { type: "text", value: chosen, placeholder: field.hint });
}
