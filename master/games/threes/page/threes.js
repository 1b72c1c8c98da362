// A game of Threes! as its cards look, with what each move is worth and how the score grew.
// Everything is put in as text.  Knows frames; must not know where they come from.

const SIDE = 4;
const DIRECTIONS = ["up", "left", "right", "down"];
const ARROWS = { up: "↑", left: "←", right: "→", down: "↓" };
const POINTS_MAX = 240; // of the curve; a screen has no more columns for it
const WIDTH = 300;
const HEIGHT = 110;
const SVG = "http://www.w3.org/2000/svg";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export function open(place) {
  return new Board(place);
}

class Board {
  constructor(place) {
    place.classList.add("threes");
    this.cards = Array.from({ length: SIDE * SIDE }, () => make("div", "card"));
    this.grid = make("div", "cards");
    this.grid.role = "img";
    this.grid.append(...this.cards);
    this.next = make("p", "next");
    this.score = make("p", "score");
    this.moves = make("div", "values");
    this.bars = new Map(DIRECTIONS.map((name) => [name, new Bar(name)]));
    this.worth = make("p", "quiet");
    this.moves.append(this.worth, ...[...this.bars.values()].map((bar) => bar.row));
    this.curve = new Curve();
    const side = make("div", "side");
    side.append(this.next, this.score, this.moves, this.curve.element);
    place.append(this.grid, side);
  }

  show(frames, at) {
    const frame = frames[at];
    const highest = Math.max(...frame.cards);
    frame.cards.forEach((card, square) => {
      dress(this.cards[square], card, card === highest, frame.entered === square, at);
    });
    this.grid.ariaLabel = described(frame.cards);
    this.showNext(frame.next);
    put(this.score, `Score ${whole.format(frame.score)}`);
    const values = Object.values(frame.values);
    put(this.worth, values.length > 0 ? "Final score to be expected of each move" : "No move is possible");
    const most = Math.max(...values);
    const least = Math.min(...values);
    for (const [name, bar] of this.bars) {
      bar.show(frame.values[name] ?? null, least, most, frame.move === name);
    }
    this.curve.show(frames, at);
  }

  showNext(cards) {
    const key = cards.join(" or ");
    if (this.next.dataset.cards === key) return;
    this.next.dataset.cards = key;
    this.next.replaceChildren("Next ", ...cards.flatMap((card, index) => {
      const shown = make("span", "card small");
      dress(shown, card, false, false, 0);
      return index > 0 ? [" or ", shown] : [shown];
    }));
  }
}

function dress(place, card, isHighest, isNew, at) {
  put(place, card ? String(card) : "");
  const kind = card === 0 ? "empty" : card < 3 ? `card-${card}` : "card-3";
  const size = card >= 1000 ? "long" : "";
  const look = ["card", place.classList.contains("small") ? "small" : "", kind, size,
    isHighest && card > 3 ? "highest" : "", isNew ? `new-${at % 2}` : ""];
  const wanted = look.filter((each) => each).join(" ");
  if (place.className !== wanted) place.className = wanted;
}

function described(cards) {
  const rows = [];
  for (let row = 0; row < SIDE; row += 1) {
    rows.push(cards.slice(SIDE * row, SIDE * (row + 1)).map((card) => card || "empty").join(" "));
  }
  return `Cards, row by row: ${rows.join("; ")}`;
}

// One direction: what it is worth beside the others.
class Bar {
  constructor(name) {
    this.row = make("p", "value");
    this.name = make("span", "name", `${ARROWS[name]} ${name}`);
    const track = make("span", "worth-track");
    this.bar = make("span", "worth-bar");
    track.append(this.bar);
    this.text = make("span", "number");
    this.row.append(this.name, track, this.text);
  }

  show(value, least, most, isMade) {
    this.row.classList.toggle("is-made", isMade);
    this.row.classList.toggle("is-none", value === null);
    const share = value === null ? 0 : most > least ? (value - least) / (most - least) : 1;
    this.bar.style.width = value === null ? "0" : `${(20 + 80 * share).toFixed(1)}%`;
    const less = value === null || value === most ? "" : ` (${whole.format(value - most)})`;
    put(this.text, value === null ? "–" : whole.format(value) + less);
  }
}

// The score by moves so far.
class Curve {
  constructor() {
    this.element = make("figure", "curve");
    const drawing = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none",
      "aria-hidden": "true" });
    this.line = shape("polyline", { points: "" });
    drawing.append(this.line);
    this.caption = make("figcaption", "quiet");
    this.element.append(drawing, this.caption);
  }

  show(frames, at) {
    const step = Math.max(1, Math.ceil(at / POINTS_MAX));
    const places = [];
    for (let place = 0; place < at; place += step) places.push(place);
    places.push(at);
    const most = Math.max(1, frames[at].score);
    const x = (place) => (WIDTH * place) / Math.max(1, at);
    const y = (place) => HEIGHT - 2 - ((HEIGHT - 6) * frames[place].score) / most;
    const points = places.map((place) => `${x(place).toFixed(1)},${y(place).toFixed(1)}`);
    this.line.setAttribute("points", points.join(" "));
    put(this.caption, `Score over ${whole.format(at)} ${at === 1 ? "move" : "moves"}`);
  }
}

function make(name, className = "", text = "") {
  const made = document.createElement(name);
  made.className = className;
  if (text) made.textContent = text;
  return made;
}

function shape(name, fields) {
  const made = document.createElementNS(SVG, name);
  for (const [field, value] of Object.entries(fields)) made.setAttribute(field, value);
  return made;
}

function put(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
