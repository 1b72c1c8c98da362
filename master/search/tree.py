"""The master's tree: the bounds tree with the positions, and the dictionary of known bounds.

Beside a node is the number of the analyser that searched it last, whose table is best for it.

The dictionary is the tree itself: nodes of one position and depth are twins, and a bound proved of
one is proved of all. Table entries of analysers prove bounds of the nodes that they name.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from engine_ext.search.bounds_tree import VALUE_LIMIT, BoundsTree
from master.search.events import MoveBounds
from master.search.known import EARLIER, KNOWN_MAX, NOTHING_KNOWN, REGROWN_MAX, KnownBounds
from master.search.rules import Child, SearchRules


class SearchTree:
    """Proved bounds of the positions near the root.

    Args:
        game: the rules.
        root: the position to be searched, and how deep.
        node_max: how many nodes the tree may have.
        hints: where values lay in an earlier iteration, by the rules' keys: they order searches.
        entries: contents of table entries that have come, by their keys; others add to them.
        known: bounds that an earlier run has proved.
        has_strangers: the sources of bounds are noted.
        split_before: keys, as hints have them, of the positions that an earlier iteration split.

    Attributes:
        bounds: the proved bounds; the lists have the same numbers.
        keys: of each node, its position and depth as tables name them.
        positions: of each node.
        depths: how deep each node is to be searched.
        plies: how far each node is from the root.
        shots: how many hot spots were shot on the way to each node.
        owners: the analyser that searched a node last.
        spent: nodes that analysers searched for each of ours and for all below it, for people.
        best: the best move that a search of a node found, finished or not.
        parts: the node that each (part, generation) means.
        is_full: it has no memory for more nodes.
        words: the sources of the bounds of the first of a node's twins, if there are strangers; the
            number is None for a source that is no stranger.
    """

    def __init__(
        self, game: SearchRules, root: Child, node_max: int, hints: Mapping[bytes,
        int] | None = None,
        entries: Mapping[bytes, bytes] | None = None, known: KnownBounds = NOTHING_KNOWN,
        has_strangers: bool = False, split_before: AbstractSet[bytes] = frozenset(),
    ) -> None:  # fmt: skip
        self.bounds = BoundsTree(node_max, game.spread)
        self.positions = [root.position]
        self.depths = [root.depth]
        self.plies = [0]
        self.shots = [0]
        self.parts: dict[tuple[int, int], int] = {}
        self.owners: dict[int, int] = {}
        self.spent: dict[int, int] = {}
        self.best: dict[int, int] = {}
        self.is_full = False
        self.words: dict[int, list[tuple[int | None, int, int]]] | None = (
            {} if has_strangers else None
        )
        self.keys = [game.entry_key(root)]
        self._game = game
        self._hints = hints or {}
        self._entries = entries if entries is not None else {}
        self._split_before = split_before
        self._known = known.bounds
        self._known_by = None if known.is_confirmed else EARLIER
        self._named = {self.keys[0]: 0}
        self._barren: set[int] = set()
        self._recall(0)

    def expand(self, node: int, shots: int = 0, moves: Sequence[MoveBounds] = ()) -> bool:
        """Split a node into its children; whether it has any now.

        Args:
            node: the node.
            shots: hot spots that were shot on the way to its children.
            moves: reported bounds and estimates of its moves; the game estimates the others.
        """
        if self.bounds.children(node):
            return True
        if not self.may_have_children(node):
            return False
        children = self._game.children(self.positions[node], self.depths[node])
        if not children:
            self._barren.add(node)
            return False
        try:
            first = self.bounds.expand(node, len(children))
        except MemoryError:
            self.is_full = True
            return False
        self._name(first, children, self.plies[node] + 1, shots)
        self._estimate(first, children, moves)
        self.order(node, self.best.get(node))
        return True

    def record_spent(self, node: int, nodes: int) -> None:
        """Add an analyser's searched nodes to a node and to all above it."""
        place: int | None = node
        while place is not None:
            self.spent[place] = self.spent.get(place, 0) + nodes
            place = self.bounds.parent(place)

    def may_have_children(self, node: int) -> bool:
        """Tell whether a node may be split: not if a split was found to be of no use."""
        return node not in self._barren and not self.is_full

    def was_split(self, node: int) -> bool:
        """Tell whether an earlier iteration split a node's position."""
        return bool(self._split_before) and (
            self._game.hint_key(self.positions[node]) in self._split_before
        )

    def split_positions(self) -> set[bytes]:
        """Return the keys, as hints have them, of all positions that are split."""
        return {
            self._game.hint_key(position)
            for node, position in enumerate(self.positions)
            if self.bounds.is_split(node)
        }

    def _name(self, first: int, children: Iterable[Child], ply: int, shots: int) -> None:
        for number, child in enumerate(children, first):
            self.positions.append(child.position)
            self.depths.append(child.depth)
            self.plies.append(ply)
            self.shots.append(shots)
            key = self._game.entry_key(child)
            self.keys.append(key)
            twin = self._named.setdefault(key, number)
            if twin != number:
                self.bounds.join(number, twin)
                continue
            self._recall(number)
            if key in self._entries:
                self.learn(number, self._entries[key])

    def _recall(self, node: int) -> None:
        """Merge the bounds of a node that an earlier run has proved.

        Strangers' bounds of the root are left out: an answer rests on the root's moves (claims.py).
        """
        bounds = self._known.get(self.keys[node])
        if bounds is not None and (node > 0 or self._known_by is None):
            self._hear(node, *bounds, self._known_by)

    def regrow(self) -> None:
        """Split open positions that an earlier run has split, those near the root first."""
        waiting = deque([0])
        for _ in range(REGROWN_MAX if self._known else 0):
            if not waiting:
                return
            node = waiting.popleft()
            if (node == 0 or self._is_known(node)) and self.expand(node):
                waiting += (child for child in self.bounds.children(node) if self._is_open(child))

    def _is_open(self, node: int) -> bool:
        lower, upper = self.bounds.bounds(node)
        return lower < upper and not self.bounds.children(node)

    def _is_known(self, node: int) -> bool:
        children = self._game.children(self.positions[node], self.depths[node])
        return any(self._game.entry_key(child) in self._known for child in children)

    def known(self, is_confirmed: bool) -> KnownBounds:
        """Return the proved bounds that are worth keeping, beside those known before."""
        proved = self.bounds.proved()
        if len(proved) > KNOWN_MAX:
            proved = sorted(proved, key=lambda each: self.plies[each[0]])[:KNOWN_MAX]
        bounds = {self.keys[node]: (lower, upper) for node, lower, upper in proved}
        return KnownBounds(bounds, is_confirmed)

    def named(self, key: bytes) -> int | None:
        """Return the first node of the position and depth that a table entry's key names."""
        return self._named.get(key)

    def learn(self, node: int, content: bytes) -> None:
        """Merge a table entry's bounds of a node.  Raises Contradiction."""
        self.bounds.narrow(node, *self._game.entry_bounds(content))

    def _estimate(self, first: int, children: Iterable[Child], moves: Iterable[MoveBounds]) -> None:
        """Set estimates: reported ones, those of an earlier iteration, or else the game's."""
        estimated = {move.index: -move.estimate for move in moves if move.estimate is not None}
        asked: dict[int, Child] = {}
        for index, child in enumerate(children):
            estimate = estimated.get(index, self._hints.get(self._game.hint_key(child.position)))
            if estimate is not None:
                self.bounds.set_estimate(first + index, estimate)
            elif self.bounds.estimate(first + index) is None:
                asked[first + index] = child
        for node, estimate in zip(asked, self._game.estimates([*asked.values()]), strict=True):
            if estimate is not None:
                self.bounds.set_estimate(node, estimate)

    def order(self, node: int, first: int | None) -> None:
        """Search a node's best-looking children first, and before all `first`, if it is given."""
        children = self.bounds.children(node)
        keys = [(i != first, self._probes(child), i) for i, child in enumerate(children)]
        self.bounds.set_order(node, [i for _, _, i in sorted(keys)])

    def _probes(self, node: int) -> int:
        """Return a node's estimate, or "unknown": after all others."""
        estimate = self.bounds.estimate(node)
        return VALUE_LIMIT if estimate is None else estimate

    def owner(self, node: int) -> int | None:
        """Return the analyser that searched this position, or last one above it."""
        place: int | None = node
        while place is not None:
            if place in self.owners:
                return self.owners[place]
            place = self.bounds.parent(place)
        return None

    def prove(
        self, node: int, lower: int, upper: int, moves: Sequence[MoveBounds],
        stranger: int | None = None,
    ) -> None:  # fmt: skip
        """Merge a search's bounds of a node and of its moves.  Raises Contradiction."""
        children = self.bounds.children(node)
        for move in moves:
            if move.index < len(children):
                if move.estimate is not None:
                    self.bounds.set_estimate(children[move.index], -move.estimate)
                self._hear(children[move.index], -move.upper, -move.lower, stranger)
        self._hear(node, lower, upper, stranger)
        if children and any(move.estimate is not None for move in moves):
            self.order(node, self.best.get(node))

    def _hear(self, node: int, lower: int, upper: int, stranger: int | None) -> None:
        if self.words is not None and (lower > -VALUE_LIMIT or upper < VALUE_LIMIT):
            heard = self.words.setdefault(min(self.bounds.twins(node)), [])
            if (stranger, lower, upper) not in heard:
                heard.append((stranger, lower, upper))
        self.bounds.narrow(node, lower, upper)

    def values(self) -> dict[bytes, int]:
        """Return where values lie, by positions' keys: hints for the next iteration."""
        found: dict[bytes, int] = {}
        for node, position in enumerate(self.positions):
            lower, upper = self.bounds.bounds(node)
            if lower > -VALUE_LIMIT or upper < VALUE_LIMIT:
                beyond = 0 if lower == upper else self._game.beyond
                expected = lower + beyond if lower > -VALUE_LIMIT else upper - beyond
                found[self._game.hint_key(position)] = expected
        return found

    def line(self) -> tuple[int, ...]:
        """Return the moves from the root, as far as each is proved to be best."""
        moves: list[int] = []
        node: int | None = 0
        while node is not None:
            node = self._proved_best(node)
            if node is not None:
                moves.append(self.bounds.index(node))
        return tuple(moves)

    def _proved_best(self, node: int) -> int | None:
        lower, upper = self.bounds.bounds(node)
        for child in self.bounds.children(node) if lower == upper else ():
            if -self.bounds.bounds(child)[1] >= lower:
                return child
        return None
