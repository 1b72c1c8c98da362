// What was answered about a position, as tables: the best first.
// Knows the reports of questions; what is done with a move is told to the caller.

import { make, makeTable } from "../elements.js";
import { Outcome } from "../outcome.js";
import { Table } from "../tables.js";

const CHECKED_MAX = 5;

// Without the minus of a zero: variance reduction gives chances of -0.000001.
const fixed = (value, digits) => value.toFixed(digits).replace(/^-(?=[0.]+$)/, "");
const signed = (value) => (value === null ? "" : fixed(value, 4).replace(/^(?!-)/, "+").replace("-", "−"));
const percent = (value) => `${fixed(100 * value, 2)}%`;
const number = (label, text, extra = {}) => ({ label, kind: "number", text, ...extra });

const CHANCES = [
  number("Win", (p) => percent(p.win)),
  number("W g", (p) => percent(p.win_gammon)),
  number("W bg", (p) => percent(p.win_backgammon)),
  number("Lose", (p) => percent(1 - p.win)),
  number("L g", (p) => percent(p.lose_gammon)),
  number("L bg", (p) => percent(p.lose_backgammon)),
];
const chancesOf = (probsOf) => CHANCES.map((column) =>
  ({ ...column, text: (each) => column.text(probsOf(each)) }));

const worth = (move) => move.equity_cubeful ?? move.equity_cubeless;

function tableOf(name, columns, rows, mood = () => "") {
  const table = makeTable(name, "answers");
  new Table(table, columns).show(rows.map((each, at) => [String(at), each]), mood);
  return make("div", { class: "scrolled", tabindex: "0" }, table);
}

const SHOWN = { evaluate, moves, rolls, cube, lines };

// page: {onMove(move): a move is looked at; onRollout(moves, outcome): some are to be rolled out, or null
// where that is impossible}.
export function shownAnswer(action, report, page) {
  const shown = SHOWN[action];
  if (shown) return shown(report, page);
  return [make("pre", {}, JSON.stringify(report, null, 1))];
}

function evaluate(report) {
  const columns = [...chancesOf((e) => e.probs),
    number("Cubeless", (e) => signed(e.equity_cubeless)),
    number("Cubeful", (e) => signed(e.equity_cubeful))];
  return [heading(`Evaluation, ${report.level}`), tableOf("Evaluation", columns, [report])];
}

// Lines of a chess engine: pawns, or moves to mate.
function lines(report) {
  const pawns = (value) => (value / 100).toFixed(2).replace(/^(?!-)/, "+").replace("-", "−");
  const value = ({ centipawns, mate }) => {
    if (mate !== null) return `${mate < 0 ? "mated" : "mate"} in ${Math.abs(mate)}`;
    return centipawns === null ? "–" : pawns(centipawns);
  };
  const columns = [
    { label: "#", kind: "number", text: (line) => String(line.rank) },
    number("Value", value),
    { label: "Line", kind: "line", text: (line) => line.pv_san.join(" ") },
  ];
  const rows = report.lines.map((line, at) => ({ rank: at + 1, ...line }));
  return [heading(`${report.engine_name}, depth ${report.depth}`),
    tableOf("Lines", columns, rows, (line) => (line.rank === 1 ? "is-best" : ""))];
}

const heading = (text) => make("h3", {}, text);

const plyOf = (move) => (move.level === "exact" ? "exact" : String(move.ply));

function moves(report, page) {
  const best = worth(report.moves[0]);
  const isCompared = page.onRollout !== null && report.moves.length > 1;
  const box = (cell, move) => cell.append(make("input", { type: "checkbox",
    "aria-label": `Roll out ${move.move}`, checked: move.rank <= CHECKED_MAX }));
  const name = (cell, move) => cell.append(make("button", { type: "button", class: "plain",
    "aria-pressed": "false", click: (event) => press(event.target, move) }, move.move));
  const columns = [
    ...(isCompared ? [{ label: "Roll out", kind: "tick", fill: box }] : []),
    { label: "#", kind: "number", text: (m) => String(m.rank) },
    { label: "Move", kind: "word", fill: name },
    number("Equity", (m) => signed(worth(m))),
    number("Diff", (m) => (m.rank === 1 ? "" : signed(worth(m) - best))),
    number("Ply", plyOf), ...chancesOf((m) => m.probs),
  ];
  const table = tableOf("Moves", columns, report.moves, (m) => (m.rank === 1 ? "is-best" : ""));
  const press = (button, move) => {
    const isShown = button.getAttribute("aria-pressed") === "true";
    for (const each of table.querySelectorAll("[aria-pressed='true']")) each.setAttribute("aria-pressed", "false");
    button.setAttribute("aria-pressed", String(!isShown));
    page.onMove(isShown ? "" : move.move);
  };
  const chosen = () => [...table.querySelectorAll("input")].flatMap((input, at) =>
    (input.checked ? [report.moves[at].move] : []));
  const outcome = new Outcome();
  const begin = make("button", { type: "button", class: "rollout",
    click: () => page.onRollout(chosen(), outcome) }, "Roll out these");
  const count = report.moves.length;
  return [heading(`${report.dice.join("-")}: ${count} legal ${count === 1 ? "move" : "moves"}`), table,
    ...(isCompared ? [make("p", { class: "row" }, begin), outcome.element] : [])];
}

function rolls(report) {
  const best = (roll) => roll.moves[0];
  const columns = [
    { label: "Roll", kind: "word", text: (r) => r.dice.join("-") },
    { label: "Move", kind: "word", text: (r) => best(r).move },
    number("Equity", (r) => signed(worth(best(r)))),
    number("Next", (r) => (r.moves.length > 1 ? signed(worth(r.moves[1]) - worth(best(r))) : "")),
    number("Ply", (r) => plyOf(best(r))), ...chancesOf((r) => best(r).probs),
  ];
  const mean = report.mean_equity_cubeful ?? report.mean_equity_cubeless;
  return [heading("The best move of each roll"), tableOf("Rolls", columns, report.rolls),
    make("p", {}, `Mean of all rolls: ${signed(mean)}`)];
}

const ANSWERS = [["no_double", "No double"], ["double_take", "Double, take"],
  ["double_beaver", "Double, beaver"], ["double_pass", "Double, pass"]];

function cube(report) {
  const rows = ANSWERS.map(([key, label]) => ({ label, equity: report[key] }))
    .filter((row) => row.equity !== null);
  const answered = Math.min(report.double_beaver ?? report.double_take, report.double_pass);
  const best = Math.max(report.no_double, answered);
  const columns = [
    { label: "Action", kind: "word", text: (row) => row.label },
    number("Equity", (row) => signed(row.equity)),
    number("Diff", (row) => (row.equity === best ? "" : signed(row.equity - best))),
  ];
  const isPossible = rows.some((row) => row.equity !== report.no_double);
  return [heading(isPossible ? `Proper cube action: ${report.action}`
    : "No double: it is not possible here, or gains nothing"),
    tableOf("Chances", [...chancesOf((e) => e.probs),
      number("Cubeless", (e) => signed(e.equity_cubeless))], [report]),
    tableOf("Cube", columns, isPossible ? rows : rows.slice(0, 1), (row) => (row.equity === best ? "is-best" : "")),
    make("p", { class: "note" }, `${report.level}, ${report.plays} plays`), ...windowOf(report.window)];
}

const POINTS = { take_point_dead: "Take, dead", take_point_live: "Take, live",
  cash_point_dead: "Cash, dead", cash_point_live: "Cash, live" };

function windowOf(shown) {
  const point = (name) => (row) => (row[name] === null ? "–" : percent(row[name]));
  const rows = [{ who: "On roll", ...shown.on_roll }, { who: "Opponent", ...shown.opponent }];
  const names = Object.keys(shown.on_roll).filter((name) => name !== "gammon_price");
  const columns = [
    { label: "Player", kind: "word", text: (row) => row.who },
    number("Gammon price", (row) => row.gammon_price.toFixed(3)),
    ...names.map((name) => number(POINTS[name] ?? name, point(name))),
  ];
  return [heading("Winning chances to take and to cash"), tableOf("Window", columns, rows)];
}
