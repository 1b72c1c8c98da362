// A board of points, drawn.  Knows places and shapes; what is done with a point is the caller's.

import { makeSvg } from "../elements.js";
import { chainsOf, slotOf } from "./points.js";

const POINT = 40;
const CHECKER = 38;
const STACK = 5;
const LEFT = 10;
const BAR = 44;
const TRAY = 52;
const TOP = 40;
const HEIGHT = 444;
const BOTTOM = TOP + HEIGHT;
const BAR_LEFT = LEFT + 6 * POINT;
const RIGHT = BAR_LEFT + BAR + 6 * POINT;
const MIDDLE = TOP + HEIGHT / 2;
const WIDTH = RIGHT + TRAY + 56;
const ROW = 36;

const isUpper = (point) => point > 12;

// The middle of a point, as the side at the bottom counts.
function xOf(point) {
  const place = point <= 12 ? 12 - point : point - 13;
  return LEFT + POINT * place + POINT / 2 + (place >= 6 ? BAR : 0);
}

function spotOf(side, slot, index) {
  const step = CHECKER * Math.min(index, STACK - 1) + CHECKER / 2;
  if (slot === 0) {
    const y = side === "bottom" ? BOTTOM - 8 - 12 * index : TOP + 8 + 12 * index;
    return [RIGHT + TRAY / 2 + 4, y];
  }
  if (slot === 25) {
    const y = side === "bottom" ? MIDDLE - 12 - step : MIDDLE + 12 + step;
    return [BAR_LEFT + BAR / 2, y];
  }
  const point = slotOf(side, slot);
  return [xOf(point), isUpper(point) ? TOP + 14 + step : BOTTOM - 14 - step];
}

// board: see points.js; hit(side, slot): makes what is clicked of a place; move: to be shown, or "".
export function drawn(board, words, hit, move = "") {
  const sides = ["bottom", "top"];
  return makeSvg("svg", {
    viewBox: `0 0 ${WIDTH} ${BOTTOM + ROW}`, class: "points-board", role: "group",
    "aria-label": words,
  },
  makeSvg("rect", { class: "frame", x: 0, y: TOP - 8, width: RIGHT + TRAY + 14, height: HEIGHT + 16, rx: 8 }),
  makeSvg("rect", { class: "ground", x: LEFT, y: TOP, width: RIGHT - LEFT, height: HEIGHT }),
  makeSvg("rect", { class: "frame", x: BAR_LEFT, y: TOP, width: BAR, height: HEIGHT }),
  makeSvg("rect", { class: "tray", x: RIGHT + 6, y: TOP, width: TRAY - 4, height: HEIGHT, rx: 4 }),
  ...triangles(board),
  ...sides.flatMap((side) => checkers(board, side)),
  ...sides.map((side) => row(board, side)),
  cube(board),
  ...dice(board),
  ...(move ? arrows(board, move) : []),
  ...hits(hit));
}

function triangles(board) {
  const found = [];
  for (let point = 1; point <= 24; point += 1) {
    const [x, base, tip] = isUpper(point)
      ? [xOf(point), TOP + 14, TOP + 200] : [xOf(point), BOTTOM - 14, BOTTOM - 200];
    const half = POINT / 2 - 1;
    const way = `M${x - half} ${base}H${x + half}L${x} ${tip}Z`;
    const number = board.turn === "bottom" ? point : 25 - point;
    found.push(makeSvg("path", { class: point % 2 ? "odd" : "even", d: way }),
      text("number", x, isUpper(point) ? TOP + 11 : BOTTOM - 4, String(number)));
  }
  return found;
}

const text = (kind, x, y, words) => makeSvg("text", { class: kind, x, y }, words);

function checkers(board, side) {
  const found = [];
  board[side].forEach((count, slot) => {
    if (slot === 0) {
      for (let index = 0; index < count; index += 1) {
        const [x, y] = spotOf(side, 0, index);
        found.push(makeSvg("rect", { class: `checker ${side}`, x: x - 20, y: y - 5, width: 40, height: 10, rx: 2 }));
      }
      return;
    }
    for (let index = 0; index < Math.min(count, STACK); index += 1) {
      const [cx, cy] = spotOf(side, slot, index);
      found.push(makeSvg("circle", { class: `checker ${side}`, cx, cy, r: CHECKER / 2 - 1 }));
    }
    if (count > STACK) {
      const [x, y] = spotOf(side, slot, STACK - 1);
      found.push(text(`count ${side}`, x, y + 6, String(count)));
    }
  });
  return found;
}

function row(board, side) {
  const at = side === "bottom" ? 0 : 1;
  const y = side === "bottom" ? BOTTOM + 28 : 20;
  const goal = board.match_length ? ` of ${board.match_length}` : "";
  const turn = board.turn !== side ? "" : board.is_double_offered ? " · doubles" : " · on roll";
  return makeSvg("g", {},
    makeSvg("circle", { class: `checker ${side}`, cx: LEFT + 9, cy: y - 5, r: 8 }),
    text("side", LEFT + 26, y, `${side === "bottom" ? "Bottom" : "Top"}${turn}`),
    text("side right", RIGHT, y, `${board.scores[at]}${goal} points · ${board.pips[at]} pips`));
}

function cube(board) {
  const x = RIGHT + TRAY + 34;
  if (board.is_crawford) {
    return makeSvg("text", { class: "crawford", x, y: MIDDLE, transform: `rotate(-90 ${x} ${MIDDLE})` }, "Crawford");
  }
  const places = { bottom: BOTTOM - 22, top: TOP + 22 };
  const y = board.is_double_offered ? MIDDLE : places[board.cube.owner] ?? MIDDLE;
  const value = board.cube.value * (board.is_double_offered ? 2 : 1);
  return makeSvg("g", { class: "cube" },
    makeSvg("rect", { x: x - 18, y: y - 18, width: 36, height: 36, rx: 6 }),
    text("value", x, y + 6, String(value)));
}

const PIPS = {
  1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

function dice(board) {
  if (board.dice === null) return [];
  const middle = board.turn === "bottom" ? (BAR_LEFT + BAR + RIGHT) / 2 : (LEFT + BAR_LEFT) / 2;
  return board.dice.map((die, index) => {
    const x = middle + (index ? 24 : -24);
    const dots = PIPS[die].map(([across, down]) =>
      makeSvg("circle", { cx: x + 10 * across, cy: MIDDLE + 10 * down, r: 3.6 }));
    return makeSvg("g", { class: `die ${board.turn}` },
      makeSvg("rect", { x: x - 18, y: MIDDLE - 18, width: 36, height: 36, rx: 6 }), ...dots);
  });
}

function arrows(board, move) {
  const counts = [...board[board.turn]];
  return chainsOf(move).map((slots) => {
    counts[slots[0]] -= 1;
    const spots = slots.map((slot) => spotOf(board.turn, slot, Math.max(counts[slot], 0)));
    counts[slots.at(-1)] += 1;
    const [x, y] = spots.at(-1);
    return makeSvg("g", { class: "arrow" },
      makeSvg("path", { d: spots.map(([a, b], at) => `${at ? "L" : "M"}${a} ${b}`).join("") }),
      makeSvg("circle", { cx: x, cy: y, r: 7 }));
  });
}

function hits(hit) {
  const found = [];
  const place = (side, slot, x, y, width, height) => {
    const made = hit(side, slot);
    if (made === null) return;
    for (const [key, value] of Object.entries({ x, y, width, height })) made.setAttribute(key, value);
    found.push(made);
  };
  for (let point = 1; point <= 24; point += 1) {
    const y = isUpper(point) ? TOP : MIDDLE + 4;
    place("bottom", point, xOf(point) - POINT / 2, y, POINT, HEIGHT / 2 - 4);
  }
  place("bottom", 25, BAR_LEFT, TOP, BAR, HEIGHT / 2 - 4);
  place("top", 25, BAR_LEFT, MIDDLE + 4, BAR, HEIGHT / 2 - 4);
  return found;
}
