// Sets up a board of points: by clicks, by keys, and with fields for cube, dice and score.
// Knows the board and its fields; what becomes of a change is told to the caller.

import { labelled, make, makeSvg, select } from "../elements.js";
import { drawn } from "./points_drawing.js";
import { CUBES, added, cleared, copied, other, removed, toXgid, turned } from "./points.js";

const LENGTH_MAX = 64;
const SCORE_MAX = 32767;
const ROLLS = [1, 2, 3, 4, 5, 6].flatMap((first) =>
  [1, 2, 3, 4, 5, 6].filter((second) => second <= first).map((second) => `${first}-${second}`));
const PLACES = 26; // the points between the two bars
const KEYS = {
  ArrowRight: (place) => (place + 1) % PLACES,
  ArrowLeft: (place) => (place + PLACES - 1) % PLACES,
  ArrowUp: (place) => PLACES - 1 - place, // the point on the other side of the board
  ArrowDown: (place) => PLACES - 1 - place,
};

export class PointsEditor {
  // onChange(text): another position is set up; tell(text): what cannot be.
  constructor(onChange, tell) {
    this.onChange = onChange;
    this.tell = tell;
    this.side = "bottom";
    this.focused = 6; // what the side at the bottom calls it; 25 and 0 are the bars
    this.move = "";
    this.picture = make("div", { class: "picture" });
    this.tools = make("div", { class: "tools" });
    this.fields = make("div", { class: "fields" });
    this.setup = make("details", { class: "setup" },
      make("summary", {}, "Set up the board"), this.tools, this.fields);
    this.makeTools();
    this.makeFields();
  }

  show(resource) {
    this.board = copied(resource.board);
    this.words = resource.words;
    this.move = "";
    this.draw();
    this.fill();
  }

  showMove(move) {
    this.move = move;
    this.draw();
  }

  // Put a roll such as 3-1 on the board; empty: nothing is rolled.
  setRoll(text) {
    const board = copied(this.board);
    board.dice = text ? text.split("-").map(Number) : null;
    if (text) board.is_double_offered = false;
    this.change(board);
  }

  draw() {
    const hadFocus = this.picture.contains(document.activeElement);
    this.picture.replaceChildren(
      drawn(this.board, this.words, (side, slot) => this.hit(side, slot), this.move));
    if (hadFocus) this.picture.querySelector("[tabindex='0']")?.focus();
  }

  // A place that is clicked; it belongs to both sides, but for the bar.
  hit(side, slot) {
    const place = slot === 25 && side === "top" ? 0 : slot;
    return makeSvg("rect", {
      class: "hit", role: "button", tabindex: place === this.focused ? "0" : "-1",
      "aria-label": this.nameOf(side, slot), "data-place": place,
      click: (event) => this.put(side, slot, place, event.shiftKey),
      contextmenu: (event) => { event.preventDefault(); this.put(side, slot, place, true); },
      keydown: (event) => this.press(event, side, slot, place),
    });
  }

  nameOf(side, slot) {
    const own = this.board[side][slot];
    if (slot === 25) return `Bar, ${side}: ${own}`;
    const theirs = this.board[other(side)][25 - slot];
    const whose = own ? `${own} ${side}` : theirs ? `${theirs} ${other(side)}` : "empty";
    return `Point ${slot}: ${whose}`;
  }

  press(event, side, slot, place) {
    if (event.key in KEYS) {
      this.focused = KEYS[event.key](place);
      this.draw();
    } else if (event.key === "Enter" || event.key === " " || event.key === "+") {
      this.put(side, slot, place, event.shiftKey);
    } else if (event.key === "Delete" || event.key === "Backspace" || event.key === "-") {
      this.change(removed(this.board, side, slot), place);
    } else {
      return;
    }
    event.preventDefault();
  }

  put(side, slot, place, isOther) {
    if (this.side === "remove") {
      this.change(removed(this.board, side, slot), place);
      return;
    }
    const whose = slot === 25 ? side : isOther ? other(this.side) : this.side;
    const at = whose === side ? slot : 25 - slot;
    const [board, why] = added(this.board, whose, at);
    if (why) this.tell(why);
    else this.change(board, place);
  }

  change(board, place = this.focused) {
    this.board = board;
    this.focused = place;
    this.words = "The board that is set up";
    this.move = "";
    this.draw();
    this.onChange(toXgid(board));
  }

  makeTools() {
    const radios = [["bottom", "Light (bottom)"], ["top", "Dark (top)"], ["remove", "Remove"]];
    const choices = radios.map(([value, label]) => make("label", { class: "radio" },
      make("input", { type: "radio", name: "placing", value, checked: value === this.side,
        change: () => { this.side = value; } }), label));
    const button = (label, act) => make("button", { type: "button", click: act }, label);
    this.tools.append(
      make("fieldset", { class: "radios" }, make("legend", {}, "A click places"), ...choices),
      make("p", { class: "note" }, "Right click or Shift: the other side. Keys: arrows, Enter, Delete. Missing checkers are borne off."),
      make("p", { class: "row" },
        button("Turn the board", () => this.change(turned(this.board))),
        button("Clear", () => this.change(cleared(this.board)))));
  }

  makeFields() {
    const rolls = ROLLS.map((roll) => [roll, roll]);
    const count = (most) => make("input", { type: "number", min: "0", max: String(most), step: "1" });
    const check = () => make("input", { type: "checkbox" });
    const inputs = this.inputs = {
      turn: select([["bottom", "Bottom"], ["top", "Top"]], "bottom"),
      dice: select([["", "–"], ...rolls], ""),
      cube: select(CUBES.map((value) => [value, value]), 1),
      owner: select([["", "in the middle"], ["bottom", "bottom"], ["top", "top"]], ""),
      length: count(LENGTH_MAX), bottomScore: count(SCORE_MAX), topScore: count(SCORE_MAX),
      isCrawford: check(), hasJacoby: check(), hasBeavers: check(), isOffered: check(),
    };
    for (const input of Object.values(inputs)) {
      input.addEventListener("change", () => this.change(this.fromFields()));
    }
    const tick = (text, input) => make("label", { class: "tick" }, input, text);
    this.ofMatch = [tick("Crawford game", inputs.isCrawford)];
    this.ofMoney = [tick("Jacoby rule", inputs.hasJacoby), tick("Beavers", inputs.hasBeavers)];
    this.fields.append(
      labelled("On roll", inputs.turn),
      labelled("Roll", inputs.dice),
      labelled("Cube", inputs.cube), labelled("Cube is", inputs.owner),
      labelled("Match to (0: money)", inputs.length),
      labelled("Points, bottom", inputs.bottomScore), labelled("Points, top", inputs.topScore),
      tick("Double offered", inputs.isOffered), ...this.ofMatch, ...this.ofMoney);
  }

  // Put the board into the fields.
  fill() {
    const { board, inputs } = this;
    const values = {
      turn: board.turn, dice: board.dice?.join("-") ?? "",
      cube: board.cube.value, owner: board.cube.owner ?? "", length: board.match_length,
      bottomScore: board.scores[0], topScore: board.scores[1],
    };
    for (const [name, value] of Object.entries(values)) inputs[name].value = String(value);
    inputs.isCrawford.checked = board.is_crawford;
    inputs.hasJacoby.checked = board.has_jacoby;
    inputs.hasBeavers.checked = board.has_beavers;
    inputs.isOffered.checked = board.is_double_offered;
    for (const tick of this.ofMatch) tick.hidden = board.match_length === 0;
    for (const tick of this.ofMoney) tick.hidden = board.match_length > 0;
  }

  fromFields() {
    const { inputs } = this;
    const number = (input) => Number(input.value) || 0;
    const board = copied(this.board);
    board.turn = inputs.turn.value;
    board.dice = inputs.dice.value ? inputs.dice.value.split("-").map(Number) : null;
    board.cube.value = number(inputs.cube);
    board.cube.owner = inputs.owner.value || null;
    board.match_length = number(inputs.length);
    board.scores = [number(inputs.bottomScore), number(inputs.topScore)];
    board.is_crawford = inputs.isCrawford.checked && board.match_length > 0;
    board.has_jacoby = inputs.hasJacoby.checked;
    board.has_beavers = inputs.hasBeavers.checked;
    board.is_double_offered = inputs.isOffered.checked;
    return board;
  }
}
