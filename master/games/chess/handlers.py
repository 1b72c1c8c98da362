"""Chess on the web page: positions are searched as jobs, and games are analysed."""

from __future__ import annotations

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.fen import START, is_chess960, write_fen
from engine_ext.chess.parts.answer import DEPTH_MAX, DEPTH_MIN, ExactQuestion
from master.contract.views import JobRequest
from master.games.chess.board_view import FIGURINES
from master.games.chess.match_plan import MATCHES
from master.games.chess.search_request import DEPTH_DEFAULT, search_request
from master.games.chess.typed import read_typed_fen
from master.games.handlers import Action, Handlers, PositionHandlers, Settings
from master.games.settings import Field, Kind
from master.reports.report import Report
from master.search.strategies import OURS

_MEN = "KQRBNP"
_FIGURE_OF = dict(zip(_MEN, FIGURINES[len(_MEN) :], strict=True))
"""The filled figures for both sides, which differ by their colour."""


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


DEPTH = Field("depth", "Plies to look ahead", Kind.COUNT, DEPTH_DEFAULT, DEPTH_MIN, DEPTH_MAX)

HANDLERS = Handlers(
    PositionHandlers(
        start=START,
        expected="a position in FEN",
        read=read_typed_fen,
        text=position_text,
        show=shown_position,
        actions=(Action("search", "Search", (DEPTH,), job=begin, refusal=why_over),),
    ),
    MATCHES,
)
