"""`manyply simulate othello`: speed-up tables of parallel endgame solving, in virtual time."""

from __future__ import annotations

from collections.abc import Sequence

import click

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ffo import is_suite_name, suite_position
from master.cli.arguments import reads
from master.cli.simulating.options import SimulateOptions, simulate_options
from master.cli.simulating.report import Published
from master.cli.simulating.runs import simulate_all
from master.games.othello import speedup
from master.reports.svg_plot import Curve

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
    simulate_all(speedup, positions, options, SATIN)


# Published results: Othello by MTD(f) in Java on Ibis/Satin (source 5), a cluster of 64 processors,
# one node 69 us.  Columns: mean useful time of a processor, its mean parallel overhead, the total
# running time, in seconds.

SEQUENTIAL_S = 3776

PUBLISHED = {
    "par": {
        1: (3839, 0, 3839), 2: (1925, 2, 1927), 4: (1624, 4, 1626), 8: (1204, 12, 1216),
        16: (853, 13, 866), 24: (675, 18, 693), 32: (542, 20, 562), 48: (528, 24, 552),
        64: (442, 29, 471),
    },
    "par_rmi": {
        1: (3791, 0, 3791), 2: (2135, 2, 2137), 4: (1104, 5, 1109), 8: (730, 10, 740),
        16: (432, 15, 447), 24: (382, 28, 410), 32: (334, 36, 370), 48: (273, 66, 339),
        64: (236, 73, 309),
    },
    "par_tuple": {
        1: (4255, 0, 4255), 2: (2326, 5, 2331), 4: (1227, 6, 1233), 8: (704, 10, 715),
        16: (418, 20, 438), 24: (346, 22, 368), 32: (301, 30, 331), 48: (236, 34, 271),
        64: (189, 47, 231),
    },
}  # fmt: skip
"""Useful time, overhead and total by strategy and processors: the chapter on speed-ups."""

BEST_PUBLISHED = "par_tuple"


def published_for(strategy: str) -> str:
    """Return the Satin program with which a strategy is compared."""
    return strategy if strategy in PUBLISHED else BEST_PUBLISHED


def _headings(strategy: str) -> tuple[str, ...]:
    return f"Satin {published_for(strategy)} computing s", "overhead s", "total s", "speed-up"


def _cells(strategy: str, processors: int) -> tuple[str, ...]:
    theirs = PUBLISHED[published_for(strategy)].get(processors)
    if theirs is None:
        return ("",) * 4
    return (*map(str, theirs), f"{SEQUENTIAL_S / theirs[2]:.1f}")


def _curves(strategies: Sequence[str]) -> list[Curve]:
    curves = []
    for name in dict.fromkeys(map(published_for, strategies)):
        points = [(p, SEQUENTIAL_S / total) for p, (_, _, total) in PUBLISHED[name].items()]
        curves.append(Curve(f"Satin, {name}", points, is_dashed=True))
    return curves


SATIN = Published(
    "Othello endgames", _headings, _cells, _curves,
    (
        "Satin columns: measured seconds of a published Othello program in Java (MTD(f) on "
        f"Ibis/Satin, a cluster of 64 processors); speed-ups relative to its {SEQUENTIAL_S} s on "
        "one. It searched other trees.",
    ),
)  # fmt: skip
