"""`manyply simulate othello`: speed-up tables of parallel endgame solving, in virtual time."""

from __future__ import annotations

import click

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ffo import is_suite_name, suite_position
from master.cli.arguments import reads
from master.cli.othello.simulate_report import SOURCE_5
from master.cli.simulating.options import SimulateOptions, simulate_options
from master.cli.simulating.runs import simulate_all
from master.games.othello import speedup

EMPTIES_MAX = 30
"""Positions with more empty squares take an hour and more."""

DEFAULT_NAMES = ("FFO26", "FFO28", "FFO36", "FFO41")
"""From 20 to 22 empty squares: enough nodes for a table, few enough for a minute."""

Positions = tuple[tuple[str, OthelloBoard], ...]


NODE_NS = 40.0
"""Of a node of an endgame."""


def read_positions(text: str) -> Positions:
    """Return the boards of names, FFO41,FFO43, or one board of 64 characters and its side."""
    names = text.split(",")
    if not any(map(is_suite_name, names)):
        return (("board", _checked("the board", OthelloBoard.from_text(text))),)
    rows = {row.name: row for row in map(suite_position, names)}
    return tuple((name, _checked(name, row.board)) for name, row in rows.items())


def _checked(name: str, board: OthelloBoard) -> OthelloBoard:
    """Return a board; ValueError, by its name, if it takes no search or too long a one."""
    if board.is_over:
        raise ValueError(f"{name} cannot be played on")
    if board.empties > EMPTIES_MAX:
        raise ValueError(
            f"{name} has {board.empties} empty squares: expected {EMPTIES_MAX} at most"
        )
    return board


@click.command("othello", short_help="Endgames solved by up to hundreds of processors.")
@click.option(
    "--positions", default=",".join(DEFAULT_NAMES), show_default=True, metavar="NAMES|BOARD",
    callback=reads(read_positions),
    help=f"FFO endgames of up to {EMPTIES_MAX} empty squares, or one board and its side to move.",
)  # fmt: skip
@simulate_options(NODE_NS)
def simulate_othello(positions: Positions, options: SimulateOptions) -> None:
    """Solve Othello endgames by fleets of every size, in virtual time, and print the speed-ups.

    The shipped scheduler hands out real searches. Time is counted in nodes: every run prints the
    same. Value and first best move are compared with the sequential search's.
    """
    simulate_all(speedup, positions, options, SOURCE_5)
