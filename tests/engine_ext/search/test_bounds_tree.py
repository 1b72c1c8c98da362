"""The bounds tree proves the sequential answer, whatever comes in whatever order."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.search.bounds_tree import (
    NODE_COUNT_MAX,
    SPECULATION_MAX,
    VALUE_LIMIT,
    BoundsTree,
    Contradiction,
)
from tests.engine_ext.search.game_trees import (
    INFINITY,
    GameTree,
    PlainNode,
    first_best,
    minimax,
    random_tree,
    search,
    sequential_answer,
)

FULL = (-VALUE_LIMIT, VALUE_LIMIT)
STEPS_MAX = 100_000


class Mirror:
    """A bounds tree over a game tree, and what it must say by its definition."""

    def __init__(self, tree: GameTree, node_max: int = 4096) -> None:
        self.tree = BoundsTree(node_max)
        self.root = PlainNode(tree)
        self.nodes = {0: self.root}

    def expand(self, node: int) -> None:
        plain = self.nodes[node]
        if plain.children or isinstance(plain.tree, int):
            return
        first = self.tree.expand(node, len(plain.tree))
        plain.expand(first)
        self.nodes |= {child.number: child for child in plain.children}

    def merge(self, node: int, alpha: int, beta: int, is_soft: bool) -> None:
        value = search(self.nodes[node].tree, alpha, beta, is_soft)
        self.tree.merge(node, alpha, beta, value)
        self.nodes[node].merge(alpha, beta, value)

    def check(self, alpha: int, beta: int, is_move_wanted: bool) -> None:
        """Compare bounds, what is wanted and each node's window with the definition."""
        proved = [(node, *plain.proved()) for node, plain in sorted(self.nodes.items())]
        assert self.tree.proved() == [each for each in proved if each[1:] != FULL]
        for node, plain in self.nodes.items():
            lower, upper = plain.proved()
            assert self.tree.bounds(node) == (lower, upper)
            assert lower <= minimax(plain.tree) <= upper
        assert (self.tree.first_best() is None) == bool(
            self.root.wanted_for_move(-INFINITY, INFINITY)
        )
        wanted = self.root.wanted_for_move if is_move_wanted else self.root.wanted
        expected = wanted(alpha, beta)
        swept = self.tree.sweep(alpha, beta, is_move_wanted, is_ranked=False, count_max=4096)
        assert {node: (low, high) for node, low, high, _ in swept} == expected
        assert [node for node, _, _, _ in swept] == list(expected)
        for node, plain in self.nodes.items():
            if not plain.children:
                window = self.tree.window(node, alpha, beta, is_move_wanted)
                assert window == expected.get(node) == self.tree.wanted(node)


@pytest.mark.slow
@given(st.randoms(use_true_random=False))
def test_tree_is_what_its_definition_says(rng: random.Random) -> None:
    tree = random_tree(rng, 4, rng.choice([2, 10]))
    if isinstance(tree, int):
        tree = [tree]
    mirror = Mirror(tree)
    mirror.expand(0)
    for _ in range(12):
        node = rng.choice(list(mirror.nodes))
        if rng.random() < 0.4:
            mirror.expand(node)
        else:
            alpha = rng.randint(-12, 10)
            mirror.merge(node, alpha, alpha + rng.choice([1, 1, 2, 9]), rng.random() < 0.5)
        is_move_wanted = rng.random() < 0.5
        alpha = rng.randint(-12, 10)
        window = FULL if is_move_wanted else (alpha, alpha + rng.choice([1, 3, 20]))
        mirror.check(*window, is_move_wanted)


class Fleet:
    """Searches of wanted and unwanted nodes that end in any order, doubled, late or never."""

    def __init__(self, tree: GameTree, rng: random.Random, node_max: int = 4096) -> None:
        self.rng = rng
        self.mirror = Mirror(tree, node_max)
        self.bounds_tree = self.mirror.tree
        self.mirror.expand(0)
        self.under_way: list[tuple[int, int, int, int]] = []

    def search_until_resolved(self, alpha: int, beta: int, is_move_wanted: bool = False) -> None:
        for _ in range(STEPS_MAX):
            found = self.bounds_tree.sweep(alpha, beta, is_move_wanted)
            if not found and not self.bounds_tree.stale() and self.is_resolved(alpha, beta):
                return
            self.begin(found)
            if self.under_way:
                self.end(self.rng.choice(self.under_way))
        raise AssertionError("the search does not end")

    def is_resolved(self, alpha: int, beta: int) -> bool:
        return not any(
            self.bounds_tree.wanted(node) is not None and not self.mirror.nodes[node].children
            for node in self.mirror.nodes
        )

    def begin(self, found: list[tuple[int, int, int, int]]) -> None:
        for node, alpha, beta, _ in found:
            if self.rng.random() < 0.3:
                self.mirror.expand(node)
            elif self.rng.random() < 0.5:
                low, high = self.window_sent(alpha, beta)
                value = search(self.mirror.nodes[node].tree, low, high, self.rng.random() < 0.5)
                self.under_way.append((node, low, high, value))
                self.bounds_tree.set_busy(node, True)
        for node in self.bounds_tree.stale():
            self.bounds_tree.set_busy(node, False)  # stopped: what it found comes late or never

    def window_sent(self, alpha: int, beta: int) -> tuple[int, int]:
        """Mostly the one wanted; else one that was right before, wider or beside it."""
        if self.rng.random() < 0.7:
            return alpha, beta
        low = alpha + self.rng.randint(-3, 3)
        return low, max(low + 1, beta + self.rng.randint(-3, 3))

    def end(self, one: tuple[int, int, int, int]) -> None:
        node, alpha, beta, value = one
        if self.rng.random() > 0.1:  # else it comes again
            self.under_way.remove(one)
        if not any(other[0] == node for other in self.under_way):
            self.bounds_tree.set_busy(node, False)
        if self.rng.random() > 0.2:  # else it is lost
            self.bounds_tree.merge(node, alpha, beta, value)

    def answer(self) -> tuple[int, int | None]:
        lower, upper = self.bounds_tree.bounds(0)
        assert lower == upper
        return lower, self.bounds_tree.first_best()


def full_window(fleet: Fleet) -> None:
    fleet.search_until_resolved(*FULL, is_move_wanted=True)


def aspiration(fleet: Fleet) -> None:
    guess = fleet.rng.randint(-12, 12)
    alpha, beta = guess - 2, guess + 2
    fleet.search_until_resolved(alpha, beta)
    lower, upper = fleet.bounds_tree.bounds(0)
    if lower != upper:
        alpha, beta = (lower - 1, VALUE_LIMIT) if lower >= beta else (-VALUE_LIMIT, upper + 1)
        fleet.search_until_resolved(alpha, beta)
    fleet.search_until_resolved(*FULL, is_move_wanted=True)


def mtdf(fleet: Fleet) -> None:
    guess = fleet.rng.randint(-12, 12)
    for _ in range(STEPS_MAX):
        lower, upper = fleet.bounds_tree.bounds(0)
        if lower == upper:
            break
        gamma = guess + 1 if guess == lower else guess
        fleet.search_until_resolved(gamma - 1, gamma)
        lower, upper = fleet.bounds_tree.bounds(0)
        guess = lower if lower >= gamma else upper
    fleet.search_until_resolved(lower - 1, lower, is_move_wanted=True)


DRIVERS = [full_window, aspiration, mtdf]


def check_random_trees(seed: int, count: int) -> None:
    """Search `count` random trees; each answer must be plain sequential alpha-beta's."""
    rng = random.Random(seed)
    for _ in range(count):
        tree = random_tree(rng, rng.randint(1, 5), rng.choice([1, 3, 10]))
        if isinstance(tree, int):
            tree = [tree]
        fleet = Fleet(tree, rng)
        rng.choice(DRIVERS)(fleet)
        assert fleet.answer() == sequential_answer(tree) == (minimax(tree), first_best(tree))


def test_any_order_gives_the_sequential_answer() -> None:
    check_random_trees(seed=1, count=200)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 7))
def test_any_order_gives_the_sequential_answer_in_many_trees(seed: int) -> None:
    check_random_trees(seed, count=2000)


# Source 4's rules that are not sound, and what the bounds tree makes of them.


def test_value_at_alpha_proves_an_upper_bound_only() -> None:
    """Source 4, rule 1: v inside the window it takes for exact, v = alpha included."""
    tree: GameTree = [3]
    assert minimax(tree) == -3
    returned = search(tree, 0, 2, is_soft=False)
    assert returned == 0  # taken for exact, it would give 0 under (-2, 2), where -2 is right
    bounds = BoundsTree()
    bounds.merge(0, 0, 2, returned)
    assert bounds.bounds(0) == (-VALUE_LIMIT, 0)
    assert bounds.window(0, -2, 2) == (-2, 0)
    bounds.merge(0, -2, 0, search(tree, -2, 0, is_soft=False))
    assert bounds.bounds(0) == (-VALUE_LIMIT, -2)
    assert bounds.window(0, -2, 2) is None


def test_result_of_a_window_counts_in_a_larger_one_for_its_bound_only() -> None:
    """Source 4, rule 4: any window that includes the clean one gets the value."""
    tree: GameTree = [0, -1]
    assert minimax(tree) == 1
    returned = search(tree, -4, -2)
    assert returned == 0  # reused under (-4, 2), it would give 0, where 1 is right
    bounds = BoundsTree()
    bounds.merge(0, -4, -2, returned)
    assert bounds.bounds(0) == (0, VALUE_LIMIT)
    assert bounds.window(0, -4, 2) == (0, 2)


def test_earlier_brother_must_show_whether_it_is_as_good() -> None:
    tree: list[GameTree] = [[0, 2], [0, 3]]  # both moves are worth 0
    assert sequential_answer(tree) == (0, 0)
    bounds = BoundsTree()
    bounds.expand(0, 2)
    bounds.merge(2, *FULL, minimax(tree[1]))
    assert bounds.window(1, *FULL, is_move_wanted=True) == (-VALUE_LIMIT, 1)
    bounds.merge(1, -1, 0, search(tree[0], -1, 0))
    assert bounds.first_best() is None
    bounds.merge(1, 0, 1, search(tree[0], 0, 1))
    assert bounds.first_best() == 0


def test_known_children_settle_a_node_before_its_older_ones_end() -> None:
    bounds = BoundsTree()
    bounds.expand(0, 2)
    bounds.expand(1, 3)
    for node in (2, 3, 5):
        bounds.set_busy(node, True)
    bounds.merge(2, -5, 5, 1)  # the second move is worth -1
    bounds.set_busy(2, False)
    assert [(node, alpha, beta) for node, alpha, beta, _ in bounds.sweep(-5, 5)] == [(4, -1, 5)]
    bounds.merge(5, -1, 5, -6)  # an answer to the first move makes it worth -6 at most
    assert bounds.sweep(-5, 5) == []
    assert bounds.stale() == [3, 5]


def test_everything_below_a_resolved_node_is_stale() -> None:
    bounds = BoundsTree()
    bounds.expand(0, 1)
    bounds.expand(1, 2)
    bounds.expand(2, 2)
    for node in (3, 4, 5):
        bounds.set_busy(node, True)
    assert bounds.sweep(-5, 5) == []
    assert bounds.stale() == []
    bounds.narrow(1, 7, VALUE_LIMIT)
    bounds.sweep(-5, 5)
    assert bounds.stale() == [3, 4, 5]
    assert [bounds.rank(node) for node in (0, 3, 5)] == [None, None, None]


# Speculation ranks and the order of search.


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
    assert listed(bounds) == [(2, 0), (3, 500)]


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


@pytest.mark.parametrize("spread", [0.0, -1.0, float("nan")])
def test_a_spread_is_more_than_nothing(spread: float) -> None:
    with pytest.raises(ValueError, match="spread of more than 0"):
        BoundsTree(8, spread)


# Twins: one position reached by two ways.


def test_what_is_proved_of_a_node_is_proved_of_its_twins() -> None:
    bounds = BoundsTree()
    bounds.expand(0, 2)
    bounds.expand(1, 2)
    bounds.expand(2, 2)
    bounds.merge(3, -9, 9, 4)
    assert bounds.join(3, 6)
    assert not bounds.join(3, 6)
    assert not bounds.join(6, 6)
    assert bounds.bounds(6) == (4, 4)
    bounds.join(4, 5)
    bounds.merge(5, -9, 9, -2)
    assert bounds.bounds(4) == (-2, -2)
    assert bounds.bounds(1) == bounds.bounds(2) == (2, 2)
    assert bounds.bounds(0) == (-2, -2)


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


def test_twins_are_all_nodes_of_a_position() -> None:
    bounds = split_twins({})
    assert bounds.twins(4) == [4]
    bounds.join(6, 4)
    bounds.join(3, 4)
    assert (set(bounds.twins(3)), bounds.twins(3)[0]) == ({3, 4, 6}, 3)
    assert [bounds.is_split(node) for node in (3, 4, 5, 6)] == [True, True, False, True]


def test_what_is_searched_for_twins_is_needed_if_any_of_them_is() -> None:
    # The root's first move is refuted by 3; its second one may be good, if 6 is.
    bounds = split_twins({3: -50, 5: 50})
    apart = dict(listed(bounds))
    assert apart[7] > 900  # it is of the first move
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


def test_node_takes_the_estimate_of_its_twin_if_it_has_none() -> None:
    bounds = split_twins({4: 7, 5: 1})
    bounds.join(6, 4)
    bounds.join(5, 3)
    assert [bounds.estimate(node) for node in (3, 4, 5, 6)] == [None, 7, 1, 7]


# What a sweep takes over from the one before.


class Grown:
    """A tree to which all kinds of things happen, and what they were."""

    def __init__(self, tree: GameTree, rng: random.Random) -> None:
        self.rng = rng
        self.below = {0: tree}
        self.plies = {0: 0}
        self.done: list[tuple[str, tuple[Any, ...]]] = []
        self.tree = BoundsTree(4096)

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
        self.do("set_order", node, self.rng.sample(range(count), count))

    def estimate(self, node: int) -> None:
        self.do("set_estimate", node, self.rng.randint(-12, 12))

    def work(self, node: int) -> None:
        self.do("set_busy", node, self.rng.random() < 0.7)

    def join(self, node: int) -> None:
        value, ply = minimax(self.below[node]), self.plies[node]
        alike = [n for n in self.below if self.plies[n] == ply and minimax(self.below[n]) == value]
        self.do("join", node, self.rng.choice(alike))


@pytest.mark.slow
@given(st.randoms(use_true_random=False))
def test_sweep_finds_what_it_finds_in_a_tree_that_was_never_swept(rng: random.Random) -> None:
    grown = Grown([random_tree(rng, 3, 3) for _ in range(4)], rng)
    grown.expand(0)
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


def test_nothing_is_found_wanted_before_the_first_sweep() -> None:
    bounds = BoundsTree()
    bounds.expand(0, 2)
    bounds.set_busy(1, True)
    assert (bounds.rank(1), bounds.wanted(1), bounds.stale()) == (None, None, [1])
    assert bounds.ranks(range(3)) == [SPECULATION_MAX] * 3


def test_ranks_of_many_nodes_are_those_of_each() -> None:
    bounds = BoundsTree()
    bounds.expand(0, 3)
    bounds.sweep(-1, 0)
    assert bounds.ranks([3, 1, 2, 1]) == [750, 0, 500, 0]
    bounds.narrow(1, -VALUE_LIMIT, -5)  # worth 5 to the root: nothing is wanted
    bounds.sweep(-1, 0)
    assert bounds.ranks(range(4)) == [SPECULATION_MAX] * 4
    assert bounds.ranks([]) == []
    with pytest.raises(ValueError, match="node from 0 to 3"):
        bounds.ranks([1, 4])


# The door.


def test_results_that_cannot_both_be_true_are_told() -> None:
    bounds = BoundsTree()
    bounds.merge(0, -5, 5, 1)
    with pytest.raises(Contradiction, match="node 0"):
        bounds.merge(0, -5, 5, 2)
    with pytest.raises(ValueError, match="lower <= upper"):
        bounds.narrow(0, 2, 1)
    with pytest.raises(ValueError, match="alpha < beta"):
        bounds.merge(0, 2, 2, 1)


def test_bad_nodes_and_orders_are_refused() -> None:
    bounds = BoundsTree(4)
    with pytest.raises(ValueError, match="node_max"):
        BoundsTree(NODE_COUNT_MAX + 1)
    with pytest.raises(ValueError, match="node from 0 to 0"):
        bounds.bounds(1)
    with pytest.raises(ValueError, match="1 to 512 children"):
        bounds.expand(0, 0)
    with pytest.raises(MemoryError, match="full: 4 nodes"):
        bounds.expand(0, 4)
    assert list(bounds.children(0)) == []
    assert bounds.expand(0, 3) == 1
    assert list(bounds.children(0)) == [1, 2, 3]
    assert (bounds.node_max, bounds.node_count) == (4, 4)
    with pytest.raises(ValueError, match="expanded already"):
        bounds.expand(0, 1)
    with pytest.raises(ValueError, match="permutation of 3"):
        bounds.set_order(0, [0, 1, 1])
    assert bounds.parent(0) is None
    assert (bounds.parent(3), bounds.index(3)) == (0, 2)
