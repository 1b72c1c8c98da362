// The view of matches: files are analysed by the fleet, their reports opened, and players studied.

import { hasToken } from "../asking.js";
import { OWN_ENGINE, engineOptions } from "../engines.js";
import { fillSelect, labelled, make, makeTable } from "../elements.js";
import { Outcome } from "../outcome.js";
import { Table } from "../tables.js";
import { capital, count, counted, moment } from "../words.js";
import { linkTo } from "./study.js";

const AGAIN_MS = 1_000;
const SHOWN_MAX = 100; // matches, by the newest
const PLAYERS_MAX = 30;

export function open(room, page) {
  return new MatchesView(room, page);
}

class MatchesView {
  constructor(room, page) {
    this.title = "Matches";
    this.page = page;
    this.isClosed = false;
    this.timer = null;
    this.game = make("select", { change: () => this.showLevels() });
    this.level = make("select");
    this.engine = make("select");
    this.engineField = labelled("Engine", this.engine);
    this.engineField.hidden = true;
    this.words = make("p", { class: "note" });
    this.level.addEventListener("change", () => this.showWords());
    this.file = make("input", { type: "file", id: "match-file", disabled: true, change: () => this.handIn(this.file.files) });
    this.drop = make("div", { class: "drop", dragover: (event) => this.over(event, true),
      dragleave: (event) => this.over(event, false), drop: (event) => this.dropped(event) },
    labelled("A match file: choose it, or drop it here", this.file));
    this.outcome = new Outcome();
    this.search = make("input", { type: "search", input: () => this.showMatches() });
    this.players = make("section", { "aria-label": "Players", hidden: true });
    this.matches = [];
    this.note = make("p", { class: "note" });
    const table = makeTable("Matches", "matches");
    this.table = new Table(table, [
      { label: "Match", kind: "text", text: (m) => m.title },
      { label: "File", kind: "text", text: (m) => m.name },
      { label: "Level", kind: "word", text: (m) => (m.engine ? `${m.level}, ${m.engine}` : m.level) },
      { label: "Analysed", kind: "word", isOptional: true,
        text: (m) => (m.analysed ? moment(new Date(m.analysed)) : "") },
      { label: "State", kind: "state", fill: fillState },
      { label: "Result", kind: "word", isOptional: true, text: (m) => m.summary ?? "" },
      { label: "Trouble", kind: "text", isOptional: true, text: troubleOf },
      { label: "Report", kind: "buttons", fill: (cell, match) => this.fillButtons(cell, match) },
    ]);
    room.append(make("h2", {}, "Matches"),
      make("div", { class: "hand-in" }, labelled("Game", this.game), labelled("Level", this.level),
        this.engineField, this.drop),
      this.words, this.outcome.element,
      make("p", { class: "find" }, labelled("Search the matches", this.search)), table, this.note, this.players);
    this.load();
  }

  show() {}

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  async load() {
    try {
      const { games } = await this.page.ask("api/games");
      this.games = new Map(games.filter((each) => each.matches).map((each) => [each.game, each.matches]));
    } catch (error) {
      this.complain(error.message);
      return;
    }
    if (this.isClosed) return;
    const names = [...this.games.keys()];
    fillSelect(this.game, names.map((name) => [name, capital(name)]), names[0]);
    this.file.disabled = !hasToken();
    this.showLevels();
    this.look();
  }

  showLevels() {
    const desk = this.games.get(this.game.value);
    const options = desk.levels.map(({ name }) => [name, name]);
    fillSelect(this.level, options, desk.level);
    this.file.accept = desk.suffixes.join(",");
    this.showWords();
    this.showEngines(desk.has_engines);
  }

  // The engines that analysers have for the game; where there is one, there is nothing to choose.
  async showEngines(isChosen) {
    const game = this.game.value;
    this.engineField.hidden = true;
    fillSelect(this.engine, [["", OWN_ENGINE]], "");
    if (!isChosen) return;
    try {
      const options = await engineOptions(this.page, game);
      if (this.isClosed || game !== this.game.value) return;
      fillSelect(this.engine, options, "");
      this.engineField.hidden = options.length < 2;
    } catch (error) {
      this.complain(error.message);
    }
  }

  showWords() {
    const desk = this.games.get(this.game.value);
    this.words.textContent = desk.levels.find(({ name }) => name === this.level.value)?.words ?? "";
  }

  async look() {
    clearTimeout(this.timer);
    try {
      ({ matches: this.matches } = await this.page.ask("api/matches"));
    } catch (error) {
      this.complain(error.message);
    }
    if (this.isClosed) return;
    this.showMatches();
    if (this.matches.some((match) => match.state === "running")) {
      this.timer = setTimeout(() => this.look(), AGAIN_MS);
    }
  }

  // Show the matches that have all words of the search, the newest first.
  showMatches() {
    const words = this.search.value.toLowerCase().split(/\s+/);
    const found = this.matches.filter((match) => {
      const text = [match.title, match.name, match.game, match.level, match.analysed ?? ""].join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    }).reverse();
    const entries = found.slice(0, SHOWN_MAX).map((match) => [String(match.match), match]);
    this.table.show(entries, (match) => MOODS[match.state] ?? "");
    const more = found.length - entries.length;
    this.note.textContent = this.matches.length === 0 ? "No match yet: choose a file above."
      : found.length === 0 ? "No match has these words."
        : more > 0 ? `And ${count(more)} older ones: search for them.` : "";
    this.showPlayers(found);
  }

  // Links to the profile and the quiz of each player, those with the most matches first.
  showPlayers(matches) {
    const counts = new Map();
    for (const { game, players, is_kept } of matches) {
      for (const player of is_kept ? new Set(players) : []) {
        if (player === "") continue;
        const key = `${game}\n${player}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    const items = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, PLAYERS_MAX)
      .map(([key, many]) => {
        const [game, player] = key.split("\n");
        const link = (view, text) => make("a", { href: linkTo(game, view, player),
          "aria-label": `${text} of ${player}` }, text);
        return make("li", {}, `${player} (${counted(many, "match", "matches")}): `,
          link("profile", "Profile"), link("quiz", "Quiz"));
      });
    this.players.hidden = items.length === 0;
    this.players.replaceChildren(make("h3", {}, "Players"), make("ul", { class: "players" }, ...items));
  }

  over(event, isOver) {
    event.preventDefault();
    this.drop.classList.toggle("over", isOver);
  }

  dropped(event) {
    this.over(event, false);
    if (!this.file.disabled) this.handIn(event.dataTransfer.files);
  }

  async handIn(files) {
    const desk = this.games.get(this.game.value);
    const complaints = [];
    for (const file of files) {
      this.outcome.busy(`Reading ${file.name}…`);
      try {
        if (file.size > desk.bytes_max) throw new Error(`expected at most ${count(desk.bytes_max)} bytes`);
        await this.page.ask("api/matches", { game: this.game.value, name: file.name,
          content: await contentOf(file), level: this.level.value,
          ...(this.engine.value ? { engine: this.engine.value } : {}) });
      } catch (error) {
        complaints.push(error.message.startsWith(file.name) ? error.message : `${file.name}: ${error.message}`);
      }
    }
    this.complain(complaints.join(" "));
    this.file.value = "";
    this.look();
  }

  complain(text) {
    this.outcome.fail(text);
  }

  fillButtons(cell, match) {
    const address = `api/matches/${match.match}/report.html`;
    const name = match.name.replace(/\.\w+$/, "");
    const links = match.state !== "done" ? [] : [
      make("a", { href: address, target: "_blank", rel: "noopener", "aria-label": `Open the report of ${match.name}` }, "Open"),
      make("a", { href: address, download: `${name}.html`, "aria-label": `Save the report of ${match.name}` }, "Save"),
    ];
    const label = match.state === "running" ? "Stop" : "Forget";
    const outcome = new Outcome();
    cell.replaceChildren(...links, make("button", { type: "button", disabled: !hasToken(),
      "aria-label": `${label} ${match.name}`, click: () => this.forget(match, outcome) }, label), outcome.element);
  }

  async forget(match, outcome) {
    const isSure = match.state === "running"
      || confirm(`Delete the report of ${match.name}? This cannot be undone.`);
    if (!isSure) return;
    outcome.busy(match.state === "running" ? "Stopping…" : "Deleting…");
    try {
      await this.page.ask(`api/matches/${match.match}/forget`, {});
      this.look();
    } catch (error) {
      outcome.fail(error.message);
    }
  }
}

const MOODS = { done: "is-good", failed: "is-bad" };

const troubleOf = (match) => [match.error, ...match.warnings].filter(Boolean).join("; ");

function fillState(cell, match) {
  if (match.state !== "running") {
    cell.replaceChildren(match.state);
    return;
  }
  const { answered, questions } = match;
  cell.replaceChildren(
    make("progress", { max: String(questions), value: String(answered), "aria-label": `Analysis of ${match.name}` }),
    ` ${count(answered)} of ${count(questions)}`);
}

// Returns a file in base64.
function contentOf(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(new Error("the file cannot be read"));
    reader.readAsDataURL(file);
  });
}
