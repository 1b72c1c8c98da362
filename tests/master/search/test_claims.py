"""What an answer rests on is found, all of it, and nothing that we have proved ourselves."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.search.claims import Claim, find_claims, find_disputed
from master.search.rules import Child
from master.search.tree import SearchTree
from tests.master.search.hand_driven import SortedGame, WrittenGame
from tests.master.search.synthetic import MadeUpGame, minimax

SEEDS = st.integers(0, 10**6)
DEPTH = 4
OURS = None  # who tells, where it is this process


@pytest.mark.parametrize(
    ("is_lower", "window", "proving", "refuting"),
    [(True, (3, 4), (4, 9), (-9, 3)), (False, (4, 5), (-9, 4), (5, 9))],
)
def test_claim_is_proved_or_refuted_by_its_window(
    is_lower: bool, window: tuple[int, int], proving: tuple[int, int], refuting: tuple[int, int]
) -> None:
    claim = Claim(b"p", 3, is_lower, 4, frozenset([1]))
    assert claim.window == window
    assert claim.is_proved_by(*proving)
    assert not claim.is_proved_by(*refuting)
    assert claim.is_refuted_by(*refuting)
    assert not claim.is_refuted_by(*proving)
    assert not claim.is_refuted_by(-9, 9)


@given(st.booleans(), st.integers(-9, 9), st.integers(-9, 9))
def test_a_search_of_the_window_shows_whether_the_claim_is_true(
    is_lower: bool, bound: int, truth: int
) -> None:
    claim = Claim(b"p", 3, is_lower, bound, frozenset([1]))
    alpha, beta = claim.window
    assert beta == alpha + 1
    found = (-VALUE_LIMIT, alpha) if truth <= alpha else (beta, VALUE_LIMIT)
    is_true = truth >= bound if is_lower else truth <= bound
    assert (claim.is_proved_by(*found), claim.is_refuted_by(*found)) == (is_true, not is_true)


class Announced:
    """A tree in which this process and two strangers told truths until the answer was proved.

    Of the root nothing is told: it is split before anything is handed out.
    """

    def __init__(self, seed: int, tellers: tuple[int | None, ...] = (OURS, 1, 2)) -> None:
        self.rng = random.Random(seed)
        self.game = MadeUpGame(seed, width=3)
        self.split = [0, *sorted(self.rng.sample(range(1, 60), 30))]
        self.tree = self.unproved()
        self.tree.words = {}
        while not self.is_answered:
            node = self.rng.randrange(1, len(self.tree.positions))
            self.tree.prove(node, *self.truth(node), [], self.rng.choice(tellers))

    def unproved(self) -> SearchTree:
        tree = SearchTree(self.game, Child(self.game.root(), DEPTH), 1000)
        for node in self.split:
            if node < len(tree.positions):
                tree.expand(node)
        return tree

    def truth(self, node: int) -> tuple[int, int]:
        """Return bounds of a node that are true, and say more or less."""
        value = minimax(self.game, self.tree.positions[node], self.tree.depths[node])
        lower = self.rng.choice([value, value, value - 1, -VALUE_LIMIT])
        return lower, self.rng.choice([value, value, value + 1, VALUE_LIMIT])

    @property
    def is_answered(self) -> bool:
        lower, upper = self.tree.bounds.bounds(0)
        return lower == upper and self.tree.bounds.first_best() is not None

    def ours_alone(self) -> SearchTree:
        """Return the tree as it were if strangers had told nothing."""
        tree = self.unproved()
        for node, words in (self.tree.words or {}).items():
            for who, lower, upper in words:
                if who is OURS:
                    tree.prove(node, lower, upper, [])
        return tree

    def node_of(self, claim: Claim) -> int:
        node = self.tree.named(self.game.entry_key(Child(claim.position, claim.depth)))
        assert node is not None
        return node


@settings(max_examples=300)
@given(SEEDS)
@pytest.mark.when_changed
def test_claims_and_what_we_proved_are_enough_for_value_and_best_move(seed: int) -> None:
    reported = Announced(seed)
    tree = reported.ours_alone()
    for claim in find_claims(reported.tree):
        open_end = VALUE_LIMIT if claim.is_lower else -VALUE_LIMIT
        tree.bounds.narrow(reported.node_of(claim), *sorted((claim.bound, open_end)))
    assert tree.bounds.bounds(0) == reported.tree.bounds.bounds(0)
    assert tree.bounds.first_best() == reported.tree.bounds.first_best()


@given(SEEDS)
def test_what_we_proved_ourselves_is_no_claim(seed: int) -> None:
    reported = Announced(seed)
    ours = reported.ours_alone()
    for claim in find_claims(reported.tree):
        assert not claim.is_proved_by(*ours.bounds.bounds(reported.node_of(claim)))


@given(SEEDS)
def test_tellers_are_all_whose_word_proves_the_claim(seed: int) -> None:
    reported = Announced(seed)
    assert reported.tree.words is not None
    for claim in find_claims(reported.tree):
        words = reported.tree.words[reported.node_of(claim)]
        proving = {who for who, *bounds in words if claim.is_proved_by(*bounds)}
        assert proving
        assert claim.tellers == proving


@settings(max_examples=300)
@given(SEEDS)
def test_claims_come_once_and_the_deepest_first(seed: int) -> None:
    claims = find_claims(Announced(seed).tree)
    depths = [claim.depth for claim in claims]
    assert depths == sorted(depths, reverse=True)
    assert len(set(claims)) == len(claims)


@given(SEEDS)
def test_answer_of_this_process_rests_on_no_claim(seed: int) -> None:
    assert find_claims(Announced(seed, (OURS,)).tree) == ()


def test_tree_of_a_search_without_strangers_has_no_claims() -> None:
    tree = SearchTree(WrittenGame(), Child(b"", 3), 100)
    tree.prove(0, 5, 5, [])
    assert find_claims(tree) == ()


def test_root_that_was_never_split_is_claimed_from_both_sides() -> None:
    tree = SearchTree(WrittenGame(), Child(b"", 3), 100)
    tree.words = {}
    tree.prove(0, 5, 5, [], 7)
    assert find_claims(tree) == (
        Claim(b"", 3, True, 5, frozenset([7])),
        Claim(b"", 3, False, 5, frozenset([7])),
    )


def test_move_before_the_best_one_is_claimed_to_be_worse_and_one_behind_it_no_better() -> None:
    tree = SearchTree(WrittenGame(), Child(b"", 3), 100)
    tree.words = {}
    tree.expand(0)
    for child, value in ((1, -4), (2, -5), (3, -5)):
        tree.prove(child, value, value, [], 7)
    said = {(claim.position, claim.is_lower, claim.bound) for claim in find_claims(tree)}
    assert said == {(b"a", True, -4), (b"b", False, -5), (b"b", True, -5), (b"c", True, -5)}


def test_position_reached_twice_rests_on_the_moves_of_whichever_node_was_split() -> None:
    tree = SearchTree(SortedGame(2), Child(b"", 3), 100)
    tree.words = {}
    for node in (0, 1, 2, 5):
        tree.expand(node)
    assert (tree.positions[4], tree.positions[5]) == (b"ab", b"ab")
    for leaf in (3, 6, 7, 8):
        tree.prove(leaf, 0, 0, [], 7)
    said = [(claim.position, claim.is_lower) for claim in find_claims(tree)]
    assert sorted(said) == [
        (b"aa", False), (b"aa", True), (b"aab", False), (b"aab", True), (b"abb", True),
    ]  # fmt: skip


@given(SEEDS, st.data())
def test_after_a_contradiction_all_results_of_strangers_are_disputed(
    seed: int, data: st.DataObject
) -> None:
    tree = Announced(seed).tree
    node = data.draw(st.integers(0, len(tree.positions) - 1))
    assert tree.words is not None
    reported = {
        Claim(tree.positions[each], tree.depths[each], is_lower, bound, frozenset([who]))
        for each, words in tree.words.items()
        for who, lower, upper in words
        for is_lower, bound in ((True, lower), (False, upper))
        if who is not OURS and abs(bound) < VALUE_LIMIT
    }
    assert set(find_disputed(tree, node)) == reported


def test_disputed_are_those_near_the_node_first_and_then_the_quickest_to_prove() -> None:
    tree = SearchTree(WrittenGame(2), Child(b"", 3), 100)
    tree.words = {}
    for node in (0, 1, 2):
        tree.expand(node)
    for node in (0, 1, 2, 3, 5, 6):
        tree.prove(node, -9, VALUE_LIMIT, [], 7)
    disputed = [claim.position for claim in find_disputed(tree, 3)]
    assert disputed == [b"aa", b"a", b"b", b"", b"ba", b"bb"]
