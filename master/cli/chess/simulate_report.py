"""Published results of the hypercube's chess program, to show beside ours.

Source 2: 101 of 256 processors on the same benchmark, and an estimate of 170 of 512.
"""

from __future__ import annotations

from collections.abc import Sequence

from master.cli.simulating.report import Published
from master.reports.svg_plot import Curve

SPEEDUPS = {256: 101.0, 512: 170.0}


def _cells(strategy: str, processors: int) -> tuple[str, ...]:
    return (f"{SPEEDUPS[processors]:.0f}" if processors in SPEEDUPS else "",)


def _curves(strategies: Sequence[str]) -> list[Curve]:
    return [Curve("hypercube", list(SPEEDUPS.items()), is_dashed=True)]


HYPERCUBE = Published(
    "chess", lambda strategy: ("hypercube",), _cells, _curves,
    (
        "The hypercube's speed-ups are of another program on another machine: 12 positions of the "
        "Bratko-Kopec test, two searches each; that of 512 is an estimate.",
    ),
)  # fmt: skip
