"""Othello on the web page: boards are searched as jobs, and games are analysed."""

from __future__ import annotations

from engine_ext.othello.answer import BoardQuestion
from engine_ext.othello.board import OthelloBoard
from master.contract.views import JobRequest
from master.games.handlers import Action, Handlers, PositionHandlers, Settings
from master.games.othello.level import DEPTH_DEFAULT, DEPTH_MAX
from master.games.othello.match_plan import MATCHES
from master.games.othello.record import position_of, read_position
from master.games.othello.search_request import search_request
from master.games.settings import Field, Kind
from master.reports.report import Report
from master.search.strategies import OURS

_DISC = "●"
_SIDES = {"X": "black", "O": "white"}

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
