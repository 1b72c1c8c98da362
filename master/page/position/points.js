// A board of points as it is set up: checkers, cube, dice and score, and the XGID that says them.
// Pure: values in, values out.  Each side's slots are 26 numbers of its own counting: borne off,
// points 1 to 24, on the bar.

const CHECKERS = 15;
const BAR = 25;

export const SIDES = ["bottom", "top"];
export const CUBES = Array.from({ length: 11 }, (_, log2) => 2 ** log2);

export const other = (side) => (side === "bottom" ? "top" : "bottom");

// A side's slot for what the side at the bottom calls a point.
export const slotOf = (side, point) => (side === "bottom" ? point : BAR - point);

export function copied(board) {
  return { ...board, bottom: [...board.bottom], top: [...board.top],
    cube: { ...board.cube }, scores: [...board.scores] };
}

// Returns the board with one checker more of a side, and what is wrong with that, if anything.
export function added(board, side, slot) {
  const next = copied(board);
  if (onBoard(next[side]) >= CHECKERS) {
    return [board, `All ${CHECKERS} checkers of this side are on the board.`];
  }
  if (slot !== BAR) next[other(side)][BAR - slot] = 0;
  next[side][slot] += 1;
  return [settled(next), ""];
}

// Returns the board with one checker less where there is one, of whichever side.
export function removed(board, side, slot) {
  const next = copied(board);
  const owner = next[side][slot] > 0 || slot === BAR ? side : other(side);
  const place = owner === side ? slot : BAR - slot;
  if (next[owner][place] > 0) next[owner][place] -= 1;
  return settled(next);
}

export function cleared(board) {
  return settled({ ...copied(board), bottom: Array(26).fill(0), top: Array(26).fill(0) });
}

// Returns the board as the player on the other side of the table sees it.
export function turned(board) {
  const next = copied(board);
  [next.bottom, next.top] = [next.top, next.bottom];
  next.scores.reverse();
  next.turn = other(board.turn);
  if (board.cube.owner !== null) next.cube.owner = other(board.cube.owner);
  return settled(next);
}

const onBoard = (slots) => slots.slice(1).reduce((sum, count) => sum + count, 0);

const pips = (slots) => slots.reduce((sum, count, slot) => sum + count * slot, 0);

// Who is off is all that is left; a pip count follows from the rest.
function settled(board) {
  for (const side of SIDES) board[side][0] = CHECKERS - onBoard(board[side]);
  board.pips = SIDES.map((side) => pips(board[side]));
  return board;
}

export function toXgid(board) {
  const sign = { bottom: 1, top: -1 };
  const flag = board.match_length ? Number(board.is_crawford)
    : Number(board.has_jacoby) + 2 * Number(board.has_beavers);
  const fields = [
    places(board),
    Math.log2(board.cube.value),
    board.cube.owner === null ? 0 : sign[board.cube.owner],
    sign[board.turn],
    board.is_double_offered ? "D" : (board.dice ?? [0, 0]).join(""),
    ...board.scores,
    flag,
    board.match_length,
    board.cube.log2_max,
  ];
  return `XGID=${fields.join(":")}`;
}

function places(board) {
  const found = Array(26).fill("-");
  for (let slot = 1; slot <= BAR; slot += 1) {
    if (board.bottom[slot]) found[slot] = letter("A", board.bottom[slot]);
    if (board.top[slot]) found[BAR - slot] = letter("a", board.top[slot]);
  }
  return found.join("");
}

const letter = (first, count) => String.fromCharCode(first.charCodeAt(0) + count - 1);

// What a move's words mean: [[from, to, ...], ...] in slots of the mover, one for each checker.
export function chainsOf(move) {
  const chains = [];
  for (const word of move.split(" ")) {
    const match = /^([\w*/]+?)(?:\((\d)\))?$/.exec(word);
    if (!match || !match[1].includes("/")) continue;
    const slots = match[1].split("/").map((text) => slotNamed(text.replace("*", "")));
    for (let times = Number(match[2] ?? 1); times > 0; times -= 1) chains.push(slots);
  }
  return chains;
}

const slotNamed = (text) => ({ bar: BAR, off: 0 })[text] ?? Number(text);
