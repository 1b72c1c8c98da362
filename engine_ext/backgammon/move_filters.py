"""gnubg's move filters: which moves of a roll stay in consideration after a level.

Source of names and numbers: gnubg's manual, "Move filters".

There is a step after 0-ply, and one after 2-ply if the search continues to 3-ply.  There is no
step at 1-ply: equities of odd levels are biased against those of even levels.
"""

from __future__ import annotations

from typing import NamedTuple


class FilterStep(NamedTuple):
    """How many of the ranked moves stay: never none.

    Args:
        accept: so many always.
        extra: at most so many more, if
        threshold: their equity is at most this much below the best one's.
    """

    accept: int
    extra: int
    threshold: float


FILTERS = {
    "tiny": (FilterStep(0, 8, 0.08), FilterStep(0, 2, 0.02)),
    "narrow": (FilterStep(0, 8, 0.12), FilterStep(0, 2, 0.03)),
    "normal": (FilterStep(0, 8, 0.16), FilterStep(0, 2, 0.04)),
    "large": (FilterStep(0, 16, 0.32), FilterStep(0, 4, 0.08)),
    "huge": (FilterStep(0, 20, 0.44), FilterStep(0, 6, 0.11)),
}

MOVE_FILTERS = tuple(FILTERS)
"""Their names, narrowest first."""

LEVELS = ((), (1,), (2,), (2, 3))
"""For each ply of a search: the levels after the steps of its filter."""
