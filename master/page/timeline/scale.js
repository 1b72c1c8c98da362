// Which time is seen where: a window of ticks over pixels, that zooms and pans; and its axis.
// Knows numbers; must not know what is drawn.

const SPAN_TICKS_MIN = 20;

export class Scale {
  constructor() {
    this.from = 0;
    this.to = 1;
    this.left = 0;
    this.width = 1;
  }

  get perPixel() {
    return (this.to - this.from) / this.width;
  }

  x(time) {
    return this.left + (time - this.from) / this.perPixel;
  }

  time(x) {
    return this.from + (x - this.left) * this.perPixel;
  }

  see(from, to) {
    this.from = from;
    this.to = Math.max(to, from + SPAN_TICKS_MIN);
  }

  // Zoom by a factor (more than 1: nearer) around a time, no further out than [first, last].
  zoom(factor, time, first, last) {
    const length = Math.min(Math.max((this.to - this.from) / factor, SPAN_TICKS_MIN), last - first);
    const share = (time - this.from) / (this.to - this.from);
    this.see(time - share * length, time + (1 - share) * length);
    this.keepWithin(first, last);
  }

  pan(ticks, first, last) {
    this.see(this.from + ticks, this.to + ticks);
    this.keepWithin(first, last);
  }

  keepWithin(first, last) {
    const length = this.to - this.from;
    const from = Math.max(first, Math.min(this.from, last - length));
    this.see(from, from + length);
  }
}

const STEPS = [1, 2, 5];
const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400];

// The distance of an axis's ticks, in seconds or nodes.
function step(least, isSeconds) {
  if (isSeconds && least > 1) return SECONDS.find((each) => each >= least) ?? 86400;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([...STEPS, 10].find((each) => each * power >= least) ?? 10);
}

// Ticks of the axis: [time, label].
export function ticks(scale, store, pixels) {
  const isSeconds = store.unit === "s";
  const offset = isSeconds && store.began !== null ? localSeconds(store.began) : 0;
  const unit = store.ticks;
  const distance = step(pixels * scale.perPixel / unit, isSeconds);
  const found = [];
  const first = Math.ceil((scale.from / unit + offset) / distance);
  for (let i = first; found.length < 64; i++) {
    const time = (i * distance - offset) * unit;
    if (time > scale.to) break;
    found.push([time, label(i * distance, distance, store)]);
  }
  return found;
}

// Seconds of a moment since the last local midnight.
function localSeconds(ms) {
  const day = new Date(ms);
  return (ms - new Date(day.getFullYear(), day.getMonth(), day.getDate())) / 1000;
}

function label(value, distance, store) {
  if (store.unit !== "s") return short(value);
  const places = distance >= 1 ? 0 : Math.min(6, Math.ceil(-Math.log10(distance) - 1e-9));
  return store.began === null ? elapsed(value, places) : clock(value, distance < 60, places);
}

const thousands = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 6 });

const short = (value) => thousands.format(value);

function clock(seconds, hasSeconds, places) {
  const whole = Math.floor(seconds + 1e-9);
  const text = [Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60]
    .slice(0, hasSeconds ? 3 : 2).map((each) => String(each).padStart(2, "0")).join(":");
  return places ? text + (seconds - whole).toFixed(places).slice(1) : text;
}

function elapsed(seconds, places) {
  if (seconds < 60) return `${seconds.toFixed(places)} s`;
  const hours = Math.floor(seconds / 3600);
  const rest = clock(seconds, true, places);
  return hours ? `${hours}${rest.slice(2)}` : rest.slice(3);
}

// A moment, as people say it.
export function moment(time, store) {
  if (store.unit !== "s") return `${short(time)} nodes`;
  const seconds = time / store.ticks;
  return store.began === null ? elapsed(seconds, 3)
    : clock(localSeconds(store.began + 1000 * seconds), true, 3);
}

// How long something is, as people say it; of nodes also how long they take.
export function length(ticksLong, store) {
  if (store.unit === "s") return time(ticksLong / store.ticks);
  const nodes = `${short(ticksLong)} nodes`;
  return store.nodeNs ? `${nodes}, ${time(ticksLong * store.nodeNs * 1e-9)}` : nodes;
}

function time(seconds) {
  if (seconds < 1e-3) return `${(seconds * 1e6).toFixed(0)} µs`;
  if (seconds < 1) return `${(seconds * 1e3).toPrecision(3)} ms`;
  if (seconds < 120) return `${seconds.toPrecision(3)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
