"""Random game trees, searches of them in plain Python, and the bounds tree written plainly.

A tree is its value (an integer, seen by its side to move) or the list of its children.
"""

import random
from dataclasses import dataclass, field
from typing import TypeAlias

from engine_ext.search.bounds_tree import VALUE_LIMIT, BoundsTree

GameTree: TypeAlias = "int | list[GameTree]"

INFINITY = VALUE_LIMIT  # beyond every value


def random_tree(rng: random.Random, depth: int, spread: int, width: int = 4) -> GameTree:
    """Return a tree with up to `width` children a node and values of up to +-spread."""
    if depth == 0 or rng.random() < 0.1:
        return rng.randint(-spread, spread)
    return [random_tree(rng, depth - 1, spread, width) for _ in range(rng.randint(1, width))]


def minimax(tree: GameTree) -> int:
    return tree if isinstance(tree, int) else max(-minimax(child) for child in tree)


def first_best(tree: GameTree) -> int:
    assert isinstance(tree, list)
    values = [-minimax(child) for child in tree]
    return values.index(max(values))


def search(tree: GameTree, alpha: int, beta: int, is_soft: bool = True) -> int:
    """Plain sequential alpha-beta, fail-soft or fail-hard."""
    if isinstance(tree, int):
        return tree if is_soft else min(max(tree, alpha), beta)
    best = -INFINITY if is_soft else alpha
    for child in tree:
        best = max(best, -search(child, -beta, -max(alpha, best), is_soft))
        if best >= beta:
            break
    return best if is_soft else min(best, beta)


def sequential_answer(tree: GameTree) -> tuple[int, int]:
    """Return value and move of plain sequential alpha-beta under the full window."""
    assert isinstance(tree, list)
    best, move = -INFINITY, -1
    for index, child in enumerate(tree):
        value = -search(child, -INFINITY, -best)
        if value > best:
            best, move = value, index
    return best, move


@dataclass(eq=False)
class PlainNode:
    """The bounds tree as it is defined, without memory of its own or incremental updates."""

    tree: GameTree
    number: int = 0
    lower: int = -INFINITY
    upper: int = INFINITY
    children: list["PlainNode"] = field(default_factory=list)

    def expand(self, first: int) -> None:
        assert isinstance(self.tree, list)
        self.children = [PlainNode(child, first + i) for i, child in enumerate(self.tree)]

    def proved(self) -> tuple[int, int]:
        lower, upper = self.lower, self.upper
        if self.children:
            bounds = [child.proved() for child in self.children]
            lower = max(lower, *(-high for _, high in bounds))
            upper = min(upper, max(-low for low, _ in bounds))
        return lower, upper

    def merge(self, alpha: int, beta: int, value: int) -> None:
        if value > alpha:
            self.lower = max(self.lower, value)
        if value < beta:
            self.upper = min(self.upper, value)

    def wanted(self, alpha: int, beta: int) -> dict[int, tuple[int, int]]:
        """Return {leaf: window} of all that is wanted under a window, in the tree's order."""
        lower, upper = self.proved()
        if lower == upper or lower >= beta or upper <= alpha:
            return {}
        alpha, beta = max(alpha, lower), min(beta, upper)
        if not self.children:
            return {self.number: (alpha, beta)}
        found: dict[int, tuple[int, int]] = {}
        for child in self.children:
            found |= child.wanted(-beta, -alpha)
        return found

    def wanted_for_move(self, alpha: int, beta: int) -> dict[int, tuple[int, int]]:
        """The same at the root, when the canonical best move is wanted as well."""
        beta = min(beta, self.proved()[1])
        lows = [-child.proved()[1] for child in self.children]
        found: dict[int, tuple[int, int]] = {}
        for i, child in enumerate(self.children):
            low = max([alpha, *lows[:i], *(low - 1 for low in lows[i + 1 :])])
            if low < beta:
                found |= child.wanted(-beta, -low)
        return found


def split_twins(estimates: dict[int, int]) -> BoundsTree:
    """The second move of each of the root's moves is one position, split below the first."""
    bounds = BoundsTree()
    bounds.expand(0, 2)
    bounds.expand(1, 2)  # 3 and 4
    bounds.expand(2, 2)  # 5 and 6
    bounds.expand(4, 2)  # 7 and 8
    for node, estimate in estimates.items():
        bounds.set_estimate(node, estimate)
    return bounds
