"""Backgammon's entry for the web page: all actions on its positions and its matches."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from engine_ext import services
from engine_ext.backgammon.analysis_text import AnswerError
from engine_ext.backgammon.board import START
from engine_ext.backgammon.ids import to_xgid
from engine_ext.backgammon.limits import PLY_MAX, SEED_DEFAULT, SEED_MAX, TRUNCATION_PLY_MAX
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.control import RunControl
from master.contract.errors import MasterError
from master.contract.goals import Goal
from master.contract.questions import AskQuestions
from master.contract.views import JobRequest
from master.games.backgammon import study
from master.games.backgammon.fleet_answers import (
    ALL_ROLLS,
    decide_cube_over,
    rank_moves_over,
    rank_rolls_over,
)
from master.games.backgammon.levels import LEVEL_DEFAULT, LEVELS, level_words
from master.games.backgammon.matches.decisions import ActionQuestion, answered, ask_about
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.files import holds_positions, read_match
from master.games.backgammon.matches.record import Match, plain_name
from master.games.backgammon.position_reports import (
    decision_report,
    eval_report,
    ranked_report,
    rolls_report,
    why_over,
)
from master.games.backgammon.position_view import shown_state, state_text
from master.games.backgammon.review.page import review_page
from master.games.backgammon.review.turns import MatchReview
from master.games.backgammon.rollout_defaults import (
    CANDIDATES_DEFAULT,
    LOOKAHEADS,
    SETTLED_DEFAULT,
    TRIALS_DEFAULT,
)
from master.games.backgammon.rollout_request import RolloutOptions, rollout_job, to_context
from master.games.backgammon.typed import Dice, read_dice, read_id
from master.games.errors import AskedError, RecordError
from master.games.handlers import (
    Action,
    Field,
    Handlers,
    Kind,
    MatchHandlers,
    MatchPlan,
    MatchReport,
    PositionHandlers,
    Settings,
    Study,
)
from master.reports.html_page import review_script
from master.reports.report import Report

PLY = Field("plies", "Look-ahead", Kind.COUNT, 2, 0, PLY_MAX)
"""In gnubg's count, as everywhere; the default is gnubg's default for advice."""

ROLLS = tuple(f"{first}-{second}" for first in range(1, 7) for second in range(1, first + 1))

DICE = Field("dice", "Roll", Kind.TEXT, options=ROLLS, hint="not rolled")
"""The roll; empty: that of the position."""


def roll_of(state: GameState, settings: Settings) -> Dice | None:
    """Return the roll that is named, or that of the position; AskedError: there is none."""
    text = settings["dice"]
    if not text:
        return state.match.dice
    try:
        return read_dice(text)
    except ValueError as error:
        raise AskedError(str(error)) from None


async def evaluate(ask: AskQuestions, state: GameState, settings: Settings) -> Report:
    """Return the object of `manyply eval --json`, computed here: that is faster than a question."""
    control = RunControl()
    try:
        return await asyncio.to_thread(eval_report, state, settings["plies"], control=control)
    finally:
        control.stop()  # without effect unless the wait was cancelled


async def rank(ask: AskQuestions, state: GameState, settings: Settings) -> Report:
    """Return the object of `manyply move --json`."""
    dice = roll_of(state, settings)
    if dice is None:
        raise AskedError("no roll: choose one, such as 3-1")
    return ranked_report(state, dice, await rank_moves_over(ask, state, dice, settings["plies"]))


async def rank_each(ask: AskQuestions, state: GameState, settings: Settings) -> Report:
    """Return the object of `manyply move --all-rolls --json`."""
    ranked = await rank_rolls_over(ask, state, ALL_ROLLS, settings["plies"])
    return rolls_report(state, ALL_ROLLS, ranked)


async def decide(ask: AskQuestions, state: GameState, settings: Settings) -> Report:
    """Return the object of `manyply cube --json`."""
    return decision_report(state, await decide_cube_over(ask, state, settings["plies"]))


QUESTIONS = (
    Action("evaluate", "Evaluate", (PLY,), evaluate),
    Action("moves", "Moves", (PLY, DICE), rank, refusal=why_over),
    Action("rolls", "Each roll", (PLY,), rank_each, refusal=why_over),
    Action("cube", "Cube", (PLY,), decide, refusal=why_over),
)


TRIALS_MAX = 10_000_000
"""The same limit as of `manyply rollout`."""

MOVES_MAX = 40
"""Moves named in a request: as many as fit into a context with their names."""

MOVES, CUBE, POSITION = "moves", "cube", "position"

FIELDS = (
    Field("of", "Compare", Kind.OPTION, options=(MOVES, CUBE, POSITION),
          hint="automatic"),
    Field("moves", "", Kind.TEXTS, (), most=MOVES_MAX),
    DICE,
    Field("candidates", "Best moves", Kind.COUNT, CANDIDATES_DEFAULT, 1, MOVES_MAX),
    Field("level", "Level", Kind.OPTION, "quick", options=tuple(LOOKAHEADS)),
    Field("plies", "Look-ahead", Kind.COUNT, None, 0, PLY_MAX, hint="by level"),
    Field("trials", "Games of each", Kind.COUNT, TRIALS_DEFAULT, 1, TRIALS_MAX),
    Field("stop_settled", "Stop when the lead exceeds (standard errors)", Kind.NUMBER,
          None, 0.01, 100, hint=f"{SETTLED_DEFAULT:g}"),
    Field("stop_se", "Stop at a standard error of", Kind.NUMBER, None, 1e-6, 10,
          hint="0.005"),
    Field("truncate", "Truncate after (turns, 0 = never)", Kind.COUNT, 0, 0, TRUNCATION_PLY_MAX),
    Field("seed", "Seed", Kind.COUNT, SEED_DEFAULT, 0, SEED_MAX),
)  # fmt: skip


def begin(state: GameState, settings: Settings) -> JobRequest:
    """Return the job of a rollout; AskedError: the settings are invalid."""
    dice, moves, of = roll_of(state, settings), settings["moves"], settings["of"]
    if of is None:
        of = MOVES if dice is not None or moves else POSITION
    is_of_moves = of == MOVES
    level = LEVELS[settings["level"]]
    options = RolloutOptions(
        dice=dice if is_of_moves else None,
        moves=moves if is_of_moves else (),
        is_cube=of == CUBE,
        candidates=settings["candidates"],
        seed=settings["seed"],
        ply=level.ply if settings["plies"] is None else settings["plies"],
        move_filter=level.move_filter,
        truncation_ply=settings["truncate"],
    )
    context = to_context(state if is_of_moves else before_roll(state), options)
    if settings["stop_settled"] is not None and len(context.alternatives) < 2:
        raise AskedError("there is one alternative: nothing can be settled")
    goal = Goal(settings["trials"], settings["stop_se"], settings["stop_settled"])
    return rollout_job(state, context, goal)


def before_roll(state: GameState) -> GameState:
    """Return a state whose dice are not rolled yet."""
    return replace(state, match=replace(state.match, dice=None))


ROLLOUT = Action("rollout", "Roll out", FIELDS, job=begin, refusal=why_over, title="Rollout")


DECISIONS_MAX = 3_000
"""Of several long matches; a report has some kilobytes for each."""


def plan_match(content: bytes, name: str, level: str) -> MatchPlan:
    """Return the questions about a match, and the function that makes their report.

    Raises:
        RecordError: it is no match, or has too many decisions.
        AskedError: there is no such level.
    """
    if level not in LEVELS:
        raise AskedError(f"level: expected one of {', '.join(LEVELS)}")
    stored = read_match(content, name)
    engine = services.engine_digest("backgammon")
    asked = ask_about(stored.match, LEVELS[level], engine)
    if not asked and holds_positions(content, name):
        raise RecordError(f"{name}: this is a position, not a match: paste it under Position")
    if not asked:
        raise RecordError(f"{name}: nothing is decided in it")
    if len(asked) > DECISIONS_MAX:
        more = "`manyply analyse` takes more"
        raise RecordError(f"{name}: {len(asked):,} decisions; at most {DECISIONS_MAX:,}: {more}")
    return MatchPlan(
        match_title(stored.match),
        stored.notices,
        tuple(one.question.to_text() for one in asked),
        partial(_report, stored.match, stored.notices, asked, level, engine),
        review_script(),
        tuple(plain_name(name) for name in stored.match.players),
    )


def _report(
    match: Match,
    warnings: tuple[str, ...],
    asked: Sequence[ActionQuestion],
    level: str,
    engine: str,
    answers: Sequence[str],
) -> MatchReport:
    """Return the page of `manyply analyse --html`, and both players' PR."""
    try:
        known = replace(answered(match, asked, answers), warnings=warnings)
    except AnswerError as error:
        raise MasterError(f"an answer about a match makes no sense: {error}") from error
    figures = match_figures(known)
    page = review_page(MatchReview(known, figures, LEVELS[level], engine))
    rates = ["-" if own.pr is None else f"{own.pr:.2f}" for own in figures.match]
    return MatchReport(page, f"PR {rates[0]} - {rates[1]}")


def match_title(match: Match) -> str:
    """Return the players and the length: `Ann - Bob, 7 points`."""
    first, second = (name.strip() or "?" for name in match.players)
    about = f"{match.length} point{'s' * (match.length > 1)}" if match.length else "money play"
    return f"{first} - {second}, {about}"


MATCHES = MatchHandlers(
    (".mat", ".txt", ".sgf", ".xg", ".bgf", ".ogxm", ".gvab", ".gva", ".gz"),
    {name: level_words(name) for name in LEVELS},
    LEVEL_DEFAULT,
    plan_match,
    study=Study(study.read, study.profile, study.quiz),
)


HANDLERS = Handlers(
    PositionHandlers(
        start=to_xgid(GameState(START, MatchState())),
        expected="an XGID, a GNUBG ID or a position ID",
        read=read_id,
        text=state_text,
        show=shown_state,
        actions=(*QUESTIONS, ROLLOUT),
    ),
    MATCHES,
)
