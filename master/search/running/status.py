"""The state of a running search for displays: plain values.

A standing is a copy and is never updated.
"""

from dataclasses import dataclass

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.contract.search_views import HotSpot, SearcherLine
from master.search.commands import SearchAnswered


@dataclass(frozen=True, slots=True)
class SearchStatus:
    """A search, running or answered.

    Args:
        depth: of the iteration.
        lower: at most the root's value; None: nothing is proved.
        upper: at least it; None likewise.
        move: the best move's place, once it is proved.
        nodes: searched so far.
        seconds: since the beginning.
        parts: handed out.
        shot: hot spots stopped and split.
        analysers: those that search, by name.
        running: the positions they search, the oldest first.
        answer: at the end.
        unconfirmed: bounds from strangers that others are proving again.
    """

    depth: int
    lower: int | None
    upper: int | None
    move: int | None
    nodes: int
    seconds: float
    parts: int
    shot: int
    analysers: tuple[SearcherLine, ...]
    running: tuple[HotSpot, ...]
    answer: SearchAnswered | None = None
    unconfirmed: int = 0


def shown_bounds(lower: int, upper: int) -> tuple[int | None, int | None]:
    """Return bounds as they are shown: None where nothing is proved."""
    return lower if lower > -VALUE_LIMIT else None, upper if upper < VALUE_LIMIT else None
