"""Published results of source 5, to show beside simulated Othello.

Source 5: Othello by MTD(f) on a cluster of 64 processors, one node 69 us; its columns are (1)
average useful time of a processor, (2) average parallel overhead of a processor, (3) total running
time, in seconds.
"""

from __future__ import annotations

from collections.abc import Sequence

from master.cli.simulating.report import Published
from master.reports.svg_plot import Curve

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
"""(1), (2), (3) by strategy and processors: the table of source 5's chapter on speed-ups."""

BEST_PUBLISHED = "par_tuple"


def published_for(strategy: str) -> str:
    """Return which of source 5's programs a strategy is compared with."""
    return strategy if strategy in PUBLISHED else BEST_PUBLISHED


def _headings(strategy: str) -> tuple[str, ...]:
    return f"{published_for(strategy)} (1)", "(2)", "(3)", "speed-up"


def _cells(strategy: str, processors: int) -> tuple[str, ...]:
    theirs = PUBLISHED[published_for(strategy)].get(processors)
    if theirs is None:
        return ("",) * 4
    return (*map(str, theirs), f"{SEQUENTIAL_S / theirs[2]:.1f}")


def _curves(strategies: Sequence[str]) -> list[Curve]:
    curves = []
    for name in dict.fromkeys(map(published_for, strategies)):
        points = [(p, SEQUENTIAL_S / total) for p, (_, _, total) in PUBLISHED[name].items()]
        curves.append(Curve(f"source 5, {name}", points, is_dashed=True))
    return curves


SOURCE_5 = Published(
    "Othello endgames", _headings, _cells, _curves,
    (
        f"Source 5's columns: seconds on its cluster, against {SEQUENTIAL_S} s of its sequential "
        "program; another search of another tree.",
    ),
)  # fmt: skip
