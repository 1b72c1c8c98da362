// The table of analysers.

import { Table } from "./tables.js";
import { count, rate } from "./words.js";

const COLUMNS = [
  { label: "Name", kind: "text", text: (a) => a.name },
  { label: "State", kind: "state", text: (a) => a.state },
  { label: "Workers", kind: "number", text: (a) => count(a.workers) },
  { label: "Parts", kind: "number", text: (a) => count(a.parts) },
  { label: "Results", kind: "number", text: (a) => count(a.results) },
  { label: "Rate", kind: "number", text: (a) => rate(a.results_per_s) },
  { label: "Address", kind: "text", text: (a) => a.address },
  { label: "Trouble", kind: "text", isOptional: true, text: (a) => a.text ?? "" },
];

const MOODS = { ready: "is-good", suspect: "is-bad", quarantined: "is-bad" };

export class Fleet {
  constructor() {
    this.table = new Table(document.getElementById("fleet"), COLUMNS);
  }

  show(analysers) {
    const entries = [...analysers].sort(([, a], [, b]) => order(a, b));
    this.table.show(entries, (a) => MOODS[a.state] ?? "");
    document.getElementById("fleet-note").textContent =
      entries.length === 0 ? "No analyser is here yet: jobs wait for one." : "";
  }
}

const order = (a, b) => a.name.localeCompare(b.name) || (a.key < b.key ? -1 : 1);
