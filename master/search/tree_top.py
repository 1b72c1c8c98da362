"""The top of the tree of a running search, for people: the searched nodes and their bounds.

It changes nothing of the search's state.

The nodes with the most workers, then with the most searched nodes, come first: a tree has a quarter
of a million nodes, and a person reads some dozens.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterator

from master.contract.search_views import TREE_NODES_MAX, TREE_PLIES_MAX, NodeState
from master.search.searchers import SearchAttempt
from master.search.state import SearchState
from protocol.values import value


@value
class TopNode:
    """The state of a node; bounds and window are seen by its side to move.

    Args:
        path: the moves' places that lead to it.
        depth: how deep it is to be searched.
        lower: proved, -VALUE_LIMIT if nothing is.
        upper: proved, VALUE_LIMIT likewise.
        window: in which the last sweep wanted it, at its own place; None: it did not.
        state: its state.
        is_shot: it is split, and was a hot spot.
        analysers: those that have it as a part, by number, ascending.
        busy: parts that are outstanding there and below.
        nodes: searched for it and for all below it.
        since: when the oldest of its parts was begun; None: it is no part.
        child_count: its moves, if it is split.
    """

    path: tuple[int, ...]
    depth: int
    lower: int
    upper: int
    window: tuple[int, int] | None
    state: NodeState
    is_shot: bool
    analysers: tuple[int, ...]
    busy: int
    nodes: int
    since: float | None
    child_count: int


def top_nodes(
    state: SearchState, plies_max: int = TREE_PLIES_MAX, count_max: int = TREE_NODES_MAX
) -> tuple[TopNode, ...]:
    """Return the root and the hottest nodes below it: parents first, brothers in their order.

    Args:
        state: of the search.
        plies_max: how far from the root they may be.
        count_max: how many there may be, at least one.
    """
    parts = _parts(state)
    busy = _busy(state, parts)
    chosen = _hottest(state, busy, plies_max, count_max)
    return tuple(_node(state, node, parts, busy) for node in _in_order(state, chosen))


Parts = dict[int, list[tuple[int, SearchAttempt]]]
"""The outstanding parts by their nodes, each with its analyser's number."""


def _parts(state: SearchState) -> Parts:
    found: Parts = defaultdict(list)
    for analyser, attempt in state.searchers.current():
        if attempt.part.tree is state.tree:
            found[attempt.part.node].append((analyser.number, attempt))
    return dict(found)


def _busy(state: SearchState, parts: Parts) -> dict[int, int]:
    """Return how many parts are outstanding at nodes and below them, where there are any."""
    busy: dict[int, int] = defaultdict(int)
    for node, attempts in parts.items():
        place: int | None = node
        while place is not None:
            busy[place] += len(attempts)
            place = state.tree.bounds.parent(place)
    return dict(busy)


def _hottest(state: SearchState, busy: dict[int, int], plies_max: int, count_max: int) -> set[int]:
    """Return the root and the hottest below it whose parents are there as well."""
    tree = state.tree
    chosen: set[int] = set()
    waiting = [(0, 0, 0, 0)]
    while waiting and len(chosen) < count_max:
        *_, node = heapq.heappop(waiting)
        chosen.add(node)
        if tree.plies[node] < plies_max:
            for child in tree.bounds.children(node):
                heat = -busy.get(child, 0), -tree.spent.get(child, 0)
                heapq.heappush(waiting, (*heat, tree.plies[child], child))
    return chosen


def _in_order(state: SearchState, chosen: set[int]) -> Iterator[int]:
    """Yield nodes from the top down: each before the nodes below it."""
    waiting = [0]
    while waiting:
        node = waiting.pop()
        yield node
        children = state.tree.bounds.children(node)
        waiting += (child for child in reversed(children) if child in chosen)


def _node(state: SearchState, node: int, parts: Parts, busy: dict[int, int]) -> TopNode:
    tree, bounds = state.tree, state.tree.bounds
    children, own = bounds.children(node), parts.get(node, [])
    return TopNode(
        _path(state, node),
        tree.depths[node],
        *bounds.bounds(node),
        _window(state, node),
        _state(state, node, own, parts),
        bool(children) and tree.shots[children[0]] > tree.shots[node],
        tuple(sorted(number for number, _ in own)),
        busy.get(node, 0),
        tree.spent.get(node, 0),
        min((attempt.since for _, attempt in own), default=None),
        len(children),
    )


def _window(state: SearchState, node: int) -> tuple[int, int] | None:
    """Return the window of the last sweep; None, too, before the first one."""
    window = state.tree.bounds.wanted(node)
    return window if window is not None and window[0] < window[1] else None


def _path(state: SearchState, node: int) -> tuple[int, ...]:
    bounds, found = state.tree.bounds, list[int]()
    while (parent := bounds.parent(node)) is not None:
        found.append(bounds.index(node))
        node = parent
    return tuple(reversed(found))


def _state(
    state: SearchState, node: int, own: list[tuple[int, SearchAttempt]], parts: Parts
) -> NodeState:
    bounds = state.tree.bounds
    lower, upper = bounds.bounds(node)
    if lower == upper:
        return NodeState.PROVED
    if own:
        is_asked = all(attempt.is_asked for _, attempt in own)
        return NodeState.SHOT if is_asked else NodeState.SEARCHED
    if bounds.rank(node) is None:
        return NodeState.CUT
    if bounds.children(node):
        return NodeState.SPLIT
    twins = bounds.twins(node)
    is_elsewhere = any(twin in parts or bounds.children(twin) for twin in twins)
    return NodeState.ELSEWHERE if is_elsewhere else NodeState.WAITS
