"""A running search for displays: its state, the top of its tree, and the paths to its parts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.contract.search_views import HotSpot, SearcherLine, TreeNode
from master.search.events import SearchAnswered
from master.search.rules import SearchRules
from master.search.tree_top import TopNode


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


PATHS_MAX = 1 << 16
"""Positions remembered: 10 MB. Positions split beyond that are shown without a path."""


class TreePaths:
    """The paths below one root."""

    def __init__(self, rules: SearchRules, root: bytes, depth: int) -> None:
        """Begin with the root."""
        self._rules = rules
        self._known: dict[bytes, tuple[int, ...]] = {root: ()}
        self._split = [(root, depth)]

    def record_split(self, position: bytes, depth: int) -> None:
        """Record that a position's children may be searched from now on."""
        if len(self._split) < PATHS_MAX:
            self._split.append((position, depth))

    def path(self, position: bytes) -> tuple[int, ...] | None:
        """Return a path to a position; None if none is known."""
        split, self._split = self._split, []
        for parent, depth in split:
            self._add_children(parent, depth)
        return self._known.get(position)

    def _add_children(self, parent: bytes, depth: int) -> None:
        path = self._known.get(parent)
        if path is None or len(self._known) >= PATHS_MAX:
            return
        for index, child in enumerate(self._rules.children(parent, depth)):
            self._known.setdefault(child.position, (*path, index))


def tree_nodes(
    top: Sequence[TopNode], name_of: Callable[[int], str], now: float
) -> tuple[TreeNode, ...]:
    """Return nodes as they are shown.

    Args:
        top: of the tree.
        name_of: an analyser's number.
        now: by the scheduler's clock.
    """
    return tuple(_tree_node(node, name_of, now) for node in top)


def _tree_node(node: TopNode, name_of: Callable[[int], str], now: float) -> TreeNode:
    lower, upper = shown_bounds(node.lower, node.upper)
    return TreeNode(
        path=node.path,
        depth=node.depth,
        lower=lower,
        upper=upper,
        window=None if node.window is None else shown_bounds(*node.window),
        state=node.state,
        is_shot=node.is_shot,
        searchers=tuple(sorted(map(name_of, node.analysers))),
        busy=node.busy,
        nodes=node.nodes,
        age_s=None if node.since is None else max(0.0, now - node.since),
        child_count=node.child_count,
    )
