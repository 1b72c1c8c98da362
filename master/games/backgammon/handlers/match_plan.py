"""A match file from the web page: the questions about it, and its report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from engine_ext import services
from engine_ext.backgammon.analysis_text import AnswerError
from master.contract.errors import MasterError
from master.games.backgammon.matches.decisions import ActionQuestion, answered, ask_about
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.files import holds_positions, read_match
from master.games.backgammon.matches.levels import LEVEL_DEFAULT, LEVELS, level_words
from master.games.backgammon.matches.record import Match
from master.games.backgammon.review.page import review_page
from master.games.backgammon.review.turns import MatchReview
from master.games.errors import AskedError, RecordError
from master.games.handlers import MatchHandlers, MatchPlan, MatchReport
from master.reports.html_page import review_script

DECISIONS_MAX = 3_000
"""Of several long matches; a report has some kilobytes for each."""

GAME = "backgammon"


def plan_match(content: bytes, name: str, level: str) -> MatchPlan:
    """Return the questions about a match, and the function that makes their report.

    Raises:
        RecordError: it is no match, or has too many decisions.
        AskedError: there is no such level.
    """
    if level not in LEVELS:
        raise AskedError(f"level: expected one of {', '.join(LEVELS)}")
    stored = read_match(content, name)
    engine = services.engine_digest(GAME)
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
)
