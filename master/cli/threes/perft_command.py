"""`manyply perft threes`: counts the boards after moves, to compare with others' rules."""

from __future__ import annotations

import click

from engine_ext.threes.board import ThreesBoard
from master.cli.arguments import json_option
from master.cli.output import echo, echo_drawing, echo_json
from master.cli.terminal import WIDTH_DEFAULT, terminal_width
from master.cli.threes.arguments import board_argument
from master.games.threes.board_view import heading, side_by_side, threes_lines, titled


@click.command("threes", short_help="The moves of a board.")
@board_argument
@json_option
def perft_threes(position: ThreesBoard, is_json: bool) -> None:
    """Show BOARD after each legal move, and where a card may enter then.

    BOARD: 16 hex digits row by row, 0 empty, 1 and 2 the cards 1 and 2, 3 the card 3, 4 the card
    6, ... f the card 12288; or 16 numbers of cards with spaces or commas between them, 0 or . for
    none. Squares count from 0 at the top left, row by row.
    """
    if is_json:
        moves = {
            name: {"board": position.shifted(name).to_text(), "entry": list(position.entries(name))}
            for name in position.moves()
        }
        echo_json({"moves": moves, "score": position.score})
        return
    echo(heading(position))
    drawings = [
        titled(name, threes_lines(position.shifted(name), position.entries(name)))
        for name in position.moves()
    ]
    if drawings:
        echo_drawing(side_by_side(drawings, terminal_width() or WIDTH_DEFAULT))
