"""Options and arguments that several commands share, and how their texts are read.

A reader raises click.BadParameter with one sentence; it never guesses.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import click

from engine_ext.backgammon.context import PLY_MAX
from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.move_filters import MOVE_FILTERS
from engine_ext.backgammon.play import cube_of
from engine_ext.othello.board import OthelloBoard

Dice = tuple[int, int]
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class Count(click.IntRange):
    """A whole number in a range, called so in messages."""

    name = "whole number"

    def __init__(self, least: int, most: int) -> None:
        """Take both ends: a number without end is one that something behind cannot hold."""
        super().__init__(least, most)


def reads(parse: Callable[[str], object]) -> Callable[..., object]:
    """Return a click callback that reads a text; a ValueError's sentence becomes the message."""

    def callback(ctx: click.Context, param: click.Parameter, value: str | None) -> object:
        if value is None:
            return None
        try:
            return parse(value)
        except ValueError as error:
            raise click.BadParameter(str(error), ctx=ctx, param=param) from error

    return callback


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


def read_std_error(text: str) -> float:
    """Return a standard error to stop at: a finite number above 0; ValueError otherwise."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise ValueError(f"{text!r} is not a standard error: expected a number above 0")
    return value


def together(*options: Decorator) -> Decorator:
    """Return several options as one, in the order of the help page."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def to_othello_board(words: Sequence[str]) -> OthelloBoard:
    """Return the board that these words of a command line are; UsageError if they are none.

    A board may begin with `-`, so that such commands get options they do not know as words.
    """
    for word in words:
        if re.fullmatch(r"--?[a-z][a-z-]*(=.*)?", word):
            raise click.NoSuchOption(word.partition("=")[0])
    try:
        return OthelloBoard.from_text(" ".join(words))
    except ValueError as error:
        raise click.UsageError(str(error)) from error


json_option = click.option("--json", "is_json", is_flag=True, help="Print JSON, full precision.")


def ply_option(name: str, field: str, text: str, default: int | None = None) -> Decorator:
    """Return an option that takes a ply, and says its default unless it is None."""
    return click.option(
        name, field, type=Count(0, PLY_MAX), default=default, show_default=default is not None,
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
