// What a player learns from the kept matches: the profile, #/matches/GAME/profile/NAME, and a quiz
// of the errors, #/matches/GAME/quiz/NAME.

import { labelled, make, makeTable, select } from "../elements.js";
import { Outcome } from "../outcome.js";
import { drawn } from "../position/points_drawing.js";
import { Table } from "../tables.js";
import { counted, percent } from "../words.js";

export const linkTo = (game, view, player) =>
  `#/matches/${game}/${view}/${encodeURIComponent(player)}`;

export function open(room, page, game, view, encoded) {
  const player = decodeURIComponent(encoded);
  const outcome = new Outcome();
  const body = make("div", { class: "study" });
  const title = make("h2", { tabindex: "-1" }, `${view === "quiz" ? "Quiz" : "Profile"}: ${player}`);
  const other = view === "quiz" ? "profile" : "quiz";
  room.append(title,
    make("p", { class: "study-links" }, make("a", { href: "#/matches" }, "All matches"),
      make("a", { href: linkTo(game, other, player) }, other === "quiz" ? "Quiz" : "Profile")),
    outcome.element, body);
  title.focus({ preventScroll: true });
  const study = { isClosed: false };
  load(page, game, view, player, outcome, body, study);
  return { title: title.textContent, show() {}, close() { study.isClosed = true; outcome.clear(); } };
}

async function load(page, game, view, player, outcome, body, study) {
  outcome.busy("Reading the matches…");
  try {
    const told = await page.ask(`api/study/${view}?${new URLSearchParams({ game, player })}`);
    if (study.isClosed) return;
    outcome.clear();
    if (told.matches > 0 && view === "quiz") new QuizView(body, game, told);
    else if (told.matches > 0) body.append(...profileOf(game, told));
    else if (told.left_out.length === 0) outcome.fail("There is no kept match of this player.");
    body.append(...told.left_out.map((line) => make("p", { class: "note" }, `Left out: ${line}`)));
  } catch (error) {
    if (!study.isClosed) outcome.fail(error.message);
  }
}

const number = (label, text) => ({ label, kind: "number", text });
const rating = (own) => (own.pr === null ? "–" : own.pr.toFixed(2));
const loss = (value) => (value === 0 ? "0" : `−${value.toFixed(3)}`);

const SUMS = [
  number("Decisions", (own) => String(own.decisions)),
  number("Counted", (own) => String(own.counted_decisions)),
  number("Errors", (own) => String(own.errors)),
  number("Loss", (own) => loss(own.error)),
  number("PR", rating),
];

function tableOf(title, columns, rows) {
  const table = makeTable(title, "answers");
  new Table(table, columns).show(rows.map((each, at) => [String(at), each]), () => "");
  return [make("h3", {}, title),
    make("div", { class: "scrolled", tabindex: "0", role: "region", "aria-label": title }, table)];
}

function profileOf(game, { matches, report }) {
  const { overall, months, kinds, errors } = report;
  const dated = months.filter((each) => each.month !== null);
  const text = (label, of) => ({ label, kind: "word", text: of });
  const position = (cell, each) => cell.append(make("a",
    { href: `#/position/${game}/${encodeURIComponent(each.position)}` }, each.position));
  return [
    make("p", { class: "search-standing" }, `PR ${rating(overall)} · ${counted(matches, "match", "matches")}`
      + ` · ${counted(overall.decisions, "decision", "decisions")}`),
    ...tableOf("By kind of decision", [text("Kind", (each) => each.kind), ...SUMS],
      Object.entries(kinds).map(([kind, own]) => ({ kind, ...own }))),
    ...(dated.length ? tableOf("By month", [text("Month", (each) => each.month ?? "no date"),
      number("Matches", (each) => String(each.matches)), ...SUMS], months) : []),
    ...tableOf("By match", [text("File", (each) => each.file), text("Date", (each) => each.date ?? "–"),
      text("Opponent", (each) => each.opponents.join(", ")), ...SUMS], report.matches),
    ...(errors.length ? tableOf("Largest errors", [number("Error", (each) => loss(each.error)),
      text("Roll", (each) => (each.dice ? [...each.dice].join("-") : "")), text("Played", (each) => each.played),
      text("Better", (each) => each.best), text("File", (each) => each.file),
      { label: "Position", kind: "word", fill: position }], errors) : []),
  ];
}

class QuizView {
  constructor(place, game, { questions }) {
    this.game = game;
    this.questions = questions;
    this.at = 0;
    this.score = { answered: 0, right: 0, loss: 0 };
    this.head = make("h3", { tabindex: "-1" });
    this.board = make("div", { class: "picture quiz-board" });
    this.prompt = make("p", { id: "quiz-prompt" });
    this.form = make("form", { class: "typed", submit: (event) => this.submit(event) });
    this.verdict = make("p", { class: "verdict", role: "status" });
    this.after = make("p", { class: "row" });
    this.line = make("p", { class: "note" });
    place.append(this.head, this.board, this.prompt, this.form, this.verdict, this.after, this.line);
    if (questions.length === 0) place.replaceChildren(make("p", {}, "No errors: there is nothing to ask."));
    else this.ask();
  }

  get question() {
    return this.questions[this.at];
  }

  ask() {
    const { prompt, options } = this.question;
    this.head.textContent = `Question ${this.at + 1} of ${this.questions.length}`;
    this.draw();
    this.prompt.textContent = prompt;
    this.answer = select([["", "Choose…"], ...options.map(({ answer }) => [answer, answer])], "",
      { required: true });
    this.form.replaceChildren(labelled("Answer", this.answer), make("button", {}, "Answer"),
      make("button", { type: "button", click: () => this.tell(null) }, "Skip"));
    this.verdict.textContent = "";
    this.after.replaceChildren();
  }

  draw(move = "") {
    const { board, words } = this.question;
    this.board.replaceChildren(drawn(board, words, () => null, move));
    this.board.firstElementChild.setAttribute("role", "img");
  }

  submit(event) {
    event.preventDefault();
    this.tell(this.question.options.find(({ answer }) => answer === this.answer.value));
  }

  // option: what is answered; null: it is skipped, only to see the best answer.
  tell(option) {
    const { best, played, position, board } = this.question;
    const said = [];
    if (option !== null) {
      const isRight = option.loss === 0;
      this.score.answered += 1;
      this.score.right += Number(isRight);
      this.score.loss += option.loss;
      said.push(isRight ? `${option.answer}: right.`
        : `${option.answer} loses ${option.is_least ? "at least " : ""}${option.loss.toFixed(3)}.`);
    }
    if (option === null || option.loss > 0) said.push(`Best: ${best}.`);
    said.push(`Played in the match: ${played}.`);
    this.verdict.textContent = said.join(" ");
    if (board.dice !== null) this.draw(best);
    this.form.replaceChildren();
    const isLast = this.at === this.questions.length - 1;
    const next = make("button", { type: "button", click: () => this.next() }, "Next question");
    this.after.replaceChildren(...(isLast ? [] : [next]), make("a",
      { href: `#/position/${this.game}/${encodeURIComponent(position)}` }, "Open this position"));
    if (!isLast) next.focus();
    const { answered, right } = this.score;
    this.line.textContent = answered === 0 ? "" : `${right} of ${answered} right`
      + ` (${percent(right / answered)}), lost ${this.score.loss.toFixed(3)} in all.`;
  }

  next() {
    this.at += 1;
    this.ask();
    this.head.focus();
  }
}
