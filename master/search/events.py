"""The events of the scheduler of a parallel search: plain values; see commands.py.

`analyser` is one session of one analyser, never given to another; `part` and `generation` name one
handing-out. Bounds are proved: they are true for any part, generation or window that they come
from, and the scheduler uses nothing else of them.
"""

from typing import TypeAlias

from protocol.values import value

TableEntry: TypeAlias = tuple[bytes, int, bytes]
"""A transposition-table entry to replicate, a truth about (position, depth): (key, depth, content).

The key names position and depth, and both it and the content are in the engine's form.  A plain
tuple: a search of a second takes tens of thousands.
"""


@value
class MoveBounds:
    """Bounds of one move of a part's position: lower <= value <= upper, the mover's view.

    Args:
        index: the move's place in canonical order.
        lower: at most its value.
        upper: at least its value.
        estimate: about its value; it orders searches only.
    """

    index: int
    lower: int
    upper: int
    estimate: int | None = None


@value
class AnalyserCame:
    """An analyser can take parts of this search.

    Args:
        analyser: the session.
        is_stranger: somebody else's: the answer must not rest on its bounds alone.
    """

    analyser: int
    is_stranger: bool = False


@value
class AnalyserWent:
    """An analyser's connection is gone, and with it all it was searching."""

    analyser: int


@value
class GuessCame:
    """There is a better guess of the root's value."""

    guess: int


@value
class SearchPartEnded:
    """The one final reply of an attempt, whether it was finished or stopped.

    Args:
        analyser: the session.
        part: the part.
        generation: the attempt.
        lower: proved: at most the value of its position, seen by the side to move there.
        upper: proved: at least that value.
        nodes: searched for it.
        best: the best move found so far; None if none.
        moves: proved bounds of its position's moves, which are finished searches below it.
    """

    analyser: int
    part: int
    generation: int
    lower: int
    upper: int
    nodes: int = 0
    best: int | None = None
    moves: tuple[MoveBounds, ...] = ()


@value
class TableNews:
    """New table entries of an analyser."""

    analyser: int
    entries: tuple[TableEntry, ...]


@value
class SearchTick:
    """Time has passed."""


SearchEvent: TypeAlias = (
    AnalyserCame | AnalyserWent | GuessCame | SearchPartEnded | TableNews | SearchTick
)
