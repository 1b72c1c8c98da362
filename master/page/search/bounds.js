// Bounds of a value as a bar that closes: from the least to the most that it can be.
// Knows numbers on one scale for the whole tree; must not know what they count.

const SVG = "http://www.w3.org/2000/svg";
const EDGE = 0.08; // of the scale's width stays free at both ends, for what is open there
const WIDTH = 200;
const HEIGHT = 16;

// Returns {low, high}: where most of a tree's values lie; some far-off ones are beyond it.
export function scaleOf(nodes) {
  const values = nodes.flatMap((node) => [node.lower, node.upper, ...(node.window ?? [])])
    .filter((value) => value !== null).sort((a, b) => a - b);
  if (values.length === 0) return { low: -1, high: 1 };
  const cut = Math.floor(values.length / 20);
  const low = values[cut];
  const high = values[values.length - 1 - cut];
  const room = Math.max(1, (high - low) * EDGE);
  return { low: low - room, high: high + room };
}

export class Bounds {
  constructor() {
    this.element = shape("svg", { class: "bounds", viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none", "aria-hidden": "true" });
    this.track = shape("rect", { class: "scale", x: 0, y: 7, width: WIDTH, height: 2 });
    this.known = shape("rect", { class: "known", y: 3, height: 10, rx: 1 });
    this.window = shape("rect", { class: "window", y: 0.5, height: HEIGHT - 1 });
    this.element.append(this.track, this.known, this.window);
  }

  show(node, scale) {
    const isUnknown = node.lower === null && node.upper === null;
    this.known.classList.toggle("is-open", isUnknown);
    place(this.known, node.lower, node.upper, scale, 3);
    place(this.window, ...(node.window ?? [0, 0]), scale, 2);
    this.window.classList.toggle("is-none", node.window === null);
  }
}

// Put a bar between two values; none is the end of the scale.
function place(bar, from, to, scale, least) {
  const at = (value) => WIDTH * (value - scale.low) / (scale.high - scale.low);
  const clip = (x) => Math.min(WIDTH, Math.max(0, x));
  const left = from === null ? 0 : clip(at(from));
  const right = to === null ? WIDTH : clip(at(to));
  const width = Math.max(least, right - left);
  write(bar, "x", Math.min(left, WIDTH - width).toFixed(1));
  write(bar, "width", width.toFixed(1));
}

function shape(name, fields) {
  const made = document.createElementNS(SVG, name);
  for (const [field, value] of Object.entries(fields)) made.setAttribute(field, value);
  return made;
}

function write(bar, field, value) {
  if (bar.getAttribute(field) !== value) bar.setAttribute(field, value);
}
