// The table of alternatives, the best first.  Knows a course.

import { Table } from "../tables.js";
import { count } from "../words.js";
import { make, section, setText, swatch } from "./elements.js";

export const signed = (value) =>
  (value === null ? "" : `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(4)}`);

const unsigned = (value) => (value === null ? "" : value.toFixed(4));

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
    this.section = section("Alternatives", table);
    this.table = new Table(table, [
      { label: "Alternative", kind: "text", fill: fillName },
      { label: "Mean", kind: "number", text: (a) => signed(a.mean) },
      { label: "Std error", kind: "number", text: (a) => unsigned(a.std_error) },
      { label: "Behind", kind: "number", isOptional: true,
        text: (a) => (a.diff_to_best ? signed(a.diff_to_best) : "") },
      { label: "Std error", kind: "number", isOptional: true,
        text: (a) => (a.diff_to_best ? unsigned(a.diff_std_error) : "") },
      { label: "Trials", kind: "number", text: (a) => count(a.trials) },
      { label: "", kind: "state", isOptional: true, text: standing },
    ]);
    this.mean = this.table.heads[1];
  }

  show(course) {
    const order = ranked(course.alternatives);
    this.mean.textContent = capital(course.value.replaceAll("_", " "));
    this.section.hidden = order.length === 0;
    this.table.show(order.map((each, rank) => [String(each.index), { ...each, rank }]), mood);
  }
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function standing(alternative) {
  if (alternative.is_out) return "out of contention";
  return alternative.rank === 0 && alternative.trials > 0 ? "best" : "";
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
