// A board of squares with pieces on them, drawn.  Must not know which game it is of.

import { make } from "../elements.js";

export class SquaresBoard {
  constructor() {
    this.picture = make("div", { class: "picture" });
    this.setup = "";
  }

  show(resource) {
    const { board, words } = resource;
    const rows = board.rows.map((cells, rank) => make("div", { class: "rank" },
      make("span", { class: "label" }, board.ranks[rank]),
      ...cells.map((cell, file) => square(board, rank, file, cell))));
    this.picture.replaceChildren(
      frameOf(board, { role: "img", "aria-label": words }, ...rows, filesOf(board)),
      make("p", { class: "note" }, `${board.turn === "black" ? "Black" : "White"} to move.`));
  }

  showMove() {}
}

export const frameOf = (board, attributes, ...children) =>
  make("div", { class: `squares-board${board.is_chequered ? " chequered" : ""}`, ...attributes }, ...children);

export const filesOf = (board) =>
  make("div", { class: "rank", "aria-hidden": "true" }, make("span", { class: "label" }),
    ...board.files.map((file) => make("span", { class: "label" }, file)));

export const squareName = (board, rank, file) =>
  `square${board.is_chequered && (rank + file) % 2 === 1 ? " dark" : ""}`;

function square(board, rank, file, cell) {
  const made = make("span", { class: squareName(board, rank, file) });
  if (cell !== null) made.append(make("span", { class: cell[1] }, cell[0]));
  return made;
}
