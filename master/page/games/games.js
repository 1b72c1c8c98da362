// Games that the engine plays, to be watched: the game, its seed and the engine's level.
// A game's own module draws it; the master names the module.

import { hasToken } from "../asking.js";
import { element } from "../elements.js";
import { Outcome } from "../outcome.js";
import { Player } from "./player.js";

const MODULE = /^\/games\/[a-z_]+\.js$/;
const SHEET = /^\/games\/[a-z_]+\.css$/;

export function open(room, page, name = "", number = "") {
  const view = new GamesView(room, page, name, Number(number));
  view.begin();
  return view;
}

class GamesView {
  constructor(room, page, name, number) {
    this.title = "Games";
    this.room = room;
    this.page = page;
    this.name = name;
    this.number = number; // 0: none yet
    this.player = null;
    this.isClosed = false;
  }

  show() {} // nothing of it depends on jobs or analysers

  close() {
    this.isClosed = true;
    this.player?.close();
  }

  async begin() {
    try {
      const { kinds, games } = await this.page.ask("api/watched");
      if (kinds.length === 0) throw new Error("There is no game to watch.");
      const game = this.number > 0 ? await this.page.ask(`api/watched/${this.number}`) : null;
      const name = game?.game ?? this.name;
      const kind = kinds.find((each) => each.game === name) ?? kinds[0];
      const module = await loaded(kind);
      if (this.isClosed) return;
      this.fill(kind, game, games);
      if (game !== null) this.watch(module, game);
    } catch (error) {
      if (!this.isClosed) this.fail(error);
    }
  }

  fail(error) {
    const again = element("a", { href: "#/games" }, "Watch another one");
    this.room.append(element("p", { className: "trouble", role: "alert" }, error.message), again);
  }

  fill(kind, game, games) {
    this.room.append(
      element("h2", { id: "game-title" }, kind.title),
      element("p", { className: "note" }, kind.text),
      this.form(kind, game),
    );
    if (game === null) this.room.append(...running(kind, games));
  }

  // What begins a game: a seed and a level.
  form(kind, game) {
    const form = element("form", { className: "game-form" });
    this.seed = element("input", {
      type: "number", min: 0, max: kind.seed_max, step: 1, required: true, id: "game-seed",
      value: game === null ? newSeed() : game.seed,
    });
    this.level = element("select", { id: "game-level" });
    for (const { level, text } of kind.levels) {
      this.level.append(element("option", { value: level }, text));
    }
    this.level.value = game === null ? kind.level : game.level;
    const start = element("button", { disabled: !hasToken() }, "New game");
    const other = element("button", { type: "button" }, "Another seed");
    other.addEventListener("click", () => { this.seed.value = newSeed(); });
    this.outcome = new Outcome();
    form.append(
      labelled("Seed", this.seed), labelled("Engine", this.level), start, other,
      this.outcome.element,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.start(kind);
    });
    return form;
  }

  async start(kind) {
    const wanted = { game: kind.game, seed: this.seed.valueAsNumber, level: this.level.value };
    this.outcome.busy("Starting…");
    try {
      const game = await this.page.ask("api/watched", wanted);
      if (!this.isClosed) location.hash = `#/games/${kind.game}/${game.number}`;
    } catch (error) {
      this.outcome.fail(`No game was started: ${error.message}`);
    }
  }

  watch(module, game) {
    const place = element("div", { className: "game" });
    this.room.append(place);
    this.player = new Player(place, this.page, game, module);
  }
}

// Returns the game's module; its style sheet is loaded with it.
async function loaded(kind) {
  const [module, ...sheets] = kind.files;
  if (!MODULE.test(module) || !sheets.every((each) => SHEET.test(each))) {
    throw new Error("Unknown view.");
  }
  for (const sheet of sheets) {
    if (document.querySelector(`link[href="${sheet}"]`) === null) {
      document.head.append(element("link", { rel: "stylesheet", href: sheet }));
    }
  }
  return import(module);
}

function running(kind, games) {
  const own = games.filter((each) => each.game === kind.game);
  if (own.length === 0) return [];
  const list = element("ul");
  for (const { number, seed, level } of own) {
    const link = element("a", { href: `#/games/${kind.game}/${number}` }, `Game ${number}`);
    const line = element("li");
    line.append(link, `: seed ${seed}, ${level}`);
    list.append(line);
  }
  return [element("p", {}, "Games that are watched now; you can watch too:"), list];
}

function labelled(text, field) {
  const label = element("label", { htmlFor: field.id }, text);
  const both = element("p", { className: "field" });
  both.append(label, field);
  return both;
}

const newSeed = () => Math.floor(Math.random() * 1_000_000);
