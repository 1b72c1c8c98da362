// A board of squares as it is set up, and the text that names it.
// Pure: values in, values out.  `letters` are the ranks as drawn, a letter for each square.

export const EMPTY = "-";

const RIGHTS = ["K", "Q", "k", "q"];

export function boardOf(shown) {
  return { letters: shown.letters.map((rank) => [...rank]), turn: shown.turn };
}

const copied = (board) => ({ ...board, letters: board.letters.map((rank) => [...rank]) });

export function placed(board, [rank, file], letter) {
  const next = copied(board);
  next.letters[rank][file] = letter;
  return next;
}

export function moved(board, from, to) {
  const letter = board.letters[from[0]][from[1]];
  return placed(placed(board, from, EMPTY), to, letter);
}

export function cleared(board) {
  return { ...board, letters: board.letters.map((rank) => rank.map(() => EMPTY)) };
}

// The castling rights of a FEN, one letter for each.
export const rightsIn = (fen) => [...(fen.split(" ")[2] ?? "-")].filter((letter) => letter !== "-");

// Whether king and rook are where a castling right has them; other letters than KQkq are the rook's file.
export function isPossible(board, right) {
  const isWhite = right === right.toUpperCase();
  const rank = board.letters[isWhite ? 7 : 0].join("");
  const [king, rook] = isWhite ? ["K", "R"] : ["k", "r"];
  const side = right.toUpperCase();
  if (side === "K") return rank[4] === king && rank[7] === rook;
  if (side === "Q") return rank[4] === king && rank[0] === rook;
  return rank.includes(king) && rank["ABCDEFGH".indexOf(side)] === rook;
}

// Returns the text of a board; rights: the castling rights that are wanted where they are possible.
export function textOf(board, format, rights) {
  if (format === "fen") return fenOf(board, rights);
  return `${board.letters.flat().join("")} ${board.turn === "black" ? "X" : "O"}`;
}

function fenOf(board, rights) {
  const ranks = board.letters.map((rank) =>
    rank.join("").replace(/-+/g, (gap) => String(gap.length)));
  const order = [...RIGHTS, ...[...rights].filter((right) => !RIGHTS.includes(right))];
  const castling = order.filter((right) => rights.has(right) && isPossible(board, right)).join("");
  return `${ranks.join("/")} ${board.turn === "black" ? "b" : "w"} ${castling || "-"} - 0 1`;
}
