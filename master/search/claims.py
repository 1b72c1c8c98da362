"""Claims: bounds under a search's answer that some analysers sent and no other has proved."""

from collections.abc import Iterable

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.search.tree import SearchTree
from protocol.values import value


@value
class Claim:
    """One bound of a position that the answer needs.

    Args:
        position: in the game's form.
        depth: how deep it was searched.
        is_lower: the value is at least the bound, else at most.
        bound: seen by the side to move.
        tellers: the analysers that claim it; one of them would be enough.
    """

    position: bytes
    depth: int
    is_lower: bool
    bound: int
    tellers: frozenset[int]

    @property
    def window(self) -> tuple[int, int]:
        """The window whose search proves the bound, or its contrary."""
        return (self.bound - 1, self.bound) if self.is_lower else (self.bound, self.bound + 1)

    def is_proved_by(self, lower: int, upper: int) -> bool:
        """Tell whether it follows from bounds of the position."""
        return lower >= self.bound if self.is_lower else upper <= self.bound

    def is_refuted_by(self, lower: int, upper: int) -> bool:
        """Tell whether it is false by bounds of the position."""
        return upper < self.bound if self.is_lower else lower > self.bound


def find_claims(tree: SearchTree) -> tuple[Claim, ...]:
    """Return the claims under the value and best move of an answered tree, the deepest first.

    Bounds that this process, its own analysers or the rules prove are no claims.
    """
    if tree.words is None:
        return ()
    value, _ = tree.bounds.bounds(0)
    best = tree.bounds.first_best()
    found = _Claims(tree)
    if best is None:
        found.need(0, True, value)
        found.need(0, False, value)
    else:
        for index, child in enumerate(tree.bounds.children(0)):
            if index == best:
                found.need(child, False, -value)
            # A move before the first best one is worse, one behind it is no better.
            found.need(child, True, -value + (index < best))
    return found.by_depth()


def find_disputed(tree: SearchTree, node: int) -> tuple[Claim, ...]:
    """Return all claims of strangers in a tree, after a contradiction at a node.

    At least one of them is false, unless this process is wrong. Claims near the node come first;
    of two equally near, the one that is quicker to prove again does.
    """
    near = {node}
    place: int | None = node
    while place is not None:
        near.update(tree.bounds.children(place), tree.bounds.twins(place))
        place = tree.bounds.parent(place)
    stated = [
        (each not in near, tree.depths[each], each, who, is_lower, bound)
        for each, words in (tree.words or {}).items()
        for who, lower, upper in words
        for is_lower, bound in ((True, lower), (False, upper))
        if who is not None and abs(bound) < VALUE_LIMIT
    ]
    return tuple(
        Claim(tree.positions[each], depth, is_lower, bound, frozenset([who]))
        for _, depth, each, who, is_lower, bound in sorted(stated)
    )


class _Claims:
    """Those that were found; each bound is followed once."""

    def __init__(self, tree: SearchTree) -> None:
        self._tree = tree
        self._seen: set[tuple[int, bool, int]] = set()
        self._found: list[Claim] = []

    def by_depth(self) -> tuple[Claim, ...]:
        return tuple(sorted(self._found, key=lambda claim: -claim.depth))

    def need(self, root: int, is_lower: bool, bound: int) -> None:
        """Find the claims under a bound of a node."""
        waiting = [(root, is_lower, bound)]
        while waiting:
            needed = waiting.pop()
            node = min(self._tree.bounds.twins(needed[0]))
            key = (node, *needed[1:])
            if key not in self._seen:
                self._seen.add(key)
                waiting += self._examine(*key)

    def _examine(self, node: int, is_lower: bool, bound: int) -> Iterable[tuple[int, bool, int]]:
        """Return bounds of a node's moves that prove its bound; if none do, note a claim."""
        bounds, tree = self._tree.bounds, self._tree
        for twin in bounds.twins(node):
            children = bounds.children(twin)
            if not children:
                continue
            if not is_lower and all(bounds.bounds(child)[0] >= -bound for child in children):
                return [(child, True, -bound) for child in children]
            if is_lower:
                good = [child for child in children if bounds.bounds(child)[1] <= -bound]
                if good:
                    return [(good[0], False, -bound)]
        assert tree.words is not None, "a tree without strangers has no claims"
        stated = tree.words.get(node, ())
        proving = [
            who for who, low, high in stated if (low >= bound if is_lower else high <= bound)
        ]
        if proving and None not in proving:
            tellers = frozenset(who for who in proving if who is not None)
            position, depth = tree.positions[node], tree.depths[node]
            self._found.append(Claim(position, depth, is_lower, bound, tellers))
        return []
