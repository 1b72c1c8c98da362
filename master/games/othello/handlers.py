"""Othello on the web page: boards are searched as jobs, and games are analysed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from engine_ext import services
from engine_ext.othello.answer import BoardQuestion
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.probes.probe_text import ProbeAnswerError
from master.contract.errors import MasterError
from master.contract.views import JobRequest
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
)
from master.games.othello.analysis.judging import AnalysedGame, analysed, questions
from master.games.othello.analysis.records import record_file_of
from master.games.othello.level import DEPTH_DEFAULT, DEPTH_MAX, Level, exact_for
from master.games.othello.record import OthelloRecord, is_transcribable, position_of, read_position
from master.games.othello.review import (
    GAMES_MAX,
    SIDE_SIGNS,
    Reviewed,
    level_words,
    players,
    review_page,
)
from master.games.othello.search_report import GAME, search_request
from master.reports.games_page import accuracy_words
from master.reports.html_page import review_script
from master.reports.report import Report
from master.search.strategies import OURS

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
    if len(games) > 1:
        return MatchReport(page, "")
    return MatchReport(
        page, accuracy_words([games[0].figures(side).accuracy for side in SIDE_SIGNS])
    )


MATCHES = MatchHandlers(
    (".ggf", ".txt", ".wtb"),
    {name: level_words(level) for name, level in LEVELS.items()},
    "normal",
    plan_match,
)


_DISC = "●"
_SIDES = {"X": "black", "O": "white"}

_PIECES: list[Report] = [
    {"letter": letter, "sign": _DISC, "side": side, "name": "disc"}
    for letter, side in _SIDES.items()
]

TYPED_CHARACTERS_MAX = 4_096
"""A game in GGF with a name for every tag has some thousand."""


def read_board(text: str) -> OthelloBoard:
    """Return the board of a text; ValueError: the text is no board."""
    if len(text) > TYPED_CHARACTERS_MAX:
        raise ValueError(f"expected at most {TYPED_CHARACTERS_MAX} characters")
    return position_of(read_position(text))


def shown_board(board: OthelloBoard) -> Report:
    """Return a board's squares, its text, and its description in words."""
    squares, _ = board.to_text().split()
    size, side = board.size, _SIDES[board.to_move]
    cells = [None if sign == "-" else [_DISC, _SIDES[sign]] for sign in squares]
    black, white = board.disc_counts()
    return {
        "board": {
            "kind": "squares",
            "files": list("abcdefgh"[:size]),
            "ranks": [str(rank) for rank in range(1, size + 1)],
            "rows": [cells[first : first + size] for first in range(0, len(cells), size)],
            "letters": [squares[first : first + size] for first in range(0, len(squares), size)],
            "pieces": _PIECES,
            "format": "board",
            "is_chequered": False,
            "turn": side,
        },
        "ids": [{"name": "Board", "text": board.to_text()}],
        "title": f"Othello: {side} to move",
        "words": f"Black {black}, white {white}; {side} to move: {', '.join(board.moves())}.",
    }


def why_over(board: OthelloBoard) -> str:
    """Return the reason why there is nothing to search; empty: there is something."""
    return "the game is over on this board" if board.is_over else ""


def begin(board: OthelloBoard, settings: Settings) -> JobRequest:
    """Return the job of a search."""
    return search_request(BoardQuestion(board, settings["depth"]), OURS.name)


DEPTH = Field("depth", "Moves to look ahead", Kind.COUNT, DEPTH_DEFAULT, 1, DEPTH_MAX,
              hint=f"{DEPTH_MAX}: to the end")  # fmt: skip

HANDLERS = Handlers(
    PositionHandlers(
        start=OthelloBoard.start().to_text(),
        expected="a board of 64 characters X, O and - and the side to move, a transcript such as"
        " f5d6c3, a game in GGF, or FFO40",
        read=read_board,
        text=OthelloBoard.to_text,
        show=shown_board,
        actions=(Action("search", "Search", (DEPTH,), job=begin, refusal=why_over),),
    ),
    MATCHES,
)
