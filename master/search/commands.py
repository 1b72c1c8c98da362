"""The commands of the scheduler of a parallel search, to be carried out in their order.

See events.py for the events that they answer.
"""

from typing import TypeAlias

from master.search.events import TableEntry
from protocol.values import value


@value
class HandOutPart:
    """Have an analyser search a position.

    Args:
        analyser: the session.
        part: the part.
        generation: the attempt.
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
        part: the part.
        generation: the attempt.
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
