"""Positions of Othello that `manyply show` draws."""

from __future__ import annotations

from master.cli.othello.search_command import show_othello_board
from master.cli.output import echo, echo_json
from master.games.othello.record import OthelloRecord, opening_name, position_of, read_position

POSITION_PREFIX = "othello:"


def read_shown(text: str) -> OthelloRecord:
    """Return the game of a text after `othello:`; ValueError for any other text."""
    if not text.startswith(POSITION_PREFIX):
        raise ValueError(f"no position of Othello, which is {POSITION_PREFIX} and such as f5d6c3")
    return read_position(text.removeprefix(POSITION_PREFIX))


def show_position(record: OthelloRecord, *, is_json: bool) -> None:
    """Draw the board that a game stands at, or print its text and its moves as an object."""
    board, opening = position_of(record), opening_name(record.game)
    if is_json:
        black, white = board.disc_counts()
        echo_json({
            "board": board.to_text(), "discs": {"black": black, "white": white},
            "moves": list(board.moves()), "opening": opening,
        })  # fmt: skip
        return
    echo(board.to_text() + (f", {opening}" if opening else ""))
    show_othello_board(board)
