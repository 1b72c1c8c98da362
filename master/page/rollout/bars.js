// Bars: how the games of each alternative end, and who has computed how many trials.
// Knows courses and flows.

import { count, counted } from "../words.js";
import { ranked } from "./alternatives.js";
import { fit, make, section, setText } from "./elements.js";

const SHARES_MAX = 6; // as many colours there are for each sort
const LABEL_MIN = 0.08; // narrower pieces have no room for their text

// Variance reduction gives shares of -0.00001.
const percent = (share) => `${(100 * share).toFixed(1).replace(/^-(?=[0.]+$)/, "")} %`;

export class Outcomes {
  constructor() {
    this.key = make("ul", "key");
    this.rows = make("ol", "outcomes");
    this.section = section("How the games end", this.key, this.rows);
  }

  show(course) {
    const order = ranked(course.alternatives).filter((each) => each.outcomes.length > 0);
    this.section.hidden = order.length === 0;
    if (order.length === 0) return;
    const named = order[0].outcomes;
    fit(this.key, named.length, keyItem).forEach((item, at) => {
      item.firstElementChild.className = `swatch ${kindOf(named, at)}`;
      setText(item.lastElementChild, named[at].name);
    });
    const rows = fit(this.rows, order.length, outcomeRow);
    rows.forEach((row, rank) => showOutcomes(row, order[rank]));
  }

  close() {}
}

function keyItem() {
  const item = make("li");
  item.append(make("span", "swatch"), make("span"));
  return item;
}

function outcomeRow() {
  const row = make("li");
  const bar = make("div", "bar");
  bar.role = "img";
  row.append(make("span", "name"), bar, make("span", "sums"));
  return row;
}

function showOutcomes(row, alternative) {
  const [name, bar, sums] = row.children;
  const outcomes = alternative.outcomes;
  setText(name, alternative.name);
  setText(sums, sumsOf(outcomes));
  bar.setAttribute("aria-label",
    outcomes.map((each) => `${each.name}: ${percent(each.share)}`).join(", "));
  const whole = outcomes.reduce((sum, each) => sum + Math.max(0, each.share), 0) || 1;
  fit(bar, outcomes.length, () => make("span")).forEach((piece, at) => {
    const { name: what, share } = outcomes[at];
    const part = Math.max(0, share) / whole;
    piece.className = `piece ${kindOf(outcomes, at)}`;
    piece.style.flexGrow = String(part);
    piece.title = `${what}: ${percent(share)}`;
    setText(piece, part >= LABEL_MIN ? percent(share) : "");
  });
}

// Wins and losses have colours of their own, from the largest to the least.
function kindOf(outcomes, at) {
  const side = outcomes[at].is_won;
  const ofSide = outcomes.filter((each) => each.is_won === side);
  const place = ofSide.indexOf(outcomes[at]);
  if (side === null) return `share-${place % SHARES_MAX}`;
  return side ? `won-${Math.min(2, place)}` : `lost-${Math.min(2, ofSide.length - 1 - place)}`;
}

function sumsOf(outcomes) {
  const won = outcomes.filter((each) => each.is_won === true);
  if (won.length === 0) return "";
  const sum = won.reduce((total, each) => total + each.share, 0);
  return `${percent(sum)} won, ${percent(1 - sum)} lost`;
}

export class Analysers {
  constructor() {
    this.rows = make("ol", "analysers");
    this.section = section("Trials by analyser", this.rows);
  }

  show(flow) {
    const rows = flow.analysers.map((each) => ({ name: each.name, trials: each.trials }));
    if (flow.stored > 0) rows.push({ name: "stored before", trials: flow.stored });
    const largest = Math.max(1, ...rows.map((each) => each.trials));
    this.section.hidden = rows.length === 0;
    fit(this.rows, rows.length, analyserRow).forEach((row, at) => {
      const [name, track, told] = row.children;
      setText(name, rows[at].name);
      track.firstElementChild.style.width = `${(100 * rows[at].trials) / largest}%`;
      setText(told, count(rows[at].trials));
      told.title = counted(rows[at].trials, "trial", "trials");
    });
  }

  close() {}
}

function analyserRow() {
  const row = make("li");
  const track = make("div", "track");
  track.setAttribute("aria-hidden", "true");
  track.append(make("div", "length"));
  row.append(make("span", "name"), track, make("span", "number"));
  return row;
}
