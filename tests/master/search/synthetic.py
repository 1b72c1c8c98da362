"""Searches of made-up games for the laboratory: positions are counts of moves of each kind.

Different orders of the same moves lead to the same position, so that the master's tree has twins
and tables have hits. Values are hashed.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.search.events import MoveBounds, TableEntry
from master.search.rules import Child

MASK = (1 << 64) - 1


def mixed(seed: int, *words: int) -> int:
    """A hash of small integers that is the same everywhere."""
    state = seed * 0x9E3779B97F4A7C15 & MASK
    for word in words:
        state = (state ^ word + 0x1234567) * 0xBF58476D1CE4E5B9 & MASK
        state ^= state >> 29
    return state * 0x94D049BB133111EB >> 40 & 0xFFFFFF


@dataclass(frozen=True)
class MadeUpGame:
    """A game of `depth` plies with up to `width` moves a position.

    Values are seen by the side to move and lie in -spread .. spread; the fewer there are, the
    more moves are equally good.
    """

    seed: int
    width: int = 4
    spread: int = 3
    has_estimates: bool = True
    beyond: int = 0

    def value(self, position: bytes) -> int:
        return mixed(self.seed, *position) % (2 * self.spread + 1) - self.spread

    def children(self, position: bytes, depth: int) -> Sequence[Child]:
        if depth == 0 or (any(position) and mixed(self.seed, 1, *position) % 16 == 0):
            return ()
        count = 1 + mixed(self.seed, 2, *position) % self.width
        return [self._child(position, depth, move) for move in range(count)]

    def _child(self, position: bytes, depth: int, move: int) -> Child:
        return Child(bytes(n + (i == move) for i, n in enumerate(position)), depth - 1)

    def estimates(self, children: Sequence[Child]) -> Sequence[int | None]:
        return [self.value(each.position) if self.has_estimates else None for each in children]

    def hint_key(self, position: bytes) -> bytes:
        return position

    def entry_key(self, child: Child) -> bytes:
        return child.position + bytes([child.depth])

    def entry_bounds(self, content: bytes) -> tuple[int, int]:
        lower, upper = map(int, content.split(b","))
        return lower, upper

    def root(self) -> bytes:
        return bytes(self.width)


@lru_cache(maxsize=1 << 16)
def minimax(game: MadeUpGame, position: bytes, depth: int) -> int:
    children = game.children(position, depth)
    if not children:
        return game.value(position)
    return max(-minimax(game, child.position, child.depth) for child in children)


def answer(game: MadeUpGame, depth: int) -> tuple[int, int | None]:
    """Value and first best move of plain minimax."""
    children = game.children(game.root(), depth)
    values = [-minimax(game, child.position, child.depth) for child in children]
    return max(values), values.index(max(values))


@dataclass(eq=False)
class SyntheticEngine:
    """Plain fail-soft alpha-beta with a table, a node at a time; its estimates mean nothing."""

    game: MadeUpGame
    table: dict[tuple[bytes, int], tuple[int, int]] = field(default_factory=dict)
    is_done: bool = True
    begin_nodes: float = 0.0
    answer_nodes: float = 0.0
    _news: dict[tuple[bytes, int], None] = field(default_factory=dict)
    _known: dict[int, tuple[int, int]] = field(default_factory=dict)
    _at: int | None = None
    _kept: int | None = None
    _best: int | None = None
    _bounds: tuple[int, int] = (-VALUE_LIMIT, VALUE_LIMIT)
    _steps: Iterator[None] = field(default_factory=lambda: iter(()))

    def begin(self, position: bytes, depth: int, alpha: int, beta: int) -> float:
        self._known, self._at, self._kept, self._best = {}, None, None, None
        self._bounds = (-VALUE_LIMIT, VALUE_LIMIT)
        self._children = self.game.children(position, depth)
        self._steps = self._root(position, depth, alpha, beta)
        self.is_done = False
        return self.begin_nodes

    def step(self, nodes: int) -> int:
        for count in range(nodes):
            try:
                next(self._steps)
            except StopIteration:
                self.is_done = True
                return count + 1
        return nodes

    def _root(self, position: bytes, depth: int, alpha: int, beta: int) -> Iterator[None]:
        best = -VALUE_LIMIT
        for index, child in enumerate(self._children):
            self._at = index
            low = max(alpha, best)
            value = -(yield from self._search(child.position, child.depth, -beta, -low))
            lower = value if value > low else -VALUE_LIMIT
            upper = value if value < beta else VALUE_LIMIT
            self._known[index] = lower, upper
            if self._kept is not None:
                self._bounds = -upper, -lower
                return
            if value > best:
                best, self._best = value, index
            if best >= beta:
                break
        if not self._children:
            best = yield from self._search(position, depth, alpha, beta)
        lower = best if best > alpha else -VALUE_LIMIT
        self._bounds = lower, best if best < beta else VALUE_LIMIT

    def _search(
        self, position: bytes, depth: int, alpha: int, beta: int
    ) -> Generator[None, None, int]:
        yield
        key = position, depth
        lower, upper = self.table.get(key, (-VALUE_LIMIT, VALUE_LIMIT))
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        children = self.game.children(position, depth)
        best = -VALUE_LIMIT if children else self.game.value(position)
        if self.game.has_estimates:
            children = sorted(children, key=lambda each: self.game.value(each.position))
        for child in children:
            low = max(alpha, best)
            best = max(best, -(yield from self._search(child.position, child.depth, -beta, -low)))
            if best >= beta:
                break
        lower, upper = self.table.get(key, (-VALUE_LIMIT, VALUE_LIMIT))
        if best > alpha or not children:
            lower = max(lower, best)
        if best < beta or not children:
            upper = min(upper, best)
        self.table[key] = lower, upper
        self._news[key] = None
        return best

    def proved(self) -> tuple[int, int]:
        return self._bounds

    def best(self) -> int | None:
        return self._best if self._kept is None else None

    def moves(self) -> tuple[MoveBounds, ...]:
        if self._kept is not None:
            return ()
        nothing = -VALUE_LIMIT, VALUE_LIMIT
        return tuple(
            MoveBounds(i, *self._known.get(i, nothing), None if i in self._known else -i)
            for i in range(len(self._children))
        )

    def news(self, depth_min: int) -> tuple[TableEntry, ...]:
        found = [key for key in self._news if key[1] >= depth_min]
        self._news.clear()
        return tuple(
            (self.game.entry_key(Child(*key)), key[1], "{},{}".format(*self.table[key]).encode())
            for key in found
        )

    def learn(self, entries: tuple[TableEntry, ...]) -> None:
        for name, _, content in entries:
            key = name[:-1], name[-1]
            low, high = self.game.entry_bounds(content)
            lower, upper = self.table.get(key, (-VALUE_LIMIT, VALUE_LIMIT))
            self.table[key] = max(lower, low), min(upper, high)
