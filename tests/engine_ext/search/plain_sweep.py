"""A sweep of a tree of bounds by its definition: all at once, and nothing kept between two.

Reads the tree through its endpoint only: bounds, estimates, children and twins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod, sqrt

from engine_ext.search.bounds_tree import SPECULATION_MAX, BoundsTree

Window = tuple[int, int]


def at_least(spreads: float) -> float:
    """Return the chance of a value so many spreads below its estimate, or more."""
    return 0.5 + 0.5 * spreads / sqrt(1.0 + spreads * spreads)


def narrowed(bounds: Window, alpha: int, beta: int) -> Window | None:
    """Return what of a window is not proved of a node; None if nothing is left to find out."""
    lower, upper = bounds
    if lower == upper or lower >= beta or upper <= alpha or alpha >= beta:
        return None
    return max(alpha, lower), min(beta, upper)


@dataclass
class PlainSweep:
    """What is wanted of a tree under the root's window, and how likely each of it is needed.

    Args:
        tree: the tree.
        orders: of nodes whose children are searched in another order than the canonical one.
        spread: how far values commonly are from their estimates.
        wanted: nodes and their windows, in the order of search.
        needs: how likely each wanted node is needed.
    """

    tree: BoundsTree
    orders: Mapping[int, Sequence[int]]
    alpha: int
    beta: int
    spread: float = 4.0
    wanted: dict[int, Window] = field(default_factory=dict)
    needs: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        window = narrowed(self.tree.bounds(0), self.alpha, self.beta)
        if window is not None:
            self._find(0, window)
            self._spread_needs()

    def children(self, node: int) -> list[int]:
        """Return a node's children in the order of search."""
        children = self.tree.children(node)
        return [children[i] for i in self.orders.get(node) or range(len(children))]

    def below(self, node: int, window: Window) -> dict[int, Window]:
        """Return a node's wanted children and their windows."""
        lower, upper = self.tree.bounds(node)
        low, high = max(window[0], lower), min(window[1], upper)
        found = {child: narrowed(self.tree.bounds(child), -high, -low)
                 for child in self.children(node)}  # fmt: skip
        return {child: window for child, window in found.items() if window is not None}

    def _find(self, node: int, window: Window) -> None:
        self.wanted[node] = window
        for child, below in self.below(node, window).items():
            self._find(child, below)

    def chance(self, node: int, window: Window) -> float:
        """Return the chance that a node's value exceeds alpha, by its twin's children if split."""
        home = next((twin for twin in self.tree.twins(node) if self.tree.children(twin)), None)
        if home is None:
            return self.by_estimate(node, window[0])
        return 1.0 - prod(self.chances_below(home, window).values())

    def chances_below(self, node: int, window: Window) -> dict[int, float]:
        """Return the chances of a node's wanted children, by what has come of their brothers."""
        trust = self.trust(node, window[0])
        found = {}
        for child, below in self.below(node, window).items():
            chance = self.chance(child, below)
            is_split = any(self.tree.children(twin) for twin in self.tree.twins(child))
            found[child] = chance if is_split else 1.0 - trust * (1.0 - chance)
        return found

    def trust(self, node: int, alpha: int) -> float:
        """Return how much of what is expected of a node's unsplit children is believed."""
        enough = -max(alpha, self.tree.bounds(node)[0])
        against = 0.0
        for child in self.tree.children(node):
            if self.tree.bounds(child)[0] >= enough:
                estimate = self.tree.estimate(child)
                against += 1.0 - (
                    0.5 if estimate is None else at_least((estimate - enough + 0.5) / self.spread)
                )
            elif self.tree.children(child):
                against += 1.0
        return 1.0 / (1.0 + against)

    def by_estimate(self, node: int, alpha: int) -> float:
        """Return the same by what is estimated and proved of the node itself."""
        estimate = self.tree.estimate(node)
        if estimate is None:
            return 0.5
        lower, upper = self.tree.bounds(node)
        all_of_it, above_alpha, above_upper = (
            at_least((estimate - lower + 0.5) / self.spread),
            at_least((estimate - alpha - 0.5) / self.spread),
            at_least((estimate - upper - 0.5) / self.spread),
        )
        if all_of_it <= above_upper:
            return 0.5
        return (above_alpha - above_upper) / (all_of_it - above_upper)

    def representative_of(self, node: int) -> int:
        """Return the wanted node that is searched for all of a position."""
        if self.tree.children(node):
            return node
        places = {wanted: place for place, wanted in enumerate(self.wanted)}
        alike = [twin for twin in self.tree.twins(node) if twin in self.wanted]
        return min(alike, key=lambda twin: (not self.tree.children(twin), places[twin]))

    def _spread_needs(self) -> None:
        """Go down ply by ply: what stands for twins is needed as much as any of them."""
        ply = {0: 1.0}
        while ply:
            self.needs |= ply
            for node, need in ply.items():
                stands = self.representative_of(node)
                self.needs[stands] = max(self.needs[stands], need)
            ply = {child: need for node in ply for child, need in self._needs_below(node).items()}

    def _needs_below(self, node: int) -> dict[int, float]:
        """A child is needed if none that is likelier to settle the node does."""
        chances = self.chances_below(node, self.wanted[node])
        found, need = {}, self.needs[node]
        for child in sorted(chances, key=lambda child: chances[child]):
            found[child] = need
            need *= chances[child]
        return found

    def rank(self, node: int) -> int:
        """Return a wanted node's speculation rank."""
        return int((1.0 - self.needs[self.representative_of(node)]) * SPECULATION_MAX)

    @property
    def leaves(self) -> list[int]:
        """What is to be searched, in the order of search: one node of each position."""
        return [node for node in self.wanted
                if not self.tree.children(node)
                and self.representative_of(node) == node]  # fmt: skip
