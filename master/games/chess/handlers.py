"""Chess on the web page: positions are searched as jobs, and games are analysed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from math import inf

from engine_ext import services
from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.fen import START, is_chess960, write_fen
from engine_ext.chess.parts.answer import DEPTH_MAX, DEPTH_MIN, ExactQuestion
from engine_ext.chess.probes.probe_text import ProbeAnswer, ProbeAnswerError
from master.contract.errors import MasterError
from master.contract.questions import AskQuestions
from master.contract.views import JobRequest
from master.games.chess.analysis.judging import questions
from master.games.chess.analysis.records import ReadGame, all_records_of
from master.games.chess.analysis.report import analysed, analysed_game, own_name
from master.games.chess.board_view import FIGURINES
from master.games.chess.exact_report import DEPTH_DEFAULT, GAME, search_request
from master.games.chess.probe_rounds import ProbeRounds, ProbeTask
from master.games.chess.review import Reviewed, players, review_page
from master.games.chess.search_report import EngineAnswer, engine_answer_object
from master.games.chess.typed import read_typed_fen
from master.games.errors import AskedError, RecordError
from master.games.handlers import (
    Action,
    Field,
    Handlers,
    Kind,
    MatchHandlers,
    MatchPlan,
    MatchReport,
    NamedEngine,
    PositionHandlers,
    Settings,
)
from master.reports.games_page import accuracy_words
from master.reports.html_page import review_script
from master.reports.report import Report
from master.search.strategies import OURS

NODES = {"quick": 50_000, "normal": 500_000, "deep": 5_000_000}
"""Positions visited for each move, by the level's name; the middle one is the command's default."""

DECISIONS_MAX = 3_000
"""Of several games; a report has some kilobytes for each."""

PROBE_LINES_MAX = 10
PROBE_NODES_MAX = 20_000_000
"""An answer is due within a minute, also by one worker."""

WARNINGS_MAX = 20
"""Of one file on the page; the command names all."""


def plan_match(
    content: bytes, name: str, level: str, chosen: NamedEngine | None = None
) -> MatchPlan:
    """Return the questions about the games of a file, and the function that makes their report.

    Args:
        content: of the file.
        name: of the file.
        level: of NODES.
        chosen: another engine; None: our own.

    Raises:
        RecordError: they are none, or have too many moves.
        AskedError: there is no such level.
    """
    if level not in NODES:
        raise AskedError(f"level: expected one of {', '.join(NODES)}")
    games, warnings = _read(content, name)
    engine = chosen or _own_engine()
    asked = [questions(each.record.game, engine.digest, NODES[level]) for each in games]
    return MatchPlan(
        games_title([players(analysed_game(each)) for each in games]),
        tuple(warnings),
        tuple(each.to_text() for game in asked for each in game),
        partial(_report, games, [len(game) for game in asked], level, engine.name or own_name()),
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
    engine: str,
    answers: Sequence[str],
) -> MatchReport:
    """Return the page of `manyply analyse chess --html`, and both players' accuracy."""
    try:
        games = analysed(read, counts, answers)
    except ProbeAnswerError as error:
        raise MasterError(f"an answer about a game makes no sense: {error}") from error
    page = review_page(Reviewed(games, NODES[level], engine))
    if len(games) > 1:
        return MatchReport(page, "")
    return MatchReport(page, accuracy_words([games[0].figures(side).accuracy for side in "wb"]))


def games_title(names: Sequence[tuple[str, str]]) -> str:
    """Return the players of a single game, or the number of games."""
    return " - ".join(names[0]) if len(names) == 1 else f"{len(names)} games"


MATCHES = MatchHandlers(
    (".pgn",),
    {name: f"{nodes:,} positions for each move" for name, nodes in NODES.items()},
    "normal",
    plan_match,
    plan_by=plan_match,
)


_MEN = "KQRBNP"
_FIGURE_OF = dict(zip(_MEN, FIGURINES[len(_MEN) :], strict=True))
"""The filled figures for both sides, which differ by their colour."""


_NAMES = dict(zip(_MEN, ("king", "queen", "rook", "bishop", "knight", "pawn"), strict=True))
_PIECES: list[Report] = [
    {"letter": letter, "sign": _FIGURE_OF[man], "side": side, "name": _NAMES[man]}
    for side, letters in (("white", _MEN), ("black", _MEN.lower()))
    for letter, man in zip(letters, _MEN, strict=True)
]


def position_text(board: ChessBoard) -> str:
    """Return the FEN of a position."""
    return write_fen(board, is_chess960(board))


def _cell(sign: str) -> list[str] | None:
    if sign == "-":
        return None
    return [_FIGURE_OF[sign.upper()], "white" if sign.isupper() else "black"]


def shown_position(board: ChessBoard) -> Report:
    """Return a position's squares, its text, and its description in words."""
    side = "black" if board.is_black else "white"
    ranks = [board.signs[first : first + 8] for first in range(56, -1, -8)]
    check = ", in check" if board.is_check else ""
    return {
        "board": {
            "kind": "squares",
            "files": list("abcdefgh"),
            "ranks": [str(rank) for rank in range(8, 0, -1)],
            "rows": [[_cell(sign) for sign in rank] for rank in ranks],
            "letters": ranks,
            "pieces": _PIECES,
            "format": "fen",
            "is_chequered": True,
            "turn": side,
        },
        "ids": [{"name": "FEN", "text": position_text(board)}],
        "title": f"Chess: {side} to move{check}",
        "words": f"{position_text(board)}; {side} to move{check}.",
    }


def why_over(board: ChessBoard) -> str:
    """Return the reason why there is nothing to search; empty: there is something."""
    return "" if board.move_count else "there is no legal move in this position"


def begin(board: ChessBoard, settings: Settings) -> JobRequest:
    """Return the job of a search."""
    question = ExactQuestion(board, GameBefore.of_game([board]), settings["depth"])
    return search_request(question, OURS.name)


def _own_engine() -> NamedEngine:
    return NamedEngine(services.engine_digest(GAME), own_name())


async def lines_of_engine(ask: AskQuestions, board: ChessBoard, settings: Settings) -> Report:
    """Return what `manyply search chess --engine` finds with so many nodes."""
    # Our own digest takes a self-test, which may last.
    engine: NamedEngine = settings["engine"] or await asyncio.to_thread(_own_engine)
    began, last = time.perf_counter(), 0
    task = ProbeTask(engine.digest, (board,), settings["lines"], nodes=settings["nodes"])
    rounds = ProbeRounds(task)
    while nodes := rounds.next_nodes(last, 0.0, inf):
        answers = await ask([each.to_text() for each in rounds.questions(nodes)])
        for index, text in enumerate(answers):
            rounds.take(index, ProbeAnswer.from_text(text))
        rounds.end_round()
        last = nodes
    seconds, name = time.perf_counter() - began, engine.name or own_name()
    found = EngineAnswer(board, engine.digest, name, rounds.lines, rounds.nodes, seconds)
    return engine_answer_object(found)


PROBE_FIELDS = (
    Field("engine", "Engine", Kind.ENGINE, "", hint="our own; such as stockfish"),
    Field("lines", "Lines", Kind.COUNT, 3, 1, PROBE_LINES_MAX),
    Field("nodes", "Positions for each line", Kind.COUNT, 500_000, 1, PROBE_NODES_MAX),
)

DEPTH = Field("depth", "Plies to look ahead", Kind.COUNT, DEPTH_DEFAULT, DEPTH_MIN, DEPTH_MAX)

HANDLERS = Handlers(
    PositionHandlers(
        start=START,
        expected="a position in FEN",
        read=read_typed_fen,
        text=position_text,
        show=shown_position,
        actions=(
            Action("search", "Search", (DEPTH,), job=begin, refusal=why_over),
            Action(
                "lines", "Lines of an engine", PROBE_FIELDS, ask=lines_of_engine, refusal=why_over
            ),
        ),
    ),
    MATCHES,
)
