// The view of matches: a file is chosen or dropped, analysed by the fleet, and its report opened.

import { hasToken } from "../asking.js";
import { fillSelect, labelled, make, makeTable } from "../elements.js";
import { Table } from "../tables.js";
import { capital, count } from "../words.js";

const AGAIN_MS = 1_000;

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
    this.words = make("p", { class: "note" });
    this.level.addEventListener("change", () => this.showWords());
    this.file = make("input", { type: "file", id: "match-file", disabled: true, change: () => this.handIn(this.file.files) });
    this.drop = make("div", { class: "drop", dragover: (event) => this.over(event, true),
      dragleave: (event) => this.over(event, false), drop: (event) => this.dropped(event) },
    labelled("A match file: choose it, or drop it here", this.file));
    this.complaint = make("p", { class: "complaint", role: "alert", hidden: true });
    this.note = make("p", { class: "note" });
    const table = makeTable("Matches", "matches");
    this.table = new Table(table, [
      { label: "Match", kind: "text", text: (m) => m.title },
      { label: "File", kind: "text", text: (m) => m.name },
      { label: "Level", kind: "word", text: (m) => m.level },
      { label: "State", kind: "state", fill: fillState },
      { label: "Result", kind: "word", isOptional: true, text: (m) => m.summary ?? "" },
      { label: "Trouble", kind: "text", isOptional: true, text: troubleOf },
      { label: "Report", kind: "buttons", fill: (cell, match) => this.fillButtons(cell, match) },
    ]);
    room.append(make("h2", {}, "Matches"),
      make("div", { class: "hand-in" }, labelled("Game", this.game), labelled("Level", this.level), this.drop),
      this.words, this.complaint, table, this.note);
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
  }

  showWords() {
    const desk = this.games.get(this.game.value);
    this.words.textContent = desk.levels.find(({ name }) => name === this.level.value)?.words ?? "";
  }

  async look() {
    clearTimeout(this.timer);
    let matches = [];
    try {
      ({ matches } = await this.page.ask("api/matches"));
    } catch (error) {
      this.complain(error.message);
    }
    if (this.isClosed) return;
    const entries = matches.map((match) => [String(match.match), match]).reverse();
    this.table.show(entries, (match) => MOODS[match.state] ?? "");
    this.note.textContent = matches.length ? "The newest are kept until the master ends."
      : "No match yet. Reports are kept until the master ends: save those that you want to keep.";
    if (matches.some((match) => match.state === "running")) {
      this.timer = setTimeout(() => this.look(), AGAIN_MS);
    }
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
    this.complain("");
    const desk = this.games.get(this.game.value);
    for (const file of files) {
      try {
        if (file.size > desk.bytes_max) throw new Error(`expected at most ${count(desk.bytes_max)} bytes`);
        await this.page.ask("api/matches", { game: this.game.value, name: file.name,
          content: await contentOf(file), level: this.level.value });
      } catch (error) {
        const text = error.message.startsWith(file.name) ? error.message : `${file.name}: ${error.message}`;
        this.complain(text);
      }
    }
    this.file.value = "";
    this.look();
  }

  complain(text) {
    this.complaint.textContent = text;
    this.complaint.hidden = text === "";
  }

  fillButtons(cell, match) {
    const address = `api/matches/${match.match}/report.html`;
    const name = match.name.replace(/\.\w+$/, "");
    const links = match.state !== "done" ? [] : [
      make("a", { href: address, target: "_blank", rel: "noopener", "aria-label": `Open the report of ${match.name}` }, "Open"),
      make("a", { href: address, download: `${name}.html`, "aria-label": `Save the report of ${match.name}` }, "Save"),
    ];
    const label = match.state === "running" ? "Stop" : "Forget";
    cell.replaceChildren(...links, make("button", { type: "button", disabled: !hasToken(),
      "aria-label": `${label} ${match.name}`, click: () => this.forget(match) }, label));
  }

  async forget(match) {
    try {
      await this.page.ask(`api/matches/${match.match}/forget`, {});
    } catch (error) {
      this.page.tell(error.message);
    }
    this.look();
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
