"""A sweep finds what is wanted, ranks it by how likely it is needed, and takes over what it can."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.search.bounds_tree import SPECULATION_MAX, VALUE_LIMIT, BoundsTree
from tests.engine_ext.search.game_trees import GameTree, minimax, random_tree, split_twins
from tests.engine_ext.search.plain_sweep import PlainSweep

FULL = (-VALUE_LIMIT, VALUE_LIMIT)
PLIES = 3


# Ranks and the order of search.


def listed(bounds: BoundsTree, count_max: int = 256, rank_max: int = 1000) -> list[tuple[int, int]]:
    found = bounds.sweep(-1, 0, count_max=count_max, rank_max=rank_max)
    return [(node, rank) for node, _, _, rank in found]


def test_each_brother_is_needed_only_if_those_before_it_do_not_settle_the_node() -> None:
    bounds = BoundsTree()
    bounds.expand(0, 3)  # nothing is known of them: even chances
    assert listed(bounds) == [(1, 0), (2, 500), (3, 750)]
    assert listed(bounds, rank_max=500) == [(1, 0), (2, 500)]
    assert listed(bounds, count_max=1) == [(1, 0)]
    bounds.merge(1, 0, 1, 1)  # worth -1 at most: no cut
    # What was not expected of one is expected a little less of the others.
    assert listed(bounds) == [(2, 0), (3, 333)]


def test_children_that_will_not_settle_a_node_are_wanted_alike() -> None:
    bounds = BoundsTree()
    bounds.expand(0, 3)
    for child in (1, 2, 3):
        bounds.set_estimate(child, 1000)  # by far more than the 1 that would settle it
    assert listed(bounds) == [(1, 0), (2, 0), (3, 0)]
    bounds.set_order(0, [2, 0, 1])
    assert listed(bounds) == [(3, 0), (1, 0), (2, 0)]


def test_the_child_that_probably_settles_a_node_goes_before_its_elders() -> None:
    bounds = BoundsTree()
    bounds.expand(0, 2)
    bounds.set_estimate(1, 5)
    bounds.set_estimate(2, -5)
    first, second = listed(bounds)
    assert first == (2, 0)
    assert second[0] == 1
    assert second[1] > 500
    in_order = bounds.sweep(-1, 0, is_ranked=False)
    assert [node for node, _, _, _ in in_order] == [1, 2]


def test_what_is_proved_changes_what_is_likely() -> None:
    bounds = BoundsTree()
    bounds.expand(0, 2)
    bounds.set_estimate(1, -40)
    bounds.set_estimate(2, -1)
    assert [node for node, _ in listed(bounds)] == [1, 2]
    bounds.narrow(1, 0, VALUE_LIMIT)  # the estimate was wrong: that it is exactly 0 is less likely
    bounds.narrow(2, -9, 1)
    assert [node for node, _ in listed(bounds)] == [2, 1]


def test_what_is_begun_is_gone_on_with_before_brothers_that_look_better() -> None:
    bounds = BoundsTree()
    bounds.expand(0, 3)
    for child in (1, 2, 3):
        bounds.set_estimate(child, -40)  # any of them settles it
    assert [node for node, _ in listed(bounds)] == [1, 2, 3]
    first = bounds.expand(1, 8)
    for child in range(first, first + 8):
        bounds.set_estimate(child, 12)  # which is enough, but nearer
    found = listed(bounds)
    assert [node for node, _ in found] == [*range(first, first + 8), 2, 3]
    assert all(rank < 950 for _, rank in found[-2:])  # they are not as good as hopeless


def test_brothers_of_what_was_not_what_it_seemed_are_doubted() -> None:
    def rank_of_last(failed: int) -> int:
        bounds = BoundsTree()
        bounds.expand(0, 8)
        for child in range(1, 9):
            bounds.set_estimate(child, -40)
        for child in range(1, 1 + failed):
            bounds.narrow(child, 1, VALUE_LIMIT)
        return dict(listed(bounds))[8]

    ranks = [rank_of_last(failed) for failed in range(7)]
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[0] > 990
    assert ranks[6] < 250


@given(st.integers(0, 2**32), st.integers(1, 1000))
def test_ranks_are_thousandths_and_somebody_is_needed_for_sure(seed: int, spread: int) -> None:
    rng = random.Random(seed)
    bounds = BoundsTree(4096, float(spread))
    for node in range(12):
        if node < bounds.node_count:
            first = bounds.expand(node, rng.randint(1, 4))
            for child in bounds.children(node):
                if rng.random() < 0.8:
                    bounds.set_estimate(child, rng.randint(-(2**30), 2**30) >> rng.randint(0, 30))
            assert first == bounds.children(node)[0]
    swept = bounds.sweep(-1, 0)
    ranks = [rank for _, _, _, rank in swept]
    assert ranks == sorted(ranks)
    assert ranks[0] == 0
    assert ranks[-1] <= SPECULATION_MAX


# Twins: one position reached by two ways.


def test_one_of_several_twins_is_searched() -> None:
    bounds = BoundsTree()
    bounds.expand(0, 3)
    bounds.join(1, 2)
    bounds.join(2, 3)
    assert [node for node, _, _, _ in bounds.sweep(*FULL)] == [1]
    bounds.set_busy(2, True)
    assert bounds.sweep(*FULL) == []
    bounds.merge(2, *FULL, 0)
    assert bounds.bounds(0) == (0, 0)
    assert bounds.first_best() == 0


def test_what_is_searched_for_twins_is_needed_if_any_of_them_is() -> None:
    # The root's first move is refuted by 3; its second one may be good, if 6 is.
    bounds = split_twins({3: -50, 5: 50})
    apart = dict(listed(bounds))
    assert (apart[6], apart[7]) == (0, 749)  # it is of the first move
    bounds.join(6, 4)
    joined = dict(listed(bounds))
    assert set(joined) == {3, 5, 7, 8}  # nobody searches 6
    assert joined[7] == bounds.rank(6) == bounds.rank(4) == 0


def test_node_is_as_likely_as_its_split_twin() -> None:
    # The root's first move is refuted by 3; its second one by 6, if that is worth what 4 is.
    bounds = split_twins({3: -50, 5: 50, 6: 50, 7: 50, 8: 50})
    assert dict(listed(bounds))[5] < 100
    bounds.join(6, 4)
    assert dict(listed(bounds))[5] > 900
    for node in (7, 8):
        bounds.set_estimate(node, -50)
    assert dict(listed(bounds))[5] < 100


def test_node_whose_split_twin_is_wanted_no_more_is_listed_itself() -> None:
    bounds = split_twins({})
    bounds.join(6, 4)
    bounds.narrow(1, 5, VALUE_LIMIT)
    assert set(dict(listed(bounds))) == {5, 6}


def test_busy_node_is_not_stale_while_a_twin_is_wanted() -> None:
    bounds = split_twins({})
    bounds.join(5, 3)
    bounds.set_busy(3, True)
    bounds.narrow(1, 5, VALUE_LIMIT)
    assert set(dict(listed(bounds))) == {6}  # 5 is in hand
    assert (bounds.stale(), bounds.rank(3)) == ([], bounds.rank(5))
    bounds.narrow(2, 5, VALUE_LIMIT)
    assert listed(bounds) == []
    assert bounds.stale() == [3]


# Trees to which all kinds of things happen.


class Grown:
    """A tree to which all kinds of things happen, and what they were."""

    def __init__(self, tree: GameTree, rng: random.Random) -> None:
        self.rng = rng
        self.below = {0: tree}
        self.plies = {0: 0}
        self.done: list[tuple[str, tuple[Any, ...]]] = []
        self.tree = BoundsTree(4096)
        self.orders: dict[int, list[int]] = {}
        self.busy: set[int] = set()

    def do(self, method: str, *arguments: Any) -> None:
        self.done.append((method, arguments))
        getattr(self.tree, method)(*arguments)

    def again(self) -> BoundsTree:
        """Return a tree to which the same has happened, and that was never swept."""
        tree = BoundsTree(4096)
        for method, arguments in self.done:
            getattr(tree, method)(*arguments)
        return tree

    def change(self) -> None:
        node = self.rng.choice(list(self.below))
        changes = [self.expand, self.expand, self.narrow, self.order, self.estimate, self.join]
        self.rng.choice([*changes, self.work])(node)

    def expand(self, node: int) -> None:
        below = self.below[node]
        if not isinstance(below, int) and not self.tree.children(node):
            first = self.tree.node_count
            self.do("expand", node, len(below))
            self.below |= dict(enumerate(below, first))
            self.plies |= dict.fromkeys(range(first, self.tree.node_count), self.plies[node] + 1)

    def narrow(self, node: int) -> None:
        value = minimax(self.below[node])
        lower, upper = value - self.rng.randint(0, 9), value + self.rng.randint(0, 9)
        self.do("narrow", node, lower, upper)

    def order(self, node: int) -> None:
        count = len(self.tree.children(node))
        self.orders[node] = self.rng.sample(range(count), count)
        self.do("set_order", node, self.orders[node])

    def estimate(self, node: int) -> None:
        self.do("set_estimate", node, self.rng.randint(-12, 12))

    def work(self, node: int) -> None:
        is_busy = self.rng.random() < 0.7
        self.busy = self.busy | {node} if is_busy else self.busy - {node}
        self.do("set_busy", node, is_busy)

    def is_in_hand(self, node: int) -> bool:
        return not self.busy.isdisjoint(self.tree.twins(node))

    def join(self, node: int) -> None:
        value, ply = minimax(self.below[node]), self.plies[node]
        alike = [n for n in self.below if self.plies[n] == ply and minimax(self.below[n]) == value]
        self.do("join", node, self.rng.choice(alike))


def grown_tree(rng: random.Random, change_count: int) -> Grown:
    grown = Grown([random_tree(rng, PLIES, 3) for _ in range(4)], rng)
    grown.expand(0)
    for _ in range(change_count):
        grown.change()
    return grown


def check_leaves(grown: Grown, plain: PlainSweep) -> None:
    """Compare what waits, in both orders, with the definition."""
    tree, window = grown.tree, (plain.alpha, plain.beta)
    waiting = [node for node in plain.leaves if not grown.is_in_hand(node)]
    in_order = tree.sweep(*window, count_max=4096, is_ranked=False)
    assert [node for node, *_ in in_order] == waiting
    assert [(low, high) for _, low, high, _ in in_order] == [plain.wanted[n] for n in waiting]
    ranked = tree.sweep(*window, count_max=4096)
    assert ranked == sorted(in_order, key=lambda found: found[3])


@settings(max_examples=60)
@given(st.randoms(use_true_random=False))
@pytest.mark.when_changed
def test_a_sweep_is_what_its_definition_says(rng: random.Random) -> None:
    grown, tolerance = grown_tree(rng, rng.randint(0, 40)), PLIES + 1  # see NEED_STEP
    for _ in range(4):
        alpha = rng.randint(-5, 4)
        plain = PlainSweep(grown.tree, grown.orders, alpha, alpha + rng.choice([1, 1, 3, 20]))
        check_leaves(grown, plain)
        for node in range(grown.tree.node_count):
            assert grown.tree.wanted(node) == plain.wanted.get(node)
        for node in plain.wanted:
            rank = grown.tree.rank(node)
            assert rank is not None
            assert abs(rank - plain.rank(node)) <= tolerance
        grown.change()


@settings(max_examples=60)
@given(st.randoms(use_true_random=False), st.integers(1, 30))
@pytest.mark.when_changed
def test_ranks_of_a_tree_without_twins_are_those_of_the_definition_to_the_bit(
    rng: random.Random, spread: int
) -> None:
    tree = BoundsTree(4096, float(spread))
    waiting = [(0, PLIES)]
    for node, plies in waiting:
        tree.expand(node, rng.randint(1, 4))
        waiting += [
            (child, plies - 1) for child in tree.children(node) if plies and rng.random() < 0.6
        ]
    for node in range(1, tree.node_count):
        if rng.random() < 0.8:
            tree.set_estimate(node, rng.randint(-12, 12))
        if not tree.children(node) and rng.random() < 0.3:
            value = rng.randint(-3, 3)
            tree.narrow(node, value - rng.randint(0, 9), value + rng.randint(0, 9))
    tree.sweep(0, 1)
    plain = PlainSweep(tree, {}, 0, 1, float(spread))
    assert {node: tree.rank(node) for node in plain.wanted} == {
        node: plain.rank(node) for node in plain.wanted
    }


@pytest.mark.slow
@given(st.randoms(use_true_random=False))
@pytest.mark.when_changed
def test_sweep_finds_what_it_finds_in_a_tree_that_was_never_swept(rng: random.Random) -> None:
    grown = grown_tree(rng, 0)
    alpha, options = 0, {"is_move_wanted": False}
    for _ in range(20):
        for _ in range(rng.choice([0, 1, 1, 4, 12])):
            grown.change()
        if rng.random() < 0.2:
            alpha = rng.randint(-4, 3)
            options = {"is_move_wanted": rng.random() < 0.5, "is_ranked": rng.random() < 0.5}
        count, rank_max = rng.choice([1, 3, 4096]), rng.choice([0, 300, SPECULATION_MAX])
        swept, again = grown.tree, grown.again()
        found = swept.sweep(alpha, alpha + 1, count_max=count, rank_max=rank_max, **options)
        assert found == again.sweep(alpha, alpha + 1, count_max=count, rank_max=rank_max, **options)
        nodes = range(swept.node_count)
        assert [swept.rank(node) for node in nodes] == [again.rank(node) for node in nodes]
        assert [swept.wanted(node) for node in nodes] == [again.wanted(node) for node in nodes]
        assert swept.stale() == again.stale()
