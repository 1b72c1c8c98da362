"""The bounds tree proves the sequential answer, whatever comes in whatever order."""

import random

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
    split_twins,
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
@pytest.mark.when_changed
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
@pytest.mark.when_changed
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


def test_twins_are_all_nodes_of_a_position() -> None:
    bounds = split_twins({})
    assert bounds.twins(4) == [4]
    bounds.join(6, 4)
    bounds.join(3, 4)
    assert (set(bounds.twins(3)), bounds.twins(3)[0]) == ({3, 4, 6}, 3)
    assert [bounds.is_split(node) for node in (3, 4, 5, 6)] == [True, True, False, True]


def test_node_takes_the_estimate_of_its_twin_if_it_has_none() -> None:
    bounds = split_twins({4: 7, 5: 1})
    bounds.join(6, 4)
    bounds.join(5, 3)
    assert [bounds.estimate(node) for node in (3, 4, 5, 6)] == [None, 7, 1, 7]


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


# The endpoint.


def test_results_that_cannot_both_be_true_are_reported() -> None:
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
