"""Games of Othello from the web page: the questions about them, and their report."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from engine_ext import services
from engine_ext.othello.probes.probe_text import ProbeAnswerError
from master.contract.errors import MasterError
from master.games.errors import AskedError, RecordError
from master.games.handlers import MatchHandlers, MatchPlan, MatchReport
from master.games.othello.analysis.asking import analysed, questions
from master.games.othello.analysis.judging import AnalysedGame
from master.games.othello.analysis.records import record_file_of
from master.games.othello.level import DEPTH_DEFAULT, Level, exact_for
from master.games.othello.record import OthelloRecord, is_transcribable
from master.games.othello.review.page import GAMES_MAX, review_page
from master.games.othello.review.wording import SIDE_SIGNS, Reviewed, level_words, players
from master.reports.games_page import number_text
from master.reports.html_page import review_script

GAME = "othello"

_DEPTHS = {"quick": 8, "normal": DEPTH_DEFAULT, "deep": 16}
LEVELS = {name: Level(depth, exact_for(depth)) for name, depth in _DEPTHS.items()}
"""The middle one is the command's default."""

DECISIONS_MAX = 3_000
"""Of several games; a report has some kilobytes for each."""


def plan_match(content: bytes, name: str, level: str) -> MatchPlan:
    """Return the questions about the games of a file, and the function that makes their report.

    Raises:
        RecordError: they are none, or have too many moves.
        AskedError: there is no such level.
    """
    if level not in LEVELS:
        raise AskedError(f"level: expected one of {', '.join(LEVELS)}")
    file = record_file_of(content, name)
    more = "choose some with `manyply analyse othello --games`"
    if len(file.readers) > GAMES_MAX:
        raise RecordError(f"{name}: {len(file.readers):,} games; at most {GAMES_MAX}: {more}")
    chosen = file.chosen(None)
    records = chosen.records
    engine = services.engine_digest(GAME)
    asked = [questions(record, LEVELS[level], engine) for _, record in records]
    count = sum(map(len, asked))
    if not count and not any(is_transcribable(record.game) for _, record in records):
        raise RecordError(f"{name}: this is a position, not a game: paste it under Position")
    if not count:
        raise RecordError(f"{name}: nothing is decided in it")
    if count > DECISIONS_MAX:
        raise RecordError(f"{name}: {count:,} decisions; at most {DECISIONS_MAX:,}: {more}")
    return MatchPlan(
        _title(records),
        tuple(each.text(name) for each in chosen.skipped),
        tuple(each.to_text() for game in asked for each in game),
        partial(_report, records, [len(game) for game in asked], LEVELS[level]),
        review_script(),
    )


def _title(records: Sequence[tuple[int, OthelloRecord]]) -> str:
    if len(records) > 1:
        return f"{len(records)} games"
    (number, record), *_ = records
    return " - ".join(players(AnalysedGame(number, record, ())))


def _report(
    records: Sequence[tuple[int, OthelloRecord]],
    counts: Sequence[int],
    level: Level,
    answers: Sequence[str],
) -> MatchReport:
    """Return the page of `manyply analyse othello --html`, and both players' accuracy."""
    try:
        games = analysed(records, counts, answers)
    except ProbeAnswerError as error:
        raise MasterError(f"an answer about a game makes no sense: {error}") from error
    page = review_page(Reviewed(games, level))
    both = [number_text(games[0].figures(side).accuracy, 1, " %") for side in SIDE_SIGNS]
    return MatchReport(page, f"accuracy {both[0]} - {both[1]}" if len(games) == 1 else "")


MATCHES = MatchHandlers(
    (".ggf", ".txt", ".wtb"),
    {name: level_words(level) for name, level in LEVELS.items()},
    "normal",
    plan_match,
)
