// The view of a job of trials, #/jobs/N: board, alternatives, and how they have come along.
// Asks for course and flow when the job's row has changed, and not more often than people look.

import { Refused } from "../asking.js";
import { Export } from "../export.js";
import { fillActions, linkOf, positionLinkOf, roundsOf } from "../jobs.js";
import { count, counted, duration, rate } from "../words.js";
import { Alternatives } from "./alternatives.js";
import { Analysers, Outcomes } from "./bars.js";
import { make } from "./elements.js";
import { Convergence, Staircase } from "./plots.js";

const ASK_MS = 2_000;
const BEHIND_MS = 100; // what is read piece by piece comes without waits
const WAITS_MIN = 9; // as long as nine answers took: a master is kept busy a tenth of the time

export const open = (room, page, number) => new Rollout(room, page, Number(number));

class Rollout {
  constructor(room, page, number) {
    this.page = page;
    this.number = number;
    this.title = `Job ${number}`;
    this.isClosed = false;
    this.isAsking = false;
    this.hasSought = false;
    this.isFinding = false;
    this.dueAt = -Infinity;
    this.board = null;
    this.build(room);
    this.head.focus({ preventScroll: true }); // who came by a link goes on reading here
    this.onSeen = () => this.want();
    document.addEventListener("visibilitychange", this.onSeen);
  }

  build(room) {
    this.head = make("h2", "", this.title);
    this.head.tabIndex = -1;
    this.question = make("p", "question");
    this.standing = make("p", "normal");
    this.trouble = make("p", "trouble");
    this.trouble.hidden = true;
    this.actions = make("div", "actions");
    this.note = make("p", "note", "Loading…");
    this.figure = make("figure", "board");
    this.figure.hidden = true;
    this.body = make("div", "pictures");
    this.body.hidden = true;
    this.alternatives = new Alternatives();
    this.parts = [
      this.convergence = new Convergence(),
      this.outcomes = new Outcomes(),
      this.staircase = new Staircase(),
      this.analysers = new Analysers(),
    ];
    const first = make("div", "position");
    first.append(this.figure, this.alternatives.section);
    this.alternatives.section.append(new Export(this.page, this.number).element);
    this.body.append(first, ...this.parts.map((part) => part.section));
    room.append(
      this.head, this.question, this.standing, this.trouble, this.actions, this.note, this.body,
    );
  }

  show(state) {
    const job = state.jobs.get(String(this.number));
    if (job !== undefined) this.receive(job);
    else if (this.job === undefined && !this.hasSought) this.find();
    else if (!this.isFinding) this.miss();
  }

  // A job that has just begun is there before the events say so.
  async find() {
    this.hasSought = true;
    this.isFinding = true;
    try {
      const job = await this.page.ask(`api/jobs/${this.number}`);
      if (!this.isClosed && this.job === undefined) this.receive(job);
    } catch (error) {
      if (this.isClosed || this.job !== undefined) return;
      if (error instanceof Refused && error.status === 404) this.miss();
      else this.note.textContent = error.message;
    } finally {
      this.isFinding = false;
    }
  }

  miss() {
    this.note.textContent = `There is no job ${this.number}.`;
    this.note.hidden = false;
    for (const part of [this.question, this.standing, this.trouble, this.actions, this.body]) {
      part.hidden = true;
    }
    this.job = undefined;
  }

  receive(job) {
    if (job.search !== null) {
      location.replace(linkOf(job)); // a search has a view of its own
      return;
    }
    for (const part of [this.question, this.standing, this.actions]) part.hidden = false;
    fillActions(this.actions, job);
    if (job === this.job) return;
    const isOther = this.job === undefined || this.job.state !== job.state;
    this.job = job;
    this.showJob(job);
    if (isOther) this.dueAt = -Infinity; // its end is shown at once
    this.want();
  }

  // Ask as soon as it is due; while an answer is on its way, once it is there.
  want() {
    if (this.isClosed || document.hidden || this.isAsking) return;
    if (this.job === undefined) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), Math.max(0, this.dueAt - performance.now()));
  }

  showJob(job) {
    const link = positionLinkOf(job);
    if (link !== null && this.question.dataset.position !== link) {
      this.question.dataset.position = link;
      const named = make("a", "", job.position);
      named.href = link;
      this.question.replaceChildren(named, `: ${job.question}`);
    } else if (link === null) {
      this.question.textContent = job.question;
    }
    this.trouble.hidden = job.error === "";
    this.trouble.textContent = job.error;
    const said = [
      job.state === "done" && job.stopped_by === "settled" ? "done, settled" : job.state,
      job.trials === null ? `${counted(roundsOf(job), "trial", "trials")} of each alternative`
        : `${count(roundsOf(job))} of ${counted(job.trials, "trial", "trials")} of each alternative`,
      rate(job.trials_per_s),
      job.eta_s === null ? "" : `${duration(job.eta_s)} left`,
    ];
    this.standing.textContent = said.filter((text) => text !== "").join(" · ");
  }

  async ask() {
    const job = this.job;
    this.isAsking = true;
    const began = performance.now();
    let isBehind = false;
    try {
      const [course, flow] = await Promise.all([
        this.page.ask(`api/jobs/${this.number}/course`),
        this.page.ask(`api/jobs/${this.number}/flow`),
      ]);
      if (this.isClosed) return;
      this.showPictures(course, flow);
      isBehind = course.is_behind;
    } catch (error) {
      if (this.isClosed) return;
      if (error instanceof Refused) this.note.textContent = error.message;
      this.note.hidden = false;
    }
    const now = performance.now();
    this.isAsking = false;
    this.dueAt = now + (isBehind ? BEHIND_MS : Math.max(ASK_MS, WAITS_MIN * (now - began)));
    if (isBehind || this.job !== job) this.want();
  }

  showPictures(course, flow) {
    const hasTrials = course.alternatives.some((each) => each.trials > 0);
    this.note.hidden = hasTrials && !course.is_behind;
    this.note.textContent = hasTrials ? "Reading stored trials…"
      : "No trial of every alternative is finished yet.";
    this.body.hidden = false;
    this.showBoard(course.has_board);
    this.alternatives.show(course);
    this.convergence.show(course);
    this.outcomes.show(course);
    this.staircase.show(flow);
    this.analysers.show(flow);
  }

  // The position does not change: it is asked for once.
  showBoard(isThere) {
    if (!isThere || this.board !== null) return;
    this.board = make("img");
    this.board.alt = `The position: ${this.job?.question ?? ""}`;
    this.board.src = `api/jobs/${this.number}/board.svg`;
    this.board.onerror = () => { this.figure.hidden = true; };
    this.figure.append(this.board);
    this.figure.hidden = false;
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.onSeen);
    for (const part of this.parts) part.close();
  }
}
