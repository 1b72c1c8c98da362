"""Views of a running search for display: plain values, one set for every way in.

A view is a copy and is never updated.
"""

from dataclasses import dataclass
from enum import StrEnum

from master.contract.shapes import Count, Rate, Shown


@dataclass(frozen=True, slots=True)
class SearcherLine(Shown):
    """One analyser that searches.

    Args:
        name: its name in the fleet.
        workers: parts it searches at a time.
        parts: outstanding, with those that are stopping.
        nodes: searched so far, by the reports at the ends of parts.
        nodes_per_s: over the last seconds.
    """

    name: str
    workers: Count
    parts: Count
    nodes: Count
    nodes_per_s: Rate


@dataclass(frozen=True, slots=True)
class HotSpot(Shown):
    """A part that an analyser searches now; the oldest are the hottest.

    Args:
        name: of the analyser.
        path: the moves' places that lead to it from the root; None: not known.
        depth: how deep it is searched.
        age_s: since when.
    """

    name: str
    path: tuple[int, ...] | None
    depth: int
    age_s: Rate


@dataclass(frozen=True, slots=True)
class SearchView(Shown):
    """The state of a job that is a search.

    Args:
        phase: the current step, for people; empty: none.
        position: the position searched now, in the game's words.
        lower: at most its value, in the game's unit; None: nothing is proved.
        upper: at least it; None likewise.
        move: the best move's place, once it is proved.
        is_exact: values are scores of best play to the end, else evaluations.
        nodes: of the whole job so far.
        seconds: that it has run so far.
        parts: handed out.
        shot: hot spots stopped and split.
        searchers: analysers that search, by name.
        hot_spots: the nodes they search, the oldest first.
        answer: at the end, in the game's words; empty before.
    """

    phase: str = ""
    position: str = ""
    lower: int | None = None
    upper: int | None = None
    move: int | None = None
    is_exact: bool = False
    nodes: Count = 0
    seconds: Rate = 0.0
    parts: Count = 0
    shot: Count = 0
    searchers: tuple[SearcherLine, ...] = ()
    hot_spots: tuple[HotSpot, ...] = ()
    answer: str = ""


TREE_PLIES_MAX = 4
"""From the root: deeper nodes come and go faster than one can read."""

TREE_NODES_MAX = 500
"""Some screens full."""


class NodeState(StrEnum):
    """The state of a node of the search tree."""

    WAITS = "waits"
    """It is needed, and no analyser searches it yet."""
    SEARCHED = "searched"
    """An analyser searches it as one part."""
    SHOT = "shot"
    """It was a hot spot: its searcher is to stop, so that others can share its moves."""
    SPLIT = "split"
    """Its moves are searched, each for itself."""
    ELSEWHERE = "elsewhere"
    """Other moves lead to the same position, which is searched or split there."""
    PROVED = "proved"
    """Its value is known."""
    CUT = "cut"
    """No more of it is needed."""


@dataclass(frozen=True, slots=True)
class TreeNode(Shown):
    """A node near the root of a running search; bounds are seen by the side to move there.

    Args:
        path: the moves' places that lead to it from the root.
        depth: how deep it is to be searched.
        lower: at most its value; None: nothing is proved.
        upper: at least it; None likewise.
        window: the sought range of its value, `alpha` to `beta`, None where there is no end; None:
            no range, or not at its own place.
        state: its state.
        is_shot: its moves are searched because it was a hot spot.
        searchers: the analysers that search it as one part, by name; one for each of their workers.
        busy: workers that search it or something below it.
        nodes: that analysers searched for it and for all below it, by the ends of parts.
        age_s: how long the oldest part of it has been searched; None: it is none.
        child_count: its moves, if it is split; not all of them need be shown.
    """

    path: tuple[int, ...]
    depth: int
    lower: int | None
    upper: int | None
    window: tuple[int | None, int | None] | None
    state: NodeState
    is_shot: bool
    searchers: tuple[str, ...]
    busy: int
    nodes: int
    age_s: float | None
    child_count: int


@dataclass(frozen=True, slots=True)
class SearchTreeView(Shown):
    """The top of a job's search tree.

    Args:
        game: the game searched.
        is_running: the job runs.
        search: its state; its position is the root of these nodes.
        nodes: parents before children, brothers in the order of moves; none: nothing is searched
            just now.
    """

    game: str
    is_running: bool
    search: SearchView
    nodes: tuple[TreeNode, ...] = ()
