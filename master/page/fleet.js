// The table of analysers, who came and went, and the details of one.

import { Table } from "./tables.js";
import { clock, compact, count, counted, milliseconds, moment, percent, rate } from "./words.js";

const NEWS_MAX = 5; // as many as one looks at; the newest stands first
const TOLD_ONE_BY_ONE_MAX = 3;

const MOODS = { ready: "is-good", suspect: "is-bad", unsuited: "is-bad", quarantined: "is-bad" };

export class Fleet {
  constructor() {
    this.table = new Table(document.getElementById("fleet"), [
      { label: "Name", kind: "text", fill: (cell, a) => this.fill(cell, a) },
      { label: "State", kind: "state", text: (a) => a.state },
      { label: "Workers", kind: "number", text: (a) => count(a.workers) },
      { label: "Games, power", kind: "text", text: gamesOf },
      { label: "In hand", kind: "text", text: inHand },
      { label: "Results", kind: "number", text: (a) => count(a.trials) },
      { label: "Rate", kind: "number", text: (a) => rate(a.trials_per_s) },
      { label: "Share", kind: "number", isOptional: true, text: (a) => percent(this.shareOf(a)) },
      { label: "Round trip", kind: "number", text: (a) => milliseconds(a.round_trip_s) },
      { label: "Incidents", kind: "number", isOptional: true, text: (a) => incidentsOf(a) },
      { label: "Address", kind: "text", text: (a) => a.address },
      { label: "Trouble", kind: "text", isOptional: true, text: (a) => a.text },
    ]);
    this.details = new Details((analyser) => this.shareOf(analyser));
    this.known = null;
    this.perS = 0;
  }

  // Of all results a second, those that are its own; null: there are none.
  shareOf(analyser) {
    return this.perS > 0 ? analyser.trials_per_s / this.perS : null;
  }

  show(analysers) {
    const perS = [...analysers.values()].reduce((sum, a) => sum + a.trials_per_s, 0);
    if (perS !== this.perS) this.table.forget(); // everybody's share is another
    this.perS = perS;
    const entries = [...analysers].sort(([, a], [, b]) => order(a, b));
    this.table.show(entries, (a) => MOODS[a.state] ?? "");
    document.getElementById("fleet-note").textContent =
      entries.length === 0 ? "No analyser is connected yet: jobs wait for one." : "";
    if (this.known !== null) tellNews(changes(this.known, analysers));
    this.known = new Map(analysers);
    this.details.refresh(analysers);
  }

  fill(cell, analyser) {
    let button = cell.firstElementChild;
    if (button === null) {
      button = document.createElement("button");
      button.type = "button";
      button.className = "link";
      button.addEventListener("click", () => this.details.open(analyser.key, this.known));
      cell.append(button);
    }
    if (button.textContent === analyser.name) return;
    button.textContent = analyser.name;
    button.ariaLabel = `${analyser.name}: details`;
  }
}

// The dialog with all that is known of one analyser; it changes while it is open.
class Details {
  // shareOf(analyser): its share of all results a second.
  constructor(shareOf) {
    this.shareOf = shareOf;
    this.dialog = document.getElementById("analyser");
    this.key = null;
    document.getElementById("analyser-close").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("close", () => { this.key = null; });
  }

  open(key, analysers) {
    this.key = key;
    this.refresh(analysers);
    this.dialog.showModal();
    document.getElementById("analyser-close").focus();
  }

  refresh(analysers) {
    if (this.key === null) return;
    const analyser = analysers.get(this.key);
    document.getElementById("analyser-gone").hidden = analyser !== undefined;
    if (analyser === undefined || analyser === this.shown) return;
    this.shown = analyser;
    document.getElementById("analyser-title").textContent = analyser.name;
    document.getElementById("analyser-facts").replaceChildren(...facts(analyser, this.shareOf(analyser)));
    const incidents = [...analyser.incidents].reverse().map(incidentLine);
    document.getElementById("analyser-incidents").replaceChildren(...incidents);
    document.getElementById("analyser-incidents-title").textContent = incidentsTitle(analyser);
  }
}

function facts(analyser, share) {
  const known = [
    ["State", analyser.state],
    ["Trouble", analyser.text],
    ["Address", analyser.address],
    ["Workers", count(analyser.workers)],
    ...playedPowers(analyser).map(([game, power]) =>
      [`Power, ${game}`, `${compact(power)} units a second, as announced`]),
    ["In hand", inHand(analyser)],
    ["Results", count(analyser.trials)],
    ["Rate", rate(analyser.trials_per_s)],
    ["Share", percent(share)],
    ["Round trip", milliseconds(analyser.round_trip_s)],
  ];
  return known.filter(([, text]) => text !== "").flatMap(([label, text]) =>
    [element("dt", label), element("dd", text)]);
}

function incidentLine(incident) {
  const line = element("li", "");
  const at = element("time", moment(new Date(incident.at)));
  at.dateTime = incident.at;
  line.append(at, ` ${incident.kind}: ${incident.text}`);
  return line;
}

function incidentsTitle(analyser) {
  const kinds = analyser.incident_counts;
  if (kinds.length === 0) return "No incidents";
  return `Incidents: ${kinds.map(([kind, n]) => `${count(n)} ${kind}`).join(", ")}`;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

// noop measures the network: it is no game.
const playedPowers = (analyser) => analyser.powers.filter(([game]) => game !== "noop");

function gamesOf(analyser) {
  return playedPowers(analyser)
    .map(([game, power]) => `${game} ${compact(power)}`).join(", ");
}

function inHand(analyser) {
  const part = analyser.part;
  if (part === null) return analyser.parts ? counted(analyser.parts, "search", "searches") : "";
  const more = analyser.parts > 1 ? ` (+${count(analyser.parts - 1)})` : "";
  if (part.job === null) return `a question${more}`;
  const last = part.first_seq + part.count - 1;
  const span = part.count === 1 ? count(last) : `${count(part.first_seq)}–${count(last)}`;
  return `job ${part.job}: ${span}${more}`;
}

function incidentsOf(analyser) {
  const total = analyser.incident_counts.reduce((sum, [, n]) => sum + n, 0);
  return total === 0 ? "" : count(total);
}

// Returns a line for each analyser that came, went or is in another state.
function changes(before, now) {
  const came = [...now.values()].filter((a) => !before.has(a.key));
  const went = [...before.values()].filter((a) => !now.has(a.key));
  const turned = [...now.values()].filter((a) =>
    before.has(a.key) && before.get(a.key).state !== a.state);
  return [
    ...some(came, "joined", (a) => `${a.name} has joined${a.state === "ready" ? "" : `: ${a.state}`}.`),
    ...some(turned, "changed", (a) => `${a.name}: ${a.state}.`),
    ...some(went, "left", (a) => `${a.name} has left.`),
  ];
}

const some = (analysers, verb, line) => analysers.length > TOLD_ONE_BY_ONE_MAX
  ? [`${count(analysers.length)} analysers ${verb}.`] : analysers.map(line);

function tellNews(lines) {
  const news = document.getElementById("fleet-news");
  for (const line of lines) news.prepend(element("li", `${clock(new Date())} ${line}`));
  while (news.childElementCount > NEWS_MAX) news.lastElementChild.remove();
}

const order = (a, b) => a.name.localeCompare(b.name) || (a.key < b.key ? -1 : 1);
