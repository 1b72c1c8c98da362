// Curves: how the means have gone with their bands, and how results came in.
// Knows courses and flows, and draws them with uPlot; its legends are ours, for they are text.

import uPlot from "../vendor/uplot/uPlot.esm.js";
import { count, counted, elapsed } from "../words.js";
import { Numbers, ranked } from "./alternatives.js";
import { COLOURS, colour, colourName, fit, make, section, setText, swatch } from "./elements.js";

const HEIGHT = 320;
const SHOWN_MAX = 6; // more bands than that hide each other
const WIDE = 1.96; // standard errors: 95 % of a normal distribution
const SETTLED_PART = 0.15; // the first rounds' bands would make the rest flat

const DAY_S = 86_400;
const TIME_STEPS = [
  0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400,
  43_200, DAY_S, 2 * DAY_S, 7 * DAY_S, 28 * DAY_S, 364 * DAY_S,
]; // seconds between two labels

const dark = matchMedia("(prefers-color-scheme: dark)");

// A plot as wide as its room, drawn anew when the page turns dark.
class Plot {
  constructor(title, label) {
    this.frame = make("div", "plot");
    this.frame.role = "img";
    this.frame.setAttribute("aria-label", label);
    this.reading = make("p", "reading");
    this.legend = make("ul", "key");
    this.section = section(title, this.legend, this.frame, this.reading);
    this.plot = null;
    this.sizes = new ResizeObserver(() => this.fitRoom());
    this.sizes.observe(this.frame);
    this.onDark = () => this.plot?.redraw(false);
    dark.addEventListener("change", this.onDark);
  }

  draw(options, data) {
    this.plot?.destroy();
    this.plot = new uPlot({
      width: this.width,
      height: HEIGHT,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { show: false } },
      hooks: { setCursor: [(plot) => setText(this.reading, this.read(plot.cursor.idx))] },
      ...options,
    }, data, this.frame);
  }

  get width() {
    return Math.max(200, this.frame.clientWidth);
  }

  fitRoom() {
    if (this.plot !== null && this.plot.width !== this.width) {
      this.plot.setSize({ width: this.width, height: HEIGHT });
    }
  }

  close() {
    this.sizes.disconnect();
    dark.removeEventListener("change", this.onDark);
    this.plot?.destroy();
    this.plot = null;
  }
}

const axis = (label, more = {}) => ({
  label,
  stroke: () => colour("--quiet"),
  grid: { stroke: () => colour("--line"), width: 1 },
  ticks: { stroke: () => colour("--line"), width: 1 },
  font: "13px system-ui, sans-serif",
  labelFont: "13px system-ui, sans-serif",
  ...more,
});

// The room that the longest label of a vertical axis takes.
const tickRoom = (_, texts) =>
  26 + 7.5 * Math.max(3, ...(texts ?? []).map((text) => text.length));

// As many digits as the step between two labels has.
function tickText(tick, step) {
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return tick.toLocaleString("en", { minimumFractionDigits: digits });
}

const faint = (name, part) => `color-mix(in srgb, ${colour(name)} ${part}%, transparent)`;

export class Convergence extends Plot {
  constructor() {
    super("Convergence", "Means of the alternatives by number of trials; the table has the last ones.");
    this.shown = null; // indices of the alternatives that are drawn, from the first course on
    this.course = null;
    this.setReading();
  }

  show(course) {
    this.course = course;
    this.section.hidden = course.rounds.length < 2;
    if (this.section.hidden) return;
    const order = ranked(course.alternatives);
    if (this.shown === null) {
      this.shown = new Set(order.slice(0, SHOWN_MAX).map((each) => each.index));
    }
    this.showLegend(course.alternatives);
    const key = [...this.shown].join(" ");
    if (this.plot === null || this.drawn !== key) {
      this.drawn = key;
      this.draw(this.options(), this.data());
    } else {
      this.plot.setData(this.data());
    }
    this.setReading();
  }

  // A button for each alternative, which shows its curve or hides it; none ever changes its place.
  showLegend(alternatives) {
    fit(this.legend, alternatives.length, () => this.legendItem()).forEach((item, index) => {
      const { name } = alternatives[index];
      const button = item.firstElementChild;
      button.dataset.index = index;
      button.firstElementChild.className = `swatch series-${index % COLOURS}`;
      setText(button.lastElementChild, name);
      button.setAttribute("aria-pressed", String(this.shown.has(index)));
    });
  }

  legendItem() {
    const item = make("li");
    const button = make("button", "choice");
    button.type = "button";
    button.append(swatch(0), make("span"));
    button.addEventListener("click", () => {
      const index = Number(button.dataset.index);
      if (!this.shown.delete(index)) this.shown.add(index);
      this.show(this.course);
    });
    item.append(button);
    return item;
  }

  data() {
    const { rounds, alternatives } = this.course;
    const columns = [rounds];
    for (const index of this.shown) {
      const { means, std_errors: errors } = alternatives[index];
      const beyond = (factor) =>
        means.map((mean, at) => (errors[at] === null ? null : mean + factor * errors[at]));
      columns.push(means, beyond(1), beyond(-1), beyond(WIDE), beyond(-WIDE));
    }
    return columns;
  }

  options() {
    const series = [{}];
    const bands = [];
    for (const index of this.shown) {
      const name = colourName(index);
      const at = series.length;
      series.push({ stroke: () => colour(name), width: 2, points: { show: false } });
      for (let edge = 0; edge < 4; edge++) series.push({ width: 0, points: { show: false } });
      bands.push({ series: [at + 3, at + 4], fill: () => faint(name, 12) });
      bands.push({ series: [at + 1, at + 2], fill: () => faint(name, 22) });
    }
    return {
      series,
      bands,
      scales: { x: { time: false }, y: { range: () => this.span() } },
      axes: [
        axis("trials of each alternative", { values: (_, ticks) => ticks.map(count) }),
        axis(this.course.value.replaceAll("_", " "), { size: tickRoom,
          values: (_, ticks, place, space, step) => ticks.map((tick) => tickText(tick, step)) }),
      ],
    };
  }

  // What the curves and bands reach once they have settled a little.
  span() {
    const { rounds, alternatives } = this.course;
    const from = rounds.at(-1) * SETTLED_PART;
    let [low, high] = [Infinity, -Infinity];
    for (const index of this.shown) {
      const { means, std_errors: errors } = alternatives[index];
      means.forEach((mean, at) => {
        if (mean === null) return;
        const isLast = at + 1 === means.length || means[at + 1] === null;
        if (rounds[at] < from && !isLast) return;
        const reach = WIDE * (errors[at] ?? 0);
        low = Math.min(low, mean - reach);
        high = Math.max(high, mean + reach);
      });
    }
    if (low > high) return [-1, 1];
    const room = Math.max(0.0005, 0.06 * (high - low));
    return [low - room, high + room];
  }

  setReading() {
    setText(this.reading, this.read(this.plot?.cursor.idx ?? null));
  }

  read(at) {
    if (at === null || at === undefined || this.course === null) {
      return "Bands: one standard error, and 1.96. Point at the curves to read them.";
    }
    const { rounds, alternatives } = this.course;
    const numbers = new Numbers(this.course);
    const said = [...this.shown].map((index) => alternatives[index])
      .filter((each) => each.means[at] !== null && each.means[at] !== undefined)
      .map((each) => `${each.name} ${numbers.signed(each.means[at])}`);
    return `After ${count(rounds[at])} trials: ${said.join(", ")}`;
  }
}

export class Staircase extends Plot {
  constructor() {
    super("Results received and counted",
      "Trials over time: received from analysers, and counted in the order of their numbers.");
    this.flow = null;
    for (const [kind, text] of [["received", "received"], ["folded", "counted, in order"]]) {
      const item = make("li");
      item.append(make("span", `swatch ${kind}`), make("span", "", text));
      this.legend.append(item);
    }
  }

  show(flow) {
    this.flow = flow;
    this.section.hidden = flow.seconds.length < 2;
    if (this.section.hidden) return;
    const data = [flow.seconds, flow.received, flow.folded];
    if (this.plot === null) this.draw(this.options(), data);
    else this.plot.setData(data);
    setText(this.reading, this.read(this.plot.cursor.idx));
  }

  options() {
    const paths = uPlot.paths.stepped({ align: 1 });
    const line = (name) => ({ paths, stroke: () => colour(name), width: 2, points: { show: false } });
    return {
      series: [
        {},
        line("--received"),
        { ...line("--folded"), fill: () => faint("--folded", 18) },
      ],
      scales: { x: { time: false }, y: { range: (_, low, high) => [0, 1.05 * (high || 1)] } },
      axes: [
        axis("time since the job started or resumed", {
          incrs: TIME_STEPS, space: 70, values: (_, ticks) => ticks.map(elapsed),
        }),
        axis("trials of all alternatives", { size: tickRoom, values: (_, ticks) => ticks.map(count) }),
      ],
    };
  }

  read(at) {
    const { seconds, received, folded } = this.flow;
    const place = at ?? seconds.length - 1;
    if (seconds[place] === undefined) return "";
    const waiting = received[place] - folded[place];
    return `After ${elapsed(seconds[place])}: ${count(received[place])} received, ` +
      `${count(folded[place])} counted, ${counted(waiting, "waits", "wait")} for an earlier trial`;
  }
}
