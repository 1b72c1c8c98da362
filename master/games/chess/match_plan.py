"""A PGN file from the web page: the questions about its games, and their report."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from engine_ext import services
from engine_ext.chess.probes.probe_text import ProbeAnswerError
from master.contract.errors import MasterError
from master.games.chess.analysis.judging import questions
from master.games.chess.analysis.records import ReadGame, all_records_of
from master.games.chess.analysis.report import analysed, analysed_game, own_name
from master.games.chess.review.page import review_page
from master.games.chess.review.wording import Reviewed, players
from master.games.errors import AskedError, RecordError
from master.games.handlers import MatchHandlers, MatchPlan, MatchReport
from master.reports.games_page import number_text
from master.reports.html_page import review_script

GAME = "chess"

NODES = {"quick": 50_000, "normal": 500_000, "deep": 5_000_000}
"""Positions visited for each move, by the level's name; the middle one is the command's default."""

DECISIONS_MAX = 3_000
"""Of several games; a report has some kilobytes for each."""

WARNINGS_MAX = 20
"""Of one file on the page; the command names all."""


def plan_match(content: bytes, name: str, level: str) -> MatchPlan:
    """Return the questions about the games of a file, and the function that makes their report.

    Raises:
        RecordError: they are none, or have too many moves.
        AskedError: there is no such level.
    """
    if level not in NODES:
        raise AskedError(f"level: expected one of {', '.join(NODES)}")
    games, warnings = _read(content, name)
    engine = services.engine_digest(GAME)
    asked = [questions(each.record.game, engine, NODES[level]) for each in games]
    return MatchPlan(
        games_title([players(analysed_game(each)) for each in games]),
        tuple(warnings),
        tuple(each.to_text() for game in asked for each in game),
        partial(_report, games, [len(game) for game in asked], level),
        review_script(),
    )


def _read(content: bytes, name: str) -> tuple[list[ReadGame], list[str]]:
    """Return the games of a file, and the warnings about them and about skipped games."""
    games, warnings, count, said = list[ReadGame](), list[str](), 0, 0
    for each in all_records_of(content, name):
        if isinstance(each, ReadGame):
            games.append(each)
            count += len(each.record.game.boards)
        lines = each.warning_lines(name) if isinstance(each, ReadGame) else [each.text(name)]
        said += len(lines)
        warnings += lines[: WARNINGS_MAX - len(warnings)]
        if count > DECISIONS_MAX:
            more = "`manyply analyse chess` takes more"
            raise RecordError(f"{name}: more than {DECISIONS_MAX:,} positions: {more}")
    if not games:
        raise RecordError(warnings[0])
    if not any(each.record.game.moves for each in games):
        raise RecordError(f"{name}: nothing is played in it")
    if said > len(warnings):
        warnings.append(f"{said - len(warnings):,} more remarks of this kind")
    return games, warnings


def _report(
    read: Sequence[ReadGame],
    counts: Sequence[int],
    level: str,
    answers: Sequence[str],
) -> MatchReport:
    """Return the page of `manyply analyse chess --html`, and both players' accuracy."""
    try:
        games = analysed(read, counts, answers)
    except ProbeAnswerError as error:
        raise MasterError(f"an answer about a game makes no sense: {error}") from error
    page = review_page(Reviewed(games, NODES[level], own_name()))
    both = [number_text(games[0].figures(side).accuracy, 1, " %") for side in "wb"]
    return MatchReport(page, f"accuracy {both[0]} - {both[1]}" if len(games) == 1 else "")


def games_title(names: Sequence[tuple[str, str]]) -> str:
    """Return the players of a single game, or the number of games."""
    return " - ".join(names[0]) if len(names) == 1 else f"{len(names)} games"


MATCHES = MatchHandlers(
    (".pgn",),
    {name: f"{nodes:,} positions for each move" for name, nodes in NODES.items()},
    "normal",
    plan_match,
)
