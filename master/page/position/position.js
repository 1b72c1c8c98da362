// The view of a position: what a text says is shown, changed, asked about, and begun as a job.
// Knows actions and settings as the master describes them; boards and answers are other modules'.

import { hasToken } from "../asking.js";
import { engineOptions } from "../engines.js";
import { fillSelect, labelled, make } from "../elements.js";
import { capital } from "../words.js";
import { ActionGroup } from "./action_group.js";
import { shownAnswer } from "./answers.js";
import { PointsEditor } from "./points_editor.js";
import { SquaresEditor } from "./squares_editor.js";

const BOARDS = {
  points: (view) => new PointsEditor((text) => view.read(text, "changed"), (why) => view.complain(why)),
  squares: (view) => new SquaresEditor((text) => view.read(text, "changed")),
};

export const linkTo = (game, text) => `#/position/${game}/${encodeURIComponent(text)}`;

export function open(room, page, game, encoded) {
  return new PositionView(room, page, game ?? null, decoded(encoded));
}

function decoded(encoded) {
  try {
    return encoded ? decodeURIComponent(encoded) : "";
  } catch {
    return encoded; // half a percent sign: the reader will say what is wrong
  }
}

class PositionView {
  constructor(room, page, game, text) {
    this.title = "Position";
    this.page = page;
    this.turn = 0; // of reading positions
    this.asked = 0; // questions
    this.reading = null;
    this.isStale = true;
    this.isClosed = false;
    this.resource = null;
    this.board = null;
    this.game = make("select", { change: () => this.choose(this.game.value, "") });
    this.typed = make("input", { type: "text", autocomplete: "off", spellcheck: "false",
      maxlength: "8192", paste: () => setTimeout(() => this.read(this.typed.value, "typed")) });
    this.complaint = make("p", { class: "complaint", role: "alert", hidden: true });
    this.ids = make("dl", { class: "ids" });
    this.place = make("div");
    this.setup = make("div");
    this.actions = make("div");
    this.groups = [];
    this.waiting = make("p", { class: "note" });
    this.refusals = make("p", { class: "note" });
    room.append(
      make("h2", {}, "Position"),
      make("form", { class: "typed", submit: (event) => { event.preventDefault(); this.read(this.typed.value, "typed"); } },
        labelled("Game", this.game), labelled("Any ID", this.typed, "wide"),
        make("button", {}, "Read"),
        make("button", { type: "button", click: () => this.read(this.desk.start, "typed") }, "Start position")),
      this.complaint,
      make("div", { class: "desk" },
        make("div", { class: "desk-board" }, this.place, this.setup, this.ids),
        make("div", { class: "desk-actions" }, this.refusals, this.waiting, this.actions)));
    this.load(game, text);
  }

  show(state) {
    const ready = [...state.analysers.values()].some((each) => each.state === "ready");
    this.waiting.textContent = ready ? "" : "No analyser is ready: deep questions wait for one.";
  }

  close() {
    this.isClosed = true;
    this.turn += 1;
    this.asked += 1;
    for (const group of this.groups) group.clear();
  }

  async load(game, text) {
    try {
      const { games } = await this.page.ask("api/games");
      this.games = new Map(games.filter((each) => each.positions).map((each) => [each.game, each.positions]));
    } catch (error) {
      this.complain(error.message);
      return;
    }
    if (this.isClosed) return;
    const names = [...this.games.keys()];
    fillSelect(this.game, names.map((name) => [name, capital(name)]), game ?? names[0]);
    this.choose(this.games.has(game) ? game : names[0], text);
  }

  choose(game, text) {
    this.desk = this.games.get(game);
    this.game.value = game;
    this.board = null;
    this.complain("");
    this.typed.placeholder = this.desk.expected;
    this.makeActions();
    this.read(text || this.desk.start, text ? "linked" : "begun");
  }

  // how: typed, changed on the board, linked to, or begun with; typed ones are gone back to.
  read(text, how) {
    this.reading = this.readNow(text, how);
    return this.reading;
  }

  async readNow(text, how) {
    const turn = ++this.turn;
    const game = this.game.value;
    if (how === "typed") this.typed.value = text;
    try {
      const query = new URLSearchParams({ game, text });
      const resource = await this.page.ask(`api/positions?${query}`);
      if (turn !== this.turn) return;
      this.showPosition(resource, how);
    } catch (error) {
      if (turn !== this.turn) return;
      this.complain(error.message);
      this.allow(null);
      if (this.board === null && how === "linked") this.read(this.desk.start, "begun");
    }
  }

  showPosition(resource, how) {
    this.resource = resource;
    const link = linkTo(resource.game, resource.position);
    if (how === "typed" && link !== location.hash) history.pushState(null, "", link);
    else if (how === "changed") history.replaceState(null, "", link);
    if (how !== "begun" || this.complaint.hidden) this.complain("");
    if (this.board === null) {
      const kind = BOARDS[resource.board.kind] ?? (() => new WordsBoard());
      this.board = kind(this);
      this.place.replaceChildren(this.board.picture);
      this.setup.replaceChildren(this.board.setup);
    }
    this.board.show(resource);
    this.typed.value = resource.position;
    this.ids.replaceChildren(...resource.ids.flatMap(({ name, text }) =>
      [make("dt", {}, name), make("dd", {}, make("code", {}, text))]));
    this.asked += 1; // an answer is of the position before
    for (const group of this.groups) {
      group.clear();
      if (resource.board.dice !== undefined) group.showRoll(resource.board.dice);
    }
    this.allow(resource);
  }

  complain(text) {
    this.complaint.textContent = text;
    this.complaint.hidden = text === "";
  }

  makeActions() {
    const questions = this.desk.actions.filter((action) => !action.is_job);
    const jobs = this.desk.actions.filter((action) => action.is_job);
    const group = (title, actions) => new ActionGroup(title, actions,
      (action, values, place) => this.act(action, values, place), (roll) => this.board?.setRoll?.(roll));
    this.groups = [
      ...(questions.length ? [group("Ask", questions)] : []),
      ...jobs.map((job) => group(job.title, [job]))];
    this.actions.replaceChildren(...this.groups.map((each) => each.element));
    this.allow(null);
    if (this.desk.actions.some(({ fields }) => fields.some(({ sort }) => sort === "engine"))) this.offerEngines();
  }

  async offerEngines() {
    const { groups } = this;
    try {
      const options = await engineOptions(this.page, this.game.value);
      for (const group of groups) group.settings.offerEngines(options);
    } catch (error) {
      groups[0].outcome.fail(error.message);
    }
  }

  // What can be done with a position; null: there is none.
  allow(resource) {
    this.isStale = resource === null;
    this.ids.classList.toggle("is-stale", this.isStale);
    for (const group of this.groups) group.allow(resource?.refusals ?? null);
    const whys = new Set(Object.values(resource?.refusals ?? {}));
    this.refusals.textContent = [...whys].map((why) => `${capital(why)}.`).join(" ");
  }

  // group: its outcome and answer are beside the button that was pressed.
  async act(action, values, group) {
    group.clear();
    if (await this.isReady(action, group.outcome)) {
      const wanted = this.wanted(action, values);
      if (action.is_job) this.begin(action, wanted, group.outcome);
      else this.question(action, wanted, group);
    }
  }

  // Wait until the board is read that has just been changed.
  async isReady(action, outcome) {
    const text = `${action.label}: ${action.is_job ? "starting" : "computing"}…`;
    outcome.busy(text);
    await this.reading;
    if (this.isClosed || this.isStale) {
      outcome.clear();
      return false;
    }
    outcome.busy(text);
    return true;
  }

  wanted(action, settings) {
    const { game, position } = this.resource;
    return { game, position, action: action.name, settings };
  }

  async question(action, wanted, group) {
    const turn = ++this.asked;
    try {
      const { report } = await this.page.ask("api/positions/ask", wanted);
      if (turn !== this.asked) return;
      const rollout = this.desk.actions.find((each) => each.is_job);
      group.show(shownAnswer(action.name, report, {
        onMove: (move) => this.board.showMove(move),
        onRollout: rollout && hasToken() ? (moves, outcome) => this.rollOut(rollout, moves, outcome) : null,
      }));
    } catch (error) {
      if (turn === this.asked) group.outcome.fail(error.message);
    }
  }

  async rollOut(action, moves, outcome) {
    if (moves.length === 0) {
      outcome.fail("Tick the moves to roll out.");
      return;
    }
    const values = this.groups.find((each) => each.has(action)).settings.valuesOf(action);
    if (values === null || !(await this.isReady(action, outcome))) return;
    this.begin(action, this.wanted(action, { ...values, of: "moves", moves }), outcome);
  }

  async begin(action, wanted, outcome) {
    try {
      const { job } = await this.page.ask("api/positions/start", wanted);
      this.page.tell(`Job ${job} has started.`);
      if (!this.isClosed) location.hash = `#/jobs/${job}`;
    } catch (error) {
      outcome.fail(error.message);
    }
  }
}

// A board of a kind that cannot be drawn is told in words.
class WordsBoard {
  constructor() {
    this.picture = make("pre");
    this.setup = "";
  }

  show(resource) {
    this.picture.textContent = resource.words;
  }

  showMove() {}
}
