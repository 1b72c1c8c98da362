// Sets up a board of squares: by clicks, by keys, and with fields for the turn and castling.
// Knows the board and its fields; what becomes of a change is told to the caller.

import { fillSelect, labelled, make } from "../elements.js";
import { capital } from "../words.js";
import { filesOf, frameOf, squareName } from "./squares_board.js";
import { EMPTY, boardOf, cleared, isPossible, moved, placed, rightsIn, textOf } from "./squares.js";

const MOVE = "move";
const CASTLINGS = [["K", "White castles short"], ["Q", "White castles long"],
  ["k", "Black castles short"], ["q", "Black castles long"]];
const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class SquaresEditor {
  // onChange(text): another position is set up.
  constructor(onChange) {
    this.onChange = onChange;
    this.tool = null;
    this.lifted = null; // the square of the piece that is to be moved
    this.focused = [0, 0];
    this.rights = new Set();
    this.text = "";
    this.picture = make("div", { class: "picture" });
    this.tools = make("div", { class: "tools" });
    this.turn = make("select", { change: () => this.change({ ...this.board, turn: this.turn.value }) });
    this.castlings = new Map(CASTLINGS.map(([right, text]) => {
      const input = make("input", { type: "checkbox", change: () => this.allow(right, input.checked) });
      return [right, [input, make("label", { class: "tick" }, input, text)]];
    }));
    this.fields = make("div", { class: "fields" }, labelled("To move", this.turn),
      ...[...this.castlings.values()].map(([, label]) => label));
    this.setup = make("details", { class: "setup" },
      make("summary", {}, "Set up the board"), this.tools, this.fields);
  }

  show(resource) {
    this.resource = resource;
    this.board = boardOf(resource.board);
    this.words = resource.words;
    if (resource.position !== this.text) { // the answer about our own change leaves all as it is
      this.lifted = null;
      if (resource.board.format === "fen") this.rights = new Set(rightsIn(resource.position));
    }
    if (this.tool === null) this.makeTools(resource.board);
    this.draw();
  }

  showMove() {}

  makeTools({ pieces, format }) {
    this.pieces = new Map(pieces.map((piece) => [piece.letter, piece]));
    const isOfChess = format === "fen";
    const choices = [
      ...(isOfChess ? [[MOVE, "Move a piece"]] : []),
      ...pieces.map((piece) => [piece.letter, nameOf(piece), piece]),
      [EMPTY, "Remove"],
    ];
    this.tool = choices[0][0];
    const radios = choices.map(([value, text, piece]) => make("label", { class: "radio" },
      make("input", { type: "radio", name: "placing", value, checked: value === this.tool,
        change: () => this.choose(value) }),
      ...(piece ? [make("span", { class: `sign ${piece.side}`, "aria-hidden": "true" }, piece.sign)] : []),
      make("span", { class: piece ? "name" : "" }, text)));
    const letters = pieces.map((piece) => piece.letter).join(" ");
    this.tools.append(
      make("fieldset", { class: "radios" }, make("legend", {}, "Tool"), ...radios),
      make("p", { class: "note" }, "Click a square to use the tool; a right click"
        + ` removes. Keys: arrows, Enter, Delete; letters place ${isOfChess ? "pieces" : "discs"}: ${letters}.`),
      make("p", { class: "row" },
        make("button", { type: "button", click: () => this.change(cleared(this.board)) }, "Clear")));
    const sides = ["white", "black"].map((side) => [side, capital(side)]);
    fillSelect(this.turn, isOfChess ? sides : sides.reverse(), this.board.turn);
  }

  choose(tool) {
    this.tool = tool;
    this.lifted = null;
    this.draw();
  }

  draw() {
    const hadFocus = this.picture.contains(document.activeElement);
    const { board } = this.resource;
    const ranks = this.board.letters.map((letters, rank) => make("div", { class: "rank" },
      make("span", { class: "label", "aria-hidden": "true" }, board.ranks[rank]),
      ...letters.map((letter, file) => this.square([rank, file], letter))));
    this.picture.replaceChildren(
      frameOf(board, { role: "group", "aria-label": this.words }, ...ranks, filesOf(board)),
      make("p", { class: "note" }, `${capital(this.board.turn)} to move.`));
    if (hadFocus) this.picture.querySelector("[tabindex='0']")?.focus();
    this.turn.value = this.board.turn;
    for (const [right, [input, label]] of this.castlings) {
      const isHere = board.format === "fen";
      label.hidden = !isHere;
      input.disabled = !isHere || !isPossible(this.board, right);
      input.checked = !input.disabled && this.rights.has(right);
    }
  }

  square(place, letter) {
    const { board } = this.resource;
    const [rank, file] = place;
    const piece = this.pieces.get(letter);
    const isLifted = this.lifted !== null && isSame(this.lifted, place);
    const where = `${board.files[file]}${board.ranks[rank]}`;
    return make("button", {
      type: "button", class: `${squareName(board, rank, file)}${isLifted ? " lifted" : ""}`,
      tabindex: isSame(place, this.focused) ? "0" : "-1", "data-square": where,
      "aria-label": `${where}: ${piece ? nameOf(piece).toLowerCase() : "empty"}${isLifted ? ", to be moved" : ""}`,
      click: () => this.use(place),
      contextmenu: (event) => { event.preventDefault(); this.put(place, EMPTY); },
      keydown: (event) => this.press(event, place),
    }, ...(piece ? [make("span", { class: piece.side }, piece.sign)] : []));
  }

  press(event, place) {
    const { key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (key in STEPS) {
      const within = (value, many) => (value + many) % many;
      this.focused = [within(place[0] + STEPS[key][0], this.board.letters.length),
        within(place[1] + STEPS[key][1], this.board.letters[0].length)];
      this.draw();
    } else if (key === "Delete" || key === "Backspace" || key === EMPTY) {
      this.put(place, EMPTY);
    } else if (this.pieces.has(key)) {
      this.put(place, key);
    } else if (this.pieces.has(key.toUpperCase()) && !this.pieces.has(key.toLowerCase())) {
      this.put(place, key.toUpperCase());
    } else {
      return;
    }
    event.preventDefault();
  }

  use(place) {
    const letter = this.board.letters[place[0]][place[1]];
    if (this.tool !== MOVE) {
      this.put(place, letter === this.tool ? EMPTY : this.tool);
      return;
    }
    const from = this.lifted;
    this.focused = place;
    this.lifted = null;
    if (from === null && letter !== EMPTY) this.lifted = place;
    if (from === null || isSame(from, place)) this.draw();
    else this.change(moved(this.board, from, place));
  }

  put(place, letter) {
    this.focused = place;
    this.change(placed(this.board, place, letter));
  }

  allow(right, isAllowed) {
    if (isAllowed) this.rights.add(right);
    else this.rights.delete(right);
    this.change(this.board);
  }

  change(board) {
    this.board = board;
    this.lifted = null;
    this.words = "The board that is set up";
    this.draw();
    this.text = textOf(board, this.resource.board.format, this.rights);
    this.onChange(this.text);
  }
}

const isSame = (one, another) => one[0] === another[0] && one[1] === another[1];

const nameOf = ({ side, name }) => `${capital(side)} ${name}`;
