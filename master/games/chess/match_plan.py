"""A PGN file that a page hands in: what is to be asked about its games, and their report.

Knows records, levels and the report.  Must not know pages, or who answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from engine_ext import services
from engine_ext.chess.looks.look_text import LookAnswerError
from master.contract.errors import MasterError
from master.games.chess.analysis.judging import questions
from master.games.chess.analysis.records import records_of
from master.games.chess.analysis.report import AnalysedGame, analysed, own_name
from master.games.chess.record import ChessRecord
from master.games.chess.review.page import review_page
from master.games.chess.review.wording import Reviewed, players
from master.games.desk import MatchDesk, MatchPlan, MatchReport
from master.games.errors import AskedError, RecordError
from master.reports.games_page import number_text
from master.reports.html_page import review_script

GAME = "chess"

NODES = {"quick": 50_000, "normal": 500_000, "deep": 5_000_000}
"""Positions visited for each move, by the level's name; the middle one is the command's default."""

DECISIONS_MAX = 3_000
"""Of several games; a report has some kilobytes for each."""


def plan_match(content: bytes, name: str, level: str) -> MatchPlan:
    """Return what is to be asked about games, and what makes the report of the answers.

    Raises:
        RecordError: they are none, or have too many moves.
        AskedError: there is no such level.
    """
    if level not in NODES:
        raise AskedError(f"level: expected one of {', '.join(NODES)}")
    records = records_of(content, name)
    engine = services.engine_digest(GAME)
    asked = [questions(record.game, engine, NODES[level]) for record in records]
    count = sum(map(len, asked))
    if not any(record.game.moves for record in records):
        raise RecordError(f"{name}: nothing is played in it")
    if count > DECISIONS_MAX:
        more = "`manyply analyse chess` takes more"
        raise RecordError(f"{name}: {count:,} positions; at most {DECISIONS_MAX:,}: {more}")
    return MatchPlan(
        games_title([players(AnalysedGame(record, ())) for record in records]),
        (),
        tuple(each.to_text() for game in asked for each in game),
        partial(_report, records, [len(game) for game in asked], level),
        review_script(),
    )


def _report(
    records: Sequence[ChessRecord],
    counts: Sequence[int],
    level: str,
    answers: Sequence[str],
) -> MatchReport:
    """Return the page that `manyply analyse chess --html` writes, and both players' accuracy."""
    try:
        games = analysed(records, counts, answers)
    except LookAnswerError as error:
        raise MasterError(f"an answer about a game makes no sense: {error}") from error
    page = review_page(Reviewed(games, NODES[level], own_name()))
    both = [number_text(games[0].figures(side).accuracy, 1, " %") for side in "wb"]
    return MatchReport(page, f"accuracy {both[0]} - {both[1]}" if len(games) == 1 else "")


def games_title(names: Sequence[tuple[str, str]]) -> str:
    """Return who played, or how many games there are."""
    return " - ".join(names[0]) if len(names) == 1 else f"{len(names)} games"


MATCHES = MatchDesk(
    (".pgn",),
    {name: f"{nodes:,} positions for each move" for name, nodes in NODES.items()},
    "normal",
    plan_match,
)
