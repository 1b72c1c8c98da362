"""Boards of positions that commands draw."""

from __future__ import annotations

import sys

from engine_ext.backgammon.match_state import GameState
from master.cli.arguments import is_board_shown
from master.cli.output import echo, echo_drawing
from master.cli.terminal import is_terminal, terminal_width
from master.games.backgammon.play.board_view import (
    NAMES,
    SIDE_BY_SIDE_COLUMNS,
    board_lines,
    offer_text,
    scene_of,
)
from master.games.backgammon.typed import Dice


def show_board_if(board: bool | None, state: GameState, dice: Dice | None = None) -> None:
    """Draw a state where a board is wanted."""
    if is_board_shown(board, is_terminal=is_terminal(sys.stdout)):
        show_board(state, dice)


def show_board(state: GameState, dice: Dice | None = None, names: tuple[str, str] = NAMES) -> None:
    """Draw a state with this roll, or its own, as wide as the terminal allows."""
    scene = scene_of(state, dice, names)
    echo_drawing(board_lines(scene, terminal_width() or SIDE_BY_SIDE_COLUMNS))
    if offer := offer_text(state, names[0]):
        echo(f" {offer}")
