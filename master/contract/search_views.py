"""How a running search is shown: plain values, one set for every way in.

Knows no scheduler, seat or socket; a view is a copy and is never followed further.
"""

from dataclasses import dataclass


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
class HotSpot:
    """A part that somebody searches now; the oldest are the hottest.

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
class SearchView:
    """How a job that is a search stands.

    Args:
        phase: what goes on, for people; empty: nothing.
        position: what is searched now, in the game's words.
        lower: at most its value, in the game's unit; None: nothing is proved.
        upper: at least it; None likewise.
        move: the best move's place, once it is proved.
        is_exact: values are scores of best play to the end, else evaluations.
        nodes: of the whole job so far.
        seconds: that it has run so far.
        parts: handed out.
        shot: hot spots stopped and split.
        searchers: analysers that search, by name.
        hot_spots: what they search, the oldest first.
        answer: at the end, in the game's words; empty before.
    """

    phase: str = ""
    position: str = ""
    lower: int | None = None
    upper: int | None = None
    move: int | None = None
    is_exact: bool = False
    nodes: int = 0
    seconds: float = 0.0
    parts: int = 0
    shot: int = 0
    searchers: tuple[SearcherLine, ...] = ()
    hot_spots: tuple[HotSpot, ...] = ()
    answer: str = ""
