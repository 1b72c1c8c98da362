"""The events of the scheduler of a parallel search, and its commands: plain values.

`analyser` is one session of one analyser, never given to another; `part` and `generation` name one
handing-out. Bounds are proved: they are true for any part, generation or window that they come
from, and the scheduler uses nothing else of them. Commands are carried out in their order.
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


@value
class HandOutPart:
    """Have an analyser search a position.

    Args:
        analyser: the session.
        position: in the game's form.
        depth: how deep.
        alpha: lower end of the window, seen by the side to move.
        beta: upper end.
        news_depth: send new table entries of at least this depth; None: of none.
    """

    analyser: int
    part: int
    generation: int
    position: bytes
    depth: int
    alpha: int
    beta: int
    news_depth: int | None = None


@value
class StopSearchPart:
    """Have an analyser end a part early and report its proved bounds.

    Args:
        analyser: the session.
        is_shot: it is a hot spot, which is split when the answer comes.
    """

    analyser: int
    part: int
    generation: int
    is_shot: bool = False


@value
class SendEntries:
    """Have an analyser take over other analysers' table entries."""

    analyser: int
    entries: tuple[TableEntry, ...]


@value
class DropAnalyser:
    """An analyser does not answer: end its connection; it may come again.

    Args:
        analyser: the session; the scheduler has forgotten it already.
        text: for people.
    """

    analyser: int
    text: str


@value
class BracketNarrowed:
    """Narrower bounds of the root, for people who watch.

    Args:
        depth: of the iteration.
        lower: at most the root's value.
        upper: at least it.
        move: the canonical best move, if it is known.
    """

    depth: int
    lower: int
    upper: int
    move: int | None


@value
class SearchAnswered:
    """The search has ended.

    Args:
        depth: of the last iteration.
        value: of the root, exact.
        move: the best move's place in canonical order; None: the root was not split.
        line: moves from the root, as far as the master's tree proves each to be best.
    """

    depth: int
    value: int
    move: int | None
    line: tuple[int, ...] = ()


NOBODY = 0
"""The number of no analyser."""


@value
class SearchFailed:
    """Two results contradict each other: one is wrong, and it is not known which.

    Args:
        analyser: the source of the last result; NOBODY: the contradiction showed later.
        text: for people.
    """

    analyser: int
    text: str


SearchCommand: TypeAlias = (
    HandOutPart
    | StopSearchPart
    | SendEntries
    | DropAnalyser
    | BracketNarrowed
    | SearchAnswered
    | SearchFailed
)
