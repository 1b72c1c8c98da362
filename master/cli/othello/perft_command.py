"""`manyply perft othello`: the move generator's numbers, to compare with others'."""

from __future__ import annotations

import time

import click

from engine_ext.othello.board import PERFT_DEPTH_MAX, OthelloBoard, perft
from master.cli.arguments import json_option, read_depth
from master.cli.interruptible import interruptible
from master.cli.othello.arguments import to_othello_board
from master.cli.output import echo, echo_json


# A board may begin with `-`.
@click.command(
    "othello",
    short_help="Games some plies long.",
    context_settings={"ignore_unknown_options": True},
)
@click.argument("arguments", metavar="[BOARD] DEPTH", nargs=-1)
@json_option
def perft_othello(arguments: tuple[str, ...], is_json: bool) -> None:
    """Count the ways to play DEPTH plies; a pass is a ply, a game that ends before is one way.

    BOARD: 64 characters X, O and - from a1, b1, ... on, then the side to move, in quotes (36 or
    16 characters on smaller boards); or a transcript such as f5d6c3, a game in GGF, or an FFO
    endgame such as FFO40. Without it, from the start position: depth 1 is 4, depth 2 is 12.
    """
    if not arguments or not arguments[-1].isdecimal():
        raise click.UsageError("expected [BOARD] DEPTH, such as `manyply perft othello 9`")
    depth = read_depth(arguments[-1], PERFT_DEPTH_MAX)
    board = OthelloBoard.start() if len(arguments) == 1 else to_othello_board(arguments[:-1])
    started = time.perf_counter()
    count = interruptible(lambda: perft(board, depth))
    seconds = time.perf_counter() - started
    if is_json:
        echo_json({"board": board.to_text(), "depth": depth, "games": count, "seconds": seconds})
    else:
        echo(f"{board.to_text()} depth {depth}: {count:,} games, {seconds:.2f} s")
