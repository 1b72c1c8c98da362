// The table of alternatives, the best first.  Knows a course.

import { Table } from "../tables.js";
import { count } from "../words.js";
import { fit, make, section, setText, swatch } from "./elements.js";

// How the values of a course are written: equities with four digits and their sign, scores whole.
export class Numbers {
  constructor(course) {
    const means = course.alternatives.map((each) => each.mean ?? 0);
    const largest = Math.max(0, ...means.map(Math.abs));
    this.digits = largest < 10 ? 4 : largest < 1_000 ? 2 : 0;
    this.hasSign = largest < 10 || means.some((mean) => mean < 0);
  }

  plain(value) {
    if (value === null) return "";
    const options = { minimumFractionDigits: this.digits, maximumFractionDigits: this.digits,
      signDisplay: "negative" };
    return value.toLocaleString("en", options);
  }

  signed(value) {
    return value === null || !this.hasSign ? this.plain(value) : this.difference(value);
  }

  difference(value) {
    if (value === null) return "";
    const text = this.plain(Math.abs(value)); // what rounds to zero has no minus
    return `${value < 0 && /[1-9]/.test(text) ? "−" : "+"}${text}`;
  }
}

// The better one first; who gets no more trials stands behind all that do.
export const ranked = (alternatives) =>
  alternatives
    .map((each, index) => ({ ...each, index }))
    .sort((a, b) => b.trials - a.trials || (b.diff_to_best ?? 0) - (a.diff_to_best ?? 0)
      || a.index - b.index);

export class Alternatives {
  constructor() {
    const table = make("table", "alternatives");
    table.role = "table";
    const head = table.createTHead();
    head.role = "rowgroup";
    head.insertRow().role = "row";
    table.createTBody().role = "rowgroup";
    this.notes = make("ul", "notes");
    this.section = section("Alternatives", table, this.notes);
    this.table = new Table(table, [
      { label: "Alternative", kind: "text", fill: fillName },
      { label: "Mean", kind: "number", text: (a) => a.numbers.signed(a.mean) },
      { label: "Std error", kind: "number", text: (a) => a.numbers.plain(a.std_error) },
      { label: "Difference", kind: "number", isOptional: true,
        text: (a) => (a.diff_to_best ? a.numbers.difference(a.diff_to_best) : "") },
      { label: "Std error", kind: "number", isOptional: true,
        text: (a) => (a.diff_to_best ? a.numbers.plain(a.diff_std_error) : "") },
      { label: "Trials", kind: "number", text: (a) => count(a.trials) },
      { label: "Status", kind: "state", isOptional: true, text: standing },
    ]);
    this.mean = this.table.heads[1];
  }

  show(course) {
    const order = ranked(course.alternatives);
    this.mean.textContent = capital(course.value.replaceAll("_", " "));
    this.section.hidden = order.length === 0;
    const numbers = new Numbers(course);
    const isBest = (rank) => rank === 0 && order.length > 1 && order[0].trials > 0;
    const shown = order.map((each, rank) => ({ ...each, numbers, isBest: isBest(rank) }));
    this.table.show(shown.map((each) => [String(each.index), each]), mood);
    fit(this.notes, course.notes.length, () => make("li"))
      .forEach((item, at) => setText(item, course.notes[at]));
  }
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function standing(alternative) {
  if (alternative.is_out) return "out of contention";
  return alternative.isBest ? "best" : "";
}

const mood = (alternative) =>
  ({ best: "is-best", "out of contention": "is-out" })[standing(alternative)] ?? "";

function fillName(cell, alternative) {
  if (cell.childElementCount === 0) {
    const whole = make("span");
    whole.append(swatch(alternative.index), make("span"));
    cell.append(whole);
  }
  setText(cell.firstElementChild.lastElementChild, alternative.name);
}
