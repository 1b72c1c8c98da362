// The table of jobs, and what can be done with one.

import { ask, hasToken } from "./asking.js";
import { Outcome } from "./outcome.js";
import { Table } from "./tables.js";
import { count, duration, rate } from "./words.js";

const SHOWN_MAX = 200;

const MOODS = { running: "is-good", damaged: "is-bad" };

// What a job's state allows; `note` says what will happen.
const ACTIONS = [
  { name: "halt", label: "Halt", states: ["running"],
    doing: "Halting…",
    note: "The job stops, and its results are kept. Resume continues it." },
  { name: "resume", label: "Resume", states: ["halted"], doing: "Resuming…",
    note: "The job continues where it stopped." },
  { name: "again", label: "Again", states: ["halted", "done"],
    doing: "Starting again…",
    note: "The same question starts anew as another job, with the engine installed now. This job stays as it is." },
  { name: "extend", label: "Extend", states: ["running", "halted", "done"], needsTrials: true,
    doing: "Extending…",
    note: "The job continues. Its result is the same as if it had been that long from the start." },
  { name: "defer", label: "Defer", states: ["running"], isOfTrials: true,
    from: "normal", path: "priority", body: { priority: "background" },
    doing: "Deferring…",
    note: "The job runs in the background: it uses analysers that other jobs leave idle, until you restore it. Its result stays the same." },
  { name: "restore", label: "Restore", states: ["running"], isOfTrials: true,
    from: "background", path: "priority", body: { priority: "normal" },
    doing: "Restoring…",
    note: "The job has normal priority again: it runs before background jobs and before older jobs." },
  { name: "forget", label: "Forget", states: ["halted", "done", "damaged"], isFinal: true,
    doing: "Deleting…",
    note: "The job and its results are deleted. This cannot be undone." },
];

const allows = (action, job) =>
  action.states.includes(job.state) && !(action.needsTrials && job.trials === null)
  && !(action.isOfTrials && job.search !== null)
  && (action.from === undefined || action.from === job.priority);

export class Jobs {
  // tell(text): says that a job's state has changed.
  constructor(tell) {
    this.tell = tell;
    this.states = new Map();
    this.table = new Table(document.getElementById("jobs"), [
      { label: "Job", kind: "number", fill: fillLink },
      { label: "Game", kind: "word", text: (j) => j.game },
      { label: "Position", kind: "text", text: nameOf },
      { label: "Question", kind: "text", text: (j) => j.question },
      { label: "State", kind: "state", text: stateOf },
      { label: "Done", kind: "number", text: progressOf },
      { label: "Rate", kind: "number", text: (j) => rate(j.trials_per_s) },
      { label: "Left", kind: "number", text: (j) => duration(j.eta_s) },
      { label: "Trouble", kind: "text", isOptional: true, text: (j) => j.error },
      { label: "Actions", kind: "buttons",
        fill: fillActions },
    ]);
  }

  show(jobs) {
    const entries = [...jobs].sort(([, a], [, b]) => b.job - a.job);
    this.table.show(entries.slice(0, SHOWN_MAX), (job) =>
      job.error ? "is-bad" : MOODS[job.state] ?? "");
    document.getElementById("jobs-note").textContent = note(entries.length);
    for (const [key, job] of entries) {
      const before = this.states.get(key);
      if (before !== undefined && before !== job.state) this.tell(`Job ${job.job}: ${job.state}.`);
    }
    this.states = new Map(entries.map(([key, job]) => [key, job.state]));
  }

  // Show the buttons anew: a token came, or it is no more.
  refresh(jobs) {
    this.table.forget();
    this.show(jobs);
  }
}

const outcomes = new WeakMap(); // by the element with the buttons of a job

// Show the buttons of the actions that a job allows; what became of one is beside them.
export function fillActions(room, job) {
  if (!outcomes.has(room)) {
    const outcome = new Outcome();
    outcomes.set(room, outcome);
    room.append(outcome.element);
  }
  const outcome = outcomes.get(room);
  const focused = document.activeElement;
  const named = new Map(buttonsIn(room).map((button) => [button.dataset.name, button]));
  for (const action of ACTIONS) {
    let button = named.get(action.name);
    if (button === undefined) {
      button = newButton(action, job);
      button.addEventListener("click", () => act(action, job.job, outcome));
      outcome.element.before(button);
    }
    button.hidden = !allows(action, job);
    button.disabled = !hasToken();
  }
  // If the pressed button is gone now, the next one has the focus.
  if (room.contains(focused) && focused.hidden) {
    const buttons = buttonsIn(room);
    const at = buttons.indexOf(focused);
    [...buttons.slice(at), ...buttons.slice(0, at).reverse()]
      .find((button) => !button.hidden && !button.disabled)?.focus();
  }
}

const buttonsIn = (room) => [...room.querySelectorAll("button")];

async function act(action, number, outcome) {
  const body = await confirmed(action, number);
  if (body === null) return;
  outcome.busy(action.doing);
  try {
    await ask(`api/jobs/${number}/${action.path ?? action.name}`, body);
    outcome.clear();
  } catch (error) {
    outcome.fail(`${action.label} failed: ${error.message}`);
  }
}

// The link to a job's view; that of a search shows its tree.
export const linkOf = (job) => (job.search === null ? `#/jobs/${job.job}` : `#/searches/${job.job}`);

// The link to a job's position; null: the job has none.
export const positionLinkOf = (job) => (job.position === "" ? null
  : `#/position/${job.game}/${encodeURIComponent(job.position)}`);

function fillLink(cell, job) {
  const link = cell.querySelector("a") ?? document.createElement("a");
  if (link.parentElement !== cell) cell.replaceChildren(link);
  link.href = linkOf(job);
  link.textContent = String(job.job);
  link.setAttribute("aria-label", `Job ${job.job}`);
}

function newButton(action, job) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.name = action.name;
  button.textContent = action.label;
  button.setAttribute("aria-label", `${action.label} job ${job.job}`);
  return button;
}

// Returns the body of the request; null: it is not wanted.
function confirmed(action, number) {
  const dialog = document.getElementById("confirming");
  const trials = document.getElementById("confirming-trials");
  const needsTrials = action.needsTrials ?? false;
  document.getElementById("confirming-title").textContent = `${action.label} job ${number}?`;
  document.getElementById("confirming-text").textContent = action.note;
  document.getElementById("confirming-yes").textContent = action.label;
  document.getElementById("confirming-count").hidden = !needsTrials;
  trials.disabled = !needsTrials;
  document.getElementById("confirming-no").onclick = () => dialog.close("no");
  dialog.returnValue = "no";
  dialog.showModal();
  const first = needsTrials ? "trials" : action.isFinal ? "no" : "yes";
  document.getElementById(`confirming-${first}`).focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      if (dialog.returnValue !== "yes") resolve(null);
      else resolve(needsTrials ? { trials: trials.valueAsNumber } : action.body ?? {});
    }, { once: true });
  });
}

// Returns how many trials of each alternative are counted.
export const roundsOf = (job) => Math.floor(job.folded / Math.max(1, job.alternative_names.length));

// The label, and the position where the label does not name it.
const nameOf = (job) => (job.label.includes(job.position.split(":")[0]) ? job.label
  : [job.label, job.position].filter(Boolean).join(" · "));

function stateOf(job) {
  if (job.state === "running" && job.priority === "background") return `${job.state} in the background`;
  // As `manyply jobs` says it.
  if (job.state === "halted" && ["failed", "interrupted"].includes(job.stopped_by)) return job.stopped_by;
  return job.state === "done" && job.stopped_by === "settled" ? "done, settled" : job.state;
}

function progressOf(job) {
  if (job.search !== null) return `${count(job.search.nodes)} nodes`;
  const done = roundsOf(job);
  return job.trials === null ? count(done) : `${count(done)} of ${count(job.trials)}`;
}

function note(total) {
  if (total === 0) return "No job yet: `manyply rollout` starts one.";
  const older = total - SHOWN_MAX;
  return older > 0 ? `And ${count(older)} older ones: \`manyply jobs\` lists all.` : "";
}
