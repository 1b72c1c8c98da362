"""`manyply perft backgammon`: the move generator's numbers, to compare with others'."""

from __future__ import annotations

import time

import click

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.movegen import perft
from master.cli.arguments import json_option, read_depth
from master.cli.interruptible import interruptible
from master.cli.output import echo, echo_json
from master.games.backgammon.typed import read_id

PERFT_DEPTH_MAX = 5
"""Depth 4 is about 10^11 positions; more would not end in a lifetime."""


@click.command("backgammon", short_help="Distinct positions some rolls ahead.")
@click.argument("arguments", metavar="[ID] DEPTH", nargs=-1)
@json_option
def perft_backgammon(arguments: tuple[str, ...], is_json: bool) -> None:
    """Count the distinct positions DEPTH rolls ahead, summed over the 21 rolls.

    Without an ID, from the start position: depth 1 is 447, depth 2 is 202,782.
    """
    if len(arguments) not in (1, 2) or not arguments[-1].isdecimal():
        raise click.UsageError("expected [ID] DEPTH, such as `manyply perft backgammon 2`")
    depth = read_depth(arguments[-1], PERFT_DEPTH_MAX)
    position = START if len(arguments) == 1 else _position(arguments[0])
    started = time.perf_counter()
    count = interruptible(lambda: perft(position, depth))
    seconds = time.perf_counter() - started
    if is_json:
        echo_json({"position_id": position.position_id, "depth": depth, "positions": count,
                   "seconds": seconds})  # fmt: skip
    else:
        echo(f"{position.position_id} depth {depth}: {count:,} positions, {seconds:.2f} s")


def _position(text: str) -> Position:
    try:
        return read_id(text).position
    except ValueError as error:
        raise click.UsageError(str(error)) from error
