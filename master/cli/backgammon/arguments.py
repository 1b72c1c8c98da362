"""Options and arguments that commands about backgammon share, and how their texts are read."""

from __future__ import annotations

import re

import click

from engine_ext.backgammon.context import PLY_MAX
from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.move_filters import MOVE_FILTERS
from engine_ext.backgammon.play import cube_of
from master.cli.arguments import CountType, Decorator

Dice = tuple[int, int]


def read_id(text: str) -> GameState:
    """Return what any of the ID forms says; ValueError if it, or its cube, is not playable."""
    state = parse_id(text.strip())
    cube_of(state.match)
    return state


def read_dice(text: str) -> Dice:
    """Return two dice, written 31, 3-1, 3,1 or `3 1`; ValueError otherwise."""
    match = re.fullmatch(r"\s*([1-6])[-, ]?\s*([1-6])\s*", text)
    if match is None:
        raise ValueError(f"{text!r} is not a roll: expected two dice of 1 to 6, such as 31")
    return int(match[1]), int(match[2])


def ply_option(name: str, field: str, text: str, default: int | None = None) -> Decorator:
    """Return an option that takes a ply, and says its default unless it is None."""
    return click.option(
        name, field, type=CountType(0, PLY_MAX), default=default, show_default=default is not None,
        metavar="N", help=text,
    )  # fmt: skip


plies_option = ply_option(
    "--plies", "ply", "Look-ahead in gnubg's count (0 = static evaluation).", 0
)

filter_option = click.option(
    "--filter", "move_filter", type=click.Choice(MOVE_FILTERS), default="normal",
    show_default=True, help="How many moves are looked ahead at, from 1-ply on.",
)  # fmt: skip

batch_option = click.option(
    "--batch", type=click.File("r", errors="replace"), metavar="FILE|-",
    help="Read one ID a line; answer one JSON object a line, in order.",
)  # fmt: skip
