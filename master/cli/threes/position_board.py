"""Boards of Threes! that commands draw."""

from __future__ import annotations

from engine_ext.threes.board import ThreesBoard, card_of
from master.cli.output import echo, echo_json
from master.cli.styled import echo_drawing
from master.cli.threes.arguments import POSITION_PREFIX
from master.games.threes.board_view import threes_lines


def show_position(board: ThreesBoard, *, is_json: bool) -> None:
    """Print a board's text and draw it, or print both as an object."""
    if is_json:
        cards = [card_of(rank) if rank else 0 for rank in board.ranks]
        echo_json({
            "board": board.to_text(), "cards": cards, "score": board.score,
            "moves": list(board.moves()),
        })  # fmt: skip
        return
    echo_heading(board)
    echo_drawing(threes_lines(board))


def echo_heading(board: ThreesBoard) -> None:
    """Print a board's text, which `show` reads, and its points."""
    ending = "" if board.moves() else ", no move is legal"
    echo(f"{POSITION_PREFIX}{board.to_text()}  {board.score:,} points{ending}")
