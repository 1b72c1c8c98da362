"""How a running search stands, as displays show it: plain values.

Knows no scheduler, seat or socket; a standing is a copy and is never followed further.
"""

from dataclasses import dataclass

from master.search.commands import SearchAnswered


@dataclass(frozen=True, slots=True)
class SearcherLine:
    """One analyser that searches.

    Args:
        name: as the fleet knows it.
        workers: parts it searches at a time.
        parts: outstanding, those told to stop among them.
        nodes: searched so far, by what it said at the ends of parts.
        nodes_per_s: over the last seconds.
    """

    name: str
    workers: int
    parts: int
    nodes: int
    nodes_per_s: float


@dataclass(frozen=True, slots=True)
class RunningPart:
    """A part that somebody searches now; the oldest are the hot spots.

    Args:
        name: of the analyser.
        path: the moves' places that lead to it from the root; None: not known.
        depth: how deep it is searched.
        age_s: since when.
    """

    name: str
    path: tuple[int, ...] | None
    depth: int
    age_s: float


@dataclass(frozen=True, slots=True)
class Standing:
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
        running: what they search, the oldest first.
        answer: at the end.
        unconfirmed: bounds that strangers told and that others are proving again.
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
    running: tuple[RunningPart, ...]
    answer: SearchAnswered | None = None
    unconfirmed: int = 0
