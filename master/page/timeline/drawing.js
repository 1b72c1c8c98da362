// Draws lanes of spans.  Far out, where spans are narrower than pixels, each pixel column shows how
// busy a lane was and what ended worst in it; near, each span is a bar.
// Knows a canvas, a scale and a store; must not know how they change.

import { DONE, FAILED, LOST, REHANDED, RUNNING, SHOT, STOPPED } from "./store.js";
import { ticks } from "./scale.js";

export const AXIS = 24;
const LANE_MIN = 14, LANE_MAX = 44, ROW_LIKED = 12, ROW_MIN = 5;
const NAMES = 128, NAMES_NARROW = 72, NARROW = 500;
const TICK_PIXELS = 92;
const BARS_PER_COLUMN = 0.2; // more spans than this for each pixel are drawn by columns
const SHADES = 32;
const KINDS = ["trials", "question", "search"];
const MARKS = { [STOPPED]: "stopped", [REHANDED]: "rehanded", [SHOT]: "shot", [FAILED]: "failed",
  [LOST]: "lost" };

export class Drawing {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.strip = document.createElement("canvas");
    this.stripContext = this.strip.getContext("2d");
    this.busy = new Float32Array(0);
    this.worst = new Uint8Array(0);
    this.readColours();
  }

  readColours() {
    const style = getComputedStyle(this.canvas);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    this.colours = Object.fromEntries(["ground", "text", "quiet", "line", "accent", "track",
      ...KINDS, ...Object.values(MARKS)].map((name) => [name, colour(name)]));
    this.shades = KINDS.map((kind) => shades(this.colours.track, this.colours[kind]));
    this.markBytes = Array.from({ length: 7 }, (_, ending) =>
      (MARKS[ending] ? bytes(this.colours[MARKS[ending]]) : 0));
    this.font = `12px ${style.fontFamily}`;
  }

  // Be of a size in CSS pixels.
  resize(width, height, ratio) {
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
  }

  get left() {
    return this.width < NARROW ? NAMES_NARROW : NAMES;
  }

  // How high a lane is, of so many, for them to fit if they can.
  laneHeight(lanes, height) {
    const rows = Math.max(1, ...lanes.map((lane) => lane.height));
    const liked = Math.max(LANE_MAX, Math.min(rows, 24) * ROW_LIKED);
    const fits = Math.floor((height - AXIS) / Math.max(1, lanes.length));
    return Math.max(LANE_MIN, Math.min(liked, fits));
  }

  // lanes: in their order; top: so far they are scrolled; chosen: {lane, time} of the keyboard.
  draw(store, scale, lanes, laneHeight, top, chosen) {
    const { context } = this;
    Object.assign(scale, { left: this.left, width: Math.max(1, this.width - this.left - 1) });
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = this.colours.ground;
    context.fillRect(0, 0, this.width, this.height);
    const axis = ticks(scale, store, TICK_PIXELS);
    this.drawGrid(scale, axis);
    const first = Math.max(0, Math.floor(top / laneHeight));
    const last = Math.min(lanes.length, Math.ceil((top + this.height - AXIS) / laneHeight));
    this.strips = [];
    for (let i = first; i < last; i++) {
      this.drawLane(store, scale, lanes[i], AXIS + i * laneHeight - top, laneHeight);
    }
    this.putStrips(scale);
    this.drawNames(lanes, first, last, laneHeight, top, chosen);
    if (chosen !== null) this.drawChosen(scale, chosen, lanes, laneHeight, top);
    this.drawAxis(scale, axis, store);
  }

  drawGrid(scale, axis) {
    const { context } = this;
    context.fillStyle = this.colours.line;
    for (const [time] of axis) {
      const x = Math.round(scale.x(time));
      if (x >= scale.left) context.fillRect(x, AXIS - 4, 1, this.height);
    }
  }

  drawAxis(scale, axis, store) {
    const { context } = this;
    context.fillStyle = this.colours.ground;
    context.fillRect(0, 0, this.width, AXIS);
    context.fillStyle = this.colours.line;
    context.fillRect(0, AXIS - 1, this.width, 1);
    context.fillStyle = this.colours.quiet;
    context.font = this.font;
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.fillText(store.unit === "nodes" ? "nodes" : store.began === null ? "since the start" : "time",
      2, AXIS / 2, scale.left - 6);
    context.textAlign = "center";
    for (const [time, label] of axis) {
      const x = scale.x(time);
      if (x > scale.left + 24 && x < this.width - 24) context.fillText(label, x, AXIS / 2);
    }
  }

  drawNames(lanes, first, last, laneHeight, top, chosen) {
    const { context } = this;
    context.fillStyle = this.colours.ground;
    context.fillRect(0, AXIS, this.left, this.height);
    context.font = this.font;
    context.textAlign = "left";
    context.textBaseline = "middle";
    for (let i = first; i < last; i++) {
      const isChosen = chosen !== null && chosen.lane === lanes[i].number;
      context.fillStyle = isChosen ? this.colours.accent : this.colours.text;
      const y = AXIS + i * laneHeight - top + laneHeight / 2;
      context.fillText(fitted(context, lanes[i].name, this.left - 10), 2, y);
    }
  }

  drawChosen(scale, chosen, lanes, laneHeight, top) {
    const at = lanes.findIndex((lane) => lane.number === chosen.lane);
    if (at < 0) return;
    const { context } = this;
    const y = AXIS + at * laneHeight - top;
    context.strokeStyle = this.colours.accent;
    context.lineWidth = 1.5;
    context.strokeRect(scale.left, y + 0.5, scale.width, laneHeight - 1);
    const x = scale.x(chosen.time);
    if (x >= scale.left) {
      context.fillStyle = this.colours.accent;
      context.fillRect(x - 0.75, AXIS, 1.5, this.height);
    }
  }

  drawLane(store, scale, lane, y, laneHeight) {
    const { context } = this;
    const height = laneHeight - 2;
    context.fillStyle = this.colours.track;
    for (const [begin, end] of lane.stays) {
      const from = Math.max(scale.left, scale.x(begin));
      const to = Math.min(this.width, scale.x(end < 0 ? store.now : end));
      if (to > from) context.fillRect(from, y + 1, Math.max(1, to - from), height);
    }
    const rows = lane.height;
    const rowHeight = height / rows;
    if (rowHeight < ROW_MIN && rows > 1) {
      this.addColumns(store, scale, lane, lane.rows, lane.open, y + 1, height);
      return;
    }
    lane.rows.forEach((row, at) => {
      const open = lane.open.filter((span) => span.row === at);
      const begin = row.after(scale.from);
      const end = firstFrom(row, scale.to);
      const top = y + 1 + at * rowHeight;
      if (end - begin > BARS_PER_COLUMN * scale.width) {
        this.addColumns(store, scale, lane, [row], open, top, rowHeight);
      } else {
        this.drawBars(store, scale, row, begin, end, open, top, rowHeight);
      }
    });
  }

  // Near: each span is a bar.
  drawBars(store, scale, row, begin, end, open, y, height) {
    const gap = height > 8 ? 1 : 0;
    for (let i = begin; i < end; i++) {
      this.drawBar(scale, row.begins[i], row.ends[i], row.codes[i], y, height - gap,
        () => store.span(row.numbers[i]));
    }
    for (const span of open) {
      const code = span.kind + 4 * RUNNING + (span.attempt > 1 ? 32 : 0);
      this.drawBar(scale, span.begin, store.now, code, y, height - gap, () => span);
    }
  }

  drawBar(scale, begin, end, code, y, height, spanOf) {
    const { context, colours } = this;
    const from = Math.max(scale.left, scale.x(begin));
    const to = Math.min(this.width + 8, scale.x(end));
    if (to < scale.left || from > this.width) return;
    const width = Math.max(0.75, to - from - (to - from > 3 ? 1 : 0));
    const ending = (code >> 2) & 7;
    context.fillStyle = colours[KINDS[code & 3]];
    context.fillRect(from, y, width, height);
    if (code & 32) { // handed out again
      context.fillStyle = colours.rehanded;
      context.fillRect(from, y, width, Math.max(1.5, height / 6));
    }
    if (width < 3) {
      if (MARKS[ending]) this.drawMark(ending, from + width, y, height, width);
      return;
    }
    const span = width > 8 ? spanOf() : null;
    let clear = width;
    if (span !== null && span.stop >= 0 && ending !== DONE) {
      const stop = Math.max(from, scale.x(span.stop));
      clear = Math.max(0, Math.min(width, stop - from));
      context.fillStyle = colours.ground;
      for (let x = stop; x < from + width; x += 4) context.fillRect(x, y, 1, height);
    }
    if (MARKS[ending]) this.drawMark(ending, from + width, y, height, width);
    if (ending === RUNNING) {
      context.fillStyle = colours.ground;
      context.fillRect(from + width - 1, y, 1, height);
    }
    if (clear > 30 && height >= 11) this.drawPart(span, from, y, clear, height);
  }

  drawPart(span, x, y, width, height) {
    const { context, colours } = this;
    const text = `${partNumber(span)}${span.attempt > 1 ? `/${span.attempt}` : ""}`;
    context.font = this.font;
    context.textAlign = "left";
    context.textBaseline = "middle";
    const mark = MARKS[span.ending] ? 14 : 6; // at the end
    if (context.measureText(text).width > width - mark) return;
    context.fillStyle = colours.ground;
    context.fillText(text, x + 4, y + height / 2 + 0.5);
  }

  // How a span ended, but for those that are done; a shape each, for colours are not seen by all.
  drawMark(ending, x, y, height, room) {
    const { context, colours } = this;
    const width = Math.min(3, Math.max(1.5, room / 2));
    context.fillStyle = colours[MARKS[ending]];
    context.fillRect(x - width, y, width, height);
    if (room < 16 || height < 9) return;
    const r = Math.min(4, height / 3), cx = x - width - r - 2, cy = y + height / 2;
    context.fillStyle = colours.ground;
    context.fillRect(cx - r - 2, cy - r - 2, 2 * r + 4, 2 * r + 4);
    context.fillStyle = colours[MARKS[ending]];
    context.beginPath();
    if (ending === SHOT) { // points down
      context.moveTo(cx - r, cy - r);
      context.lineTo(cx + r, cy - r);
      context.lineTo(cx, cy + r);
      context.fill();
    } else if (ending === LOST || ending === FAILED) { // a cross, or an upright one
      const d = ending === LOST ? r : 0;
      context.moveTo(cx - r, cy - d);
      context.lineTo(cx + r, cy + d);
      context.moveTo(cx - d, cy + r);
      context.lineTo(cx + d, cy - r);
      context.strokeStyle = colours[MARKS[ending]];
      context.lineWidth = 2;
      context.stroke();
    } else if (ending === STOPPED) {
      context.fillRect(cx - r, cy - r, 2 * r, 2 * r);
    } else { // given to somebody else
      context.moveTo(cx - r, cy - r);
      context.lineTo(cx + r, cy);
      context.lineTo(cx - r, cy + r);
      context.fill();
    }
  }

  // Far out: a strip of one pixel's height, which is stretched later.
  addColumns(store, scale, lane, rows, open, y, height) {
    const columns = Math.ceil(scale.width);
    if (this.busy.length !== 3 * columns) {
      this.busy = new Float32Array(3 * columns);
      this.worst = new Uint8Array(columns);
    }
    this.busy.fill(0);
    this.worst.fill(0);
    const perTick = 1 / scale.perPixel;
    for (const row of rows) {
      const { begins, ends, codes } = row;
      for (let i = row.after(scale.from); i < row.end && begins[i] < scale.to; i++) {
        this.addSpan((begins[i] - scale.from) * perTick, (ends[i] - scale.from) * perTick, codes[i],
          columns);
      }
    }
    for (const span of open) {
      this.addSpan((span.begin - scale.from) * perTick, (store.now - scale.from) * perTick,
        span.kind, columns);
    }
    const workers = rows.length === 1 ? 1 : Math.min(rows.length, lane.workers);
    this.shade(columns, Math.max(1, workers), 2 * columns * this.strips.length);
    this.strips.push({ y, height });
  }

  addSpan(from, to, code, columns) {
    const { busy, worst } = this;
    const base = (code & 3) * columns;
    const begin = from > 0 ? from : 0, end = to < columns ? to : columns;
    let column = begin | 0;
    if (end < column + 1) {
      busy[base + column] += end - begin;
    } else {
      busy[base + column] += column + 1 - begin;
      const last = end | 0;
      for (column++; column < last; column++) busy[base + column] += 1;
      if (last < columns) busy[base + last] += end - last;
    }
    const ending = (code >> 2) & 7;
    if (ending > DONE && to < columns) {
      const at = to | 0;
      if (ending > worst[at]) worst[at] = ending;
    }
  }

  // Write a strip's two lines into the image: how busy it is, and what ended worst.
  shade(columns, workers, at) {
    this.makeImage(columns, this.strips.length + 1);
    const { busy, worst, shades: [trials, questions, searches], markBytes } = this;
    const pixels = this.pixels.subarray(at, at + 2 * columns);
    pixels.fill(0);
    for (let i = 0; i < columns; i++) {
      const a = busy[i], b = busy[columns + i], c = busy[2 * columns + i];
      const total = a + b + c;
      if (worst[i]) pixels[columns + i] = markBytes[worst[i]];
      if (total <= 0) continue;
      const shade = Math.min(SHADES - 1, 1 + ((SHADES - 2) * total / workers | 0));
      pixels[i] = (a >= b && a >= c ? trials : b >= c ? questions : searches)[shade];
    }
  }

  // Have room for so many strips in the image, which is kept from frame to frame.
  makeImage(columns, strips) {
    if (this.image?.width === columns && this.image.height >= 2 * strips) return;
    const old = this.image?.width === columns ? this.pixels : null;
    this.image = new ImageData(columns, 2 * Math.max(2 * strips, 64));
    this.pixels = new Uint32Array(this.image.data.buffer);
    if (old !== null) this.pixels.set(old);
    this.strip.width = columns;
    this.strip.height = this.image.height;
  }

  putStrips(scale) {
    const count = this.strips.length;
    if (count === 0) return;
    const columns = Math.ceil(scale.width);
    this.stripContext.putImageData(this.image, 0, 0, 0, 0, columns, 2 * count);
    const { context } = this;
    context.imageSmoothingEnabled = false;
    this.strips.forEach(({ y, height }, at) => {
      context.drawImage(this.strip, 0, 2 * at, columns, 1, scale.left, y, columns, height);
      const mark = Math.max(2, height / 4);
      context.drawImage(this.strip, 0, 2 * at + 1, columns, 1, scale.left, y + height - mark,
        columns, mark);
    });
  }
}

// A search's parts are numbered on the wire from where its stretch begins.
export const partNumber = (span) => (span.kind === 2 ? span.part % 2 ** 32 : span.part);

function firstFrom(row, time) {
  let low = row.first, high = row.end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (row.begins[middle] >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}

function fitted(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  const end = text.slice(-4); // names of a fleet differ at their end
  let length = text.length - 4;
  const cut = () => `${text.slice(0, Math.max(0, length))}…${end}`;
  while (length > 1 && context.measureText(cut()).width > width) length--;
  return cut();
}

const numbers = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

// A colour, #rrggbb, as it lies in an image's bytes.
function bytes(colour) {
  const [r, g, b] = numbers(colour);
  return pixel(r, g, b);
}

const isLittle = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

const pixel = (r, g, b) =>
  (isLittle ? (255 << 24) | (b << 16) | (g << 8) | r : (r << 24) | (g << 16) | (b << 8) | 255) >>> 0;

// From nearly idle to busy; what is hardly busy is seen, too.
function shades(idle, busy) {
  const from = numbers(idle), to = numbers(busy);
  return Uint32Array.from({ length: SHADES }, (_, at) => {
    const share = 0.2 + 0.8 * (at / (SHADES - 1));
    return pixel(...from.map((each, i) => Math.round(each + (to[i] - each) * share)));
  });
}
