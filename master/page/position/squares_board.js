// A board of squares with men or discs on them.  Knows nothing of what they are.

import { make } from "../elements.js";

export class SquaresBoard {
  constructor() {
    this.picture = make("div", { class: "picture" });
    this.setup = "";
  }

  show(resource) {
    const { board, words } = resource;
    const rows = board.rows.map((cells, at) => make("div", { class: "rank" },
      make("span", { class: "label" }, board.ranks[at]),
      ...cells.map((cell, file) => square(cell, board.is_chequered && (at + file) % 2 === 1))));
    const files = make("div", { class: "rank" }, make("span", { class: "label" }),
      ...board.files.map((file) => make("span", { class: "label" }, file)));
    this.picture.replaceChildren(
      make("div", { class: `squares-board${board.is_chequered ? " chequered" : ""}`, role: "img",
        "aria-label": words }, ...rows, files),
      make("p", { class: "note" }, `${board.turn === "black" ? "Black" : "White"} to move.`));
  }

  showMove() {}
}

function square(cell, isDark) {
  const name = `square${isDark ? " dark" : ""}`;
  if (cell === null) return make("span", { class: name });
  const [sign, side] = cell;
  return make("span", { class: name }, make("span", { class: side }, sign));
}
