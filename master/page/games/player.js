// Plays a game's frames: on and off, step by step, faster and slower, to the end.
// Frames come from the master as they are wanted; it plays no further than somebody looks.
//
// A game's module has `open(place)`, which returns {show(frames, at)}: frames[at] is to be seen.

import { count } from "../words.js";
import { element, put } from "../elements.js";

const SPEEDS = [1, 2, 5, 10, 25, 50]; // moves a second
const AHEAD_S = 3; // so much of the game is there before it is to be seen
const AGAIN_MS = 1_000;

export class Player {
  constructor(place, page, game, module) {
    this.page = page;
    this.game = game;
    this.frames = [];
    this.at = 0;
    this.isPlaying = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.isEnding = false; // all frames are wanted, the last one is to be seen
    this.isAsking = false;
    this.isClosed = false;
    this.line = element("p", { className: "game-line", role: "status" });
    const board = element("div", { className: "game-board" });
    place.append(this.controls(), this.line, board);
    this.board = module.open(board);
    this.onKey = (event) => this.press(event);
    document.addEventListener("keydown", this.onKey);
    this.show();
    this.go();
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.next);
    clearTimeout(this.again);
    document.removeEventListener("keydown", this.onKey);
  }

  controls() {
    const bar = element("div", { className: "game-controls", role: "group", ariaLabel: "The game" });
    this.pause = element("button", { type: "button" });
    this.pause.addEventListener("click", () => this.toggle());
    const back = element("button", { type: "button" }, "Back");
    back.addEventListener("click", () => this.step(-1));
    const step = element("button", { type: "button" }, "Step");
    step.addEventListener("click", () => this.step(1));
    const end = element("button", { type: "button" }, "To the end");
    end.addEventListener("click", () => this.toEnd());
    this.speed = element("select", { id: "game-speed" });
    for (const speed of SPEEDS) {
      this.speed.append(element("option", { value: speed }, `${speed} a second`));
    }
    this.speed.value = "5";
    this.speed.addEventListener("change", () => this.go());
    const speed = element("label", { htmlFor: "game-speed" }, "Moves");
    this.slider = element("input", { type: "range", min: 0, max: 0, step: 1, value: 0 });
    this.slider.ariaLabel = "Move";
    this.slider.addEventListener("input", () => this.seek(this.slider.valueAsNumber));
    const hint = element("p", { className: "note keys" }, "Keys: Space pauses, → and ← step, End goes to the end.");
    bar.append(this.pause, back, step, end, speed, this.speed, this.slider, hint);
    return bar;
  }

  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("input, select, textarea, dialog")) return;
    const actions = {
      ArrowRight: () => this.step(1),
      ArrowLeft: () => this.step(-1),
      End: () => this.toEnd(),
      Home: () => this.seek(0),
      " ": event.target.closest("button, a") ? undefined : () => this.toggle(),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  }

  toggle() {
    this.isPlaying = !this.isPlaying;
    this.isEnding = false;
    if (this.isPlaying && this.isLast()) this.at = 0;
    this.show();
    this.go();
  }

  step(by) {
    this.seek(this.at + by);
  }

  seek(at) {
    this.isPlaying = this.isEnding = false;
    this.at = Math.max(0, Math.min(at, this.frames.length - 1));
    this.show();
    this.fetch();
  }

  toEnd() {
    this.isPlaying = false;
    this.isEnding = true;
    this.at = Math.max(0, this.frames.length - 1);
    this.show();
    this.fetch();
  }

  isLast() {
    return this.game.is_over && this.at === this.frames.length - 1;
  }

  // Go on at the speed that is wanted.
  go() {
    clearTimeout(this.next);
    this.fetch();
    if (!this.isPlaying || this.isClosed) return;
    this.next = setTimeout(() => {
      if (!document.hidden && this.at + 1 < this.frames.length) {
        this.at += 1;
        if (this.isLast()) this.isPlaying = false;
        this.show();
      }
      this.go();
    }, 1_000 / Number(this.speed.value));
  }

  isWanting() {
    if (this.isClosed || this.game.is_over) return false;
    return this.isEnding || this.frames.length - this.at < AHEAD_S * Number(this.speed.value) + 2;
  }

  async fetch() {
    if (this.isAsking || !this.isWanting()) return;
    this.isAsking = true;
    clearTimeout(this.again);
    try {
      while (this.isWanting()) await this.receive();
    } catch (error) {
      if (this.isClosed) return;
      put(this.line, `${error.message}. ${error.status === 404 ? "" : "Trying again…"}`);
      if (error.status === 404) this.isPlaying = this.isEnding = false;
      else this.again = setTimeout(() => this.fetch(), AGAIN_MS);
    } finally {
      this.isAsking = false;
    }
  }

  async receive() {
    const first = this.frames.length;
    const told = await this.page.ask(`api/watched/${this.game.number}/frames/${first}`);
    if (this.isClosed) return;
    this.frames.push(...told.frames);
    this.game = told.game;
    if (this.isEnding) this.at = Math.max(0, this.frames.length - 1);
    if (this.game.is_over && this.isEnding) this.isEnding = false;
    this.show();
  }

  show() {
    put(this.pause, this.isPlaying ? "Pause" : "Play");
    const last = Math.max(0, this.frames.length - 1);
    this.slider.max = last;
    this.slider.value = this.at;
    put(this.line, this.told());
    if (this.at < this.frames.length) this.board.show(this.frames, this.at);
  }

  told() {
    if (this.frames.length === 0) return "The engine starts…";
    const { at, frames, game } = this;
    const of = game.is_over ? ` of ${count(frames.length - 1)}` : "";
    const end = this.isLast() ? " · the game is over" : this.isEnding ? " · the engine continues…" : "";
    return `Move ${count(at)}${of}${end}`;
  }
}
