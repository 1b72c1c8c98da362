"""`manyply perft`: a move generator's numbers, to compare with others'.

Knows options and layout; the counting is the engine's.
"""

from __future__ import annotations

import time

import click

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.movegen import perft
from engine_ext.othello.board import PERFT_DEPTH_MAX as OTHELLO_DEPTH_MAX
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.board import perft as othello_perft
from master.cli.arguments import json_option, to_othello_board
from master.cli.interruptible import interruptible
from master.cli.output import echo, echo_json

PERFT_DEPTH_MAX = 5
"""Depth 4 is about 10^11 positions; more would not end in a lifetime."""


@click.group("perft")
def perft_command() -> None:
    """Count positions, to compare a move generator with others."""


@perft_command.command("backgammon", short_help="Distinct positions some rolls ahead.")
@click.argument("arguments", metavar="[ID] DEPTH", nargs=-1)
@json_option
def perft_backgammon(arguments: tuple[str, ...], is_json: bool) -> None:
    """Count the distinct positions DEPTH rolls ahead, summed over the 21 rolls.

    Without an ID, from the start position: depth 1 is 447, depth 2 is 202,782.
    """
    if len(arguments) not in (1, 2) or not arguments[-1].isdecimal():
        raise click.UsageError("expected [ID] DEPTH, such as `manyply perft backgammon 2`")
    depth = _depth(arguments[-1])
    position = START if len(arguments) == 1 else _position(arguments[0])
    started = time.perf_counter()
    count = interruptible(lambda: perft(position, depth))
    seconds = time.perf_counter() - started
    if is_json:
        echo_json({"position_id": position.position_id, "depth": depth, "positions": count,
                   "seconds": seconds})  # fmt: skip
    else:
        echo(f"{position.position_id} depth {depth}: {count:,} positions, {seconds:.2f} s")


# A board may begin with `-`.
@perft_command.command(
    "othello",
    short_help="Games some plies long.",
    context_settings={"ignore_unknown_options": True},
)
@click.argument("arguments", metavar="[BOARD] DEPTH", nargs=-1)
@json_option
def perft_othello(arguments: tuple[str, ...], is_json: bool) -> None:
    """Count the ways to play DEPTH plies; a pass is a ply, a game that ends before is one way.

    BOARD: 64 characters X, O and - from a1, b1, ... on, then the side to move, in quotes (36 or
    16 characters on smaller boards). Without it, from the start position: depth 1 is 4, depth 2
    is 12.
    """
    if not arguments or not arguments[-1].isdecimal():
        raise click.UsageError("expected [BOARD] DEPTH, such as `manyply perft othello 9`")
    depth = _depth(arguments[-1], OTHELLO_DEPTH_MAX)
    board = OthelloBoard.start() if len(arguments) == 1 else to_othello_board(arguments[:-1])
    started = time.perf_counter()
    count = interruptible(lambda: othello_perft(board, depth))
    seconds = time.perf_counter() - started
    if is_json:
        echo_json({"board": board.to_text(), "depth": depth, "games": count, "seconds": seconds})
    else:
        echo(f"{board.to_text()} depth {depth}: {count:,} games, {seconds:.2f} s")


def _depth(text: str, depth_max: int = PERFT_DEPTH_MAX) -> int:
    depth = int(text[:2])
    if len(text) > 2 or not 1 <= depth <= depth_max:
        raise click.UsageError(f"DEPTH is 1 to {depth_max}, not {text}")
    return depth


def _position(text: str) -> Position:
    try:
        return parse_id(text).position
    except ValueError as error:
        raise click.UsageError(str(error)) from error
