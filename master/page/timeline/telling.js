// Spans and lanes in words, and the table that tells the timeline without a picture.
// Knows a store; must not know the canvas.

import { Table } from "../tables.js";
import { count } from "../words.js";
import { partNumber } from "./drawing.js";
import { length, moment } from "./scale.js";
import { FAILED, LOST, REHANDED, RUNNING, SEARCH, SHOT, STOPPED, TRIALS, summary } from "./store.js";

const ENDINGS = ["goes on", "done", "stopped", "stopped, and handed to another", "shot down",
  "failed", "lost with its analyser"];

export function spanInWords(store, lane, span) {
  const game = store.names.get(`${span.kind} ${span.job}`);
  const end = span.end < 0 ? store.now : span.end;
  const said = [`${lane.name}, ${whose(span)}${game ? ` (${game})` : ""}`,
    `part ${partNumber(span)}${span.attempt > 1 ? `, attempt ${span.attempt}` : ""}`];
  if (span.kind === TRIALS) said.push(`trials ${span.first} to ${span.first + span.count - 1}`);
  said.push(`from ${moment(span.begin, store)}, ${length(end - span.begin, store)}`);
  if (span.begin - span.handed > 0) said.push(`waited ${length(span.begin - span.handed, store)}`);
  if (span.stop >= 0 && end > span.stop) {
    said.push(`asked to stop ${length(end - span.stop, store)} before its end`);
  }
  said.push(ENDINGS[span.ending]);
  return `${said.join("; ")}.`;
}

function whose(span) {
  if (span.kind === SEARCH) return `search ${span.job}`;
  return span.kind === TRIALS ? `job ${span.job}` : `question ${span.first + 1}`;
}

export function laneInWords(store, lane, time) {
  const isThere = lane.stays.some(([from, to]) => from <= time && (to < 0 || time < to));
  const state = isThere && time <= store.now ? "idle" : "not there";
  return `${lane.name}: ${state} at ${moment(time, store)}.`;
}

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

export class LaneTable {
  constructor(table, store) {
    const ended = (...endings) => (row) =>
      count(endings.reduce((sum, each) => sum + row.found.ends[each], 0));
    this.store = store;
    this.table = new Table(table, [
      { label: "Analyser", kind: "word", text: (row) => row.name },
      { label: "Workers", kind: "number", text: (row) => count(row.workers) },
      { label: "Busy", kind: "number", text: (row) => (row.found.there > 0
        ? percent.format(row.found.share) : "not there") },
      { label: "Parts", kind: "number", text: (row) => count(row.found.parts) },
      { label: "Going on", kind: "number", text: ended(RUNNING) },
      { label: "Stopped", kind: "number", text: ended(STOPPED) },
      { label: "Re-handed", kind: "number", text: ended(REHANDED) },
      { label: "Shot down", kind: "number", text: ended(SHOT) },
      { label: "Failed", kind: "number", text: ended(FAILED) },
      { label: "Lost", kind: "number", text: ended(LOST) },
    ]);
  }

  show(lanes, from, to) {
    const rows = lanes.map((lane) => [lane.number, { name: lane.name, workers: lane.workers,
      found: summary(this.store, lane, from, to) }]);
    this.table.show(rows, () => "");
  }
}
