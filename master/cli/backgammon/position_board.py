"""Boards of positions that commands draw."""

from __future__ import annotations

import sys
from dataclasses import asdict

from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_id import to_match_id
from engine_ext.backgammon.match_state import GameState
from master.cli.arguments import is_board_shown
from master.cli.output import echo, echo_json
from master.cli.styled import echo_drawing
from master.cli.terminal import is_terminal, terminal_width
from master.games.backgammon.play.board_view import (
    NAMES,
    SIDE_BY_SIDE_COLUMNS,
    board_lines,
    scene_of,
)
from master.games.backgammon.typed import Dice
from master.reports.report import Report

RESIGNED = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


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


def offer_text(state: GameState, name: str) -> str:
    """Return the offer that the opponent must answer, or nothing."""
    match = state.match
    if match.is_double_offered:
        return f"{name} doubles to {2 * match.cube_value}"
    return f"{name} resigns {RESIGNED[match.resignation]}" if match.resignation else ""


def show_position(state: GameState, *, is_json: bool) -> None:
    """Print an ID and draw its position, or print both as an object."""
    if is_json:
        echo_json(_position_report(state))
        return
    echo(to_gnubg_id(state))
    show_board(state)


def _position_report(state: GameState) -> Report:
    """Return a position and its match, both seen by the player on roll."""
    pips = state.position.pip_counts()
    return {
        "position_id": state.position.position_id,
        "match_id": to_match_id(state.match),
        "pip_counts": list(pips),
        "match": asdict(state.match),
    }
