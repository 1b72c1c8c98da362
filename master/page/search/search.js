// A search that runs: how it stands, and the top of its tree with what is hot in it.
// Asks twice a second while it is looked at; what a person has opened stays open.

import { Refused } from "../asking.js";
import { element, put } from "../elements.js";
import { Export } from "../export.js";
import { linkOf, positionLinkOf } from "../jobs.js";
import { SquaresBoard } from "../position/squares_board.js";
import { capital, counted, duration, rate } from "../words.js";
import { Tree } from "./tree.js";

const LOOK_MS = 500;
const AGAIN_MS = 2_000; // where nobody answers

// A job that runs by its state and not in this master: a command searches it by itself.
const RESTS = { done: "Done.", running: "Running in another process." };

const LEGEND = [
  ["known", "the value is in this range"],
  ["window", "range to decide"],
  ["hot", "where analysers work"],
];

export function open(room, page, name) {
  const job = Number(name);
  const view = new SearchView(room, page, job);
  view.look();
  return view;
}

class SearchView {
  constructor(room, page, job) {
    this.title = `Search ${job}`;
    this.page = page;
    this.job = job;
    this.isClosed = false;
    this.isAsking = false;
    this.isRunning = null;
    this.state = null; // of the job, as the master's events have it
    room.append(...this.parts());
  }

  parts() {
    const title = element("h2", { id: "search-title" }, this.title);
    this.asked = element("p", { className: "question" });
    this.figure = element("div", { className: "search-board" });
    this.isNamed = false;
    this.standing = element("p", { className: "search-standing" });
    this.figures = element("p", { className: "note" });
    this.trouble = element("p", { className: "trouble", role: "alert", hidden: true });
    this.answer = element("pre", { className: "answer", hidden: true });
    this.isFollowing = element("input", { type: "checkbox", checked: true });
    const follow = element("label", { className: "follow" });
    follow.append(this.isFollowing, " Open nodes at work");
    this.isFollowing.addEventListener("change", () => this.tree.follow(this.isFollowing.checked));
    this.bar = element("div", { className: "tree-bar" });
    this.bar.append(follow, legend());
    const rows = element("div", { className: "tree", role: "tree" });
    rows.setAttribute("aria-labelledby", "search-title");
    this.tree = new Tree(rows);
    this.rest = element("p", { className: "note" });
    const state = element("div");
    this.export = new Export(this.page, this.job).element;
    this.export.hidden = true;
    state.append(this.standing, this.figures, this.trouble, this.answer, this.export);
    const both = element("div", { className: "search-state" });
    both.append(this.figure, state);
    return [title, this.asked, both, this.bar, rows, this.rest];
  }

  // The master's events say when a job begins, ends or goes.
  show(state) {
    const job = state.jobs.get(String(this.job));
    if (job !== undefined && job.search === null) location.replace(linkOf(job));
    if (job !== undefined) this.name(job);
    const before = this.state;
    this.state = job?.state ?? null;
    if (this.state !== before && this.isRunning === false) this.look();
  }

  // Show the position, which leads to its own view, and the rest of the question.
  name(job) {
    if (this.isNamed || job.question === "") return;
    this.isNamed = true;
    const text = job.position || job.label;
    const link = positionLinkOf(job);
    const named = link === null ? text : element("a", { href: link }, text);
    this.asked.append(named, ` – ${capital(job.game)}, ${job.question}`);
    if (link !== null) this.draw(job);
  }

  async draw({ game, position }) {
    try {
      const resource = await this.page.ask(`api/positions?${new URLSearchParams({ game, text: position })}`);
      if (this.isClosed || resource.board.kind !== "squares") return;
      const board = new SquaresBoard();
      board.show(resource);
      this.figure.replaceChildren(board.picture);
    } catch (error) {
      this.figure.textContent = `The board cannot be shown: ${error.message}`;
    }
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.next);
  }

  async look() {
    clearTimeout(this.next);
    if (this.isClosed || this.isAsking) return;
    this.isAsking = true;
    let pause = LOOK_MS;
    try {
      if (!document.hidden) this.receive(await this.page.ask(`api/jobs/${this.job}/tree`));
    } catch (error) {
      if (this.isClosed) return;
      // What is refused is refused again, unless the job changes; who is away may come back.
      this.isRunning = error instanceof Refused ? false : null;
      pause = AGAIN_MS;
      this.trouble.textContent = error.message;
      this.trouble.hidden = false;
    } finally {
      this.isAsking = false;
    }
    if (!this.isClosed && this.isRunning !== false) {
      this.next = setTimeout(() => this.look(), pause);
    }
  }

  receive(told) {
    if (this.isClosed) return;
    this.isRunning = told.is_running;
    this.trouble.hidden = true;
    put(this.standing, standingOf(told, this.state));
    put(this.figures, figuresOf(told));
    put(this.answer, told.answer.join("\n"));
    this.answer.hidden = told.answer.length === 0;
    this.export.hidden = this.answer.hidden;
    this.bar.hidden = told.tree.length === 0;
    put(this.rest, restOf(told));
    this.tree.show(told.tree);
  }
}

function standingOf(told, state) {
  if (!told.is_running) return RESTS[state] ?? "Not running.";
  const best = told.best_move === null ? "" : `best move ${told.best_move}`;
  return [told.phase || "Starting", told.bounds, best].filter((text) => text).join(" · ");
}

function figuresOf(told) {
  const depth = told.tree[0]?.depth ?? "";
  return [
    told.phase.includes(depth) ? "" : depth, // of this iteration
    counted(told.nodes, "node", "nodes"),
    rate(told.nodes_per_s),
    duration(told.seconds),
    told.parts ? counted(told.parts, "part handed out", "parts handed out") : "",
    told.shot ? counted(told.shot, "hot spot split", "hot spots split") : "",
  ].filter((text) => text).join(" · ");
}

function restOf(told) {
  if (told.tree.length > 0) return "";
  return told.is_running ? "No tree is being searched."
    : "The tree is shown only while this master runs the search.";
}

function legend() {
  const list = element("p", { className: "legend" });
  for (const [kind, text] of LEGEND) {
    list.append(element("span", { className: `search-key is-${kind}` }), ` ${text} `);
  }
  return list;
}
