// The view of a position: what a text says is shown, changed, asked about, and begun as a job.
// Knows actions and settings as the master describes them; boards and answers are other modules'.

import { hasToken } from "../asking.js";
import { fillSelect, labelled, make } from "../elements.js";
import { capital } from "../words.js";
import { shownAnswer } from "./answers.js";
import { PointsEditor } from "./points_editor.js";
import { Settings } from "./settings.js";
import { SquaresBoard } from "./squares_board.js";

const BOARDS = {
  points: (view) => new PointsEditor((text) => view.read(text, "changed"), (why) => view.complain(why)),
  squares: () => new SquaresBoard(),
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
    this.turn = 0;
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
    this.answer = make("section", { class: "answer", "aria-live": "polite", "aria-label": "Answer" });
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
        make("div", {}, this.place, this.ids),
        make("div", {}, this.actions, this.refusals, this.waiting, this.setup)),
      this.answer);
    this.load(game, text);
  }

  show(state) {
    const ready = [...state.analysers.values()].some((each) => each.state === "ready");
    this.waiting.textContent = ready ? "" : "No analyser is ready: deep questions wait for one.";
  }

  close() {
    this.isClosed = true;
    this.turn += 1;
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
  async read(text, how) {
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
    this.answer.replaceChildren();
    this.allow(resource);
  }

  complain(text) {
    this.complaint.textContent = text;
    this.complaint.hidden = text === "";
  }

  makeActions() {
    const questions = this.desk.actions.filter((action) => !action.is_job);
    const jobs = this.desk.actions.filter((action) => action.is_job);
    this.buttons = new Map();
    this.forms = new Map();
    const group = (title, actions) => {
      const settings = new Settings(actions.flatMap((action) => action.fields));
      const buttons = actions.map((action) => {
        const button = make("button", { type: "button", click: () => this.act(action) }, action.label);
        this.buttons.set(action.name, button);
        this.forms.set(action.name, settings);
        return button;
      });
      return make("fieldset", {}, make("legend", {}, title), settings.element,
        make("p", { class: "row" }, ...buttons));
    };
    this.actions.replaceChildren(
      ...(questions.length ? [group("Ask", questions)] : []),
      ...jobs.map((job) => group(`${job.label}: a job of the fleet`, [job])));
    this.allow(null);
  }

  // What can be done with a position; null: there is none.
  allow(resource) {
    this.ids.classList.toggle("is-stale", resource === null);
    for (const [name, button] of this.buttons) {
      const why = resource === null ? "" : resource.refusals[name] ?? "";
      button.disabled = resource === null || why !== "" || !hasToken();
      button.title = why || (hasToken() ? "" : "Read only");
    }
    const whys = new Set(Object.values(resource?.refusals ?? {}));
    this.refusals.textContent = [...whys].map((why) => `${capital(why)}.`).join(" ");
  }

  act(action, more = {}) {
    const values = this.forms.get(action.name).valuesOf(action);
    if (values === null) return;
    const wanted = { game: this.resource.game, position: this.resource.position,
      action: action.name, settings: { ...values, ...more } };
    if (action.is_job) this.begin(action, wanted);
    else this.question(action, wanted);
  }

  async question(action, wanted) {
    const turn = ++this.turn;
    this.answer.replaceChildren(make("p", { class: "note" }, `${action.label}: asked…`));
    try {
      const { report } = await this.page.ask("api/positions/ask", wanted);
      if (turn !== this.turn) return;
      const rollout = this.desk.actions.find((each) => each.is_job);
      this.answer.replaceChildren(...shownAnswer(action.name, report, {
        onMove: (move) => this.board.showMove(move),
        onRollout: rollout && hasToken() ? (moves) => this.rollOut(rollout, moves) : null,
      }));
    } catch (error) {
      if (turn !== this.turn) return;
      this.answer.replaceChildren(make("p", { class: "complaint" }, error.message));
    }
  }

  rollOut(action, moves) {
    if (moves.length === 0) this.page.tell("Choose the moves that are to be rolled out.");
    else this.act(action, { of: "moves", moves });
  }

  async begin(action, wanted) {
    const button = this.buttons.get(action.name);
    button.disabled = true;
    try {
      const { job } = await this.page.ask("api/positions/start", wanted);
      this.page.tell(`Job ${job} is begun.`);
      if (!this.isClosed) location.hash = `#/jobs/${job}`;
    } catch (error) {
      this.page.tell(`${action.label} failed: ${error.message}`);
    } finally {
      button.disabled = false;
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
