import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.search.bounds_tree import VALUE_LIMIT, Contradiction
from master.search.events import MoveBounds
from master.search.known import EARLIER, KnownBounds
from master.search.rules import Child
from master.search.tree import SearchTree
from tests.master.search.hand_driven import WrittenGame
from tests.master.search.synthetic import MadeUpGame, minimax


def tree_of(width: int = 3, depth: int = 3, node_max: int = 100) -> SearchTree:
    return SearchTree(WrittenGame(width), Child(b"", depth), node_max)


def test_children_have_positions_depths_plies_and_shots() -> None:
    tree = tree_of()
    assert tree.expand(0, shots=2)
    assert tree.expand(0, shots=9)  # they are there already
    assert tree.positions == [b"", b"a", b"b", b"c"]
    assert (tree.depths, tree.plies, tree.shots) == ([3, 2, 2, 2], [0, 1, 1, 1], [0, 2, 2, 2])


def known_of(tree: SearchTree) -> KnownBounds:
    return tree.known(is_confirmed=True)


def test_known_bounds_are_recalled_as_nodes_are_named() -> None:
    first = tree_of()
    first.expand(0)
    first.expand(2)
    first.prove(5, -2, 1, ())
    again = SearchTree(WrittenGame(3), Child(b"", 3), 100, known=known_of(first))
    again.expand(0)
    again.expand(2)
    assert again.bounds.bounds(5) == (-2, 1)


def test_what_was_split_and_is_open_is_split_again() -> None:
    first = tree_of()
    first.expand(0)
    first.expand(2)
    first.prove(5, -2, 1, ())
    first.prove(1, 3, 3, ())
    again = SearchTree(WrittenGame(3), Child(b"", 3), 100, known=known_of(first))
    again.regrow()
    assert set(again.positions) == set(first.positions)
    assert {*map(again.bounds.bounds, range(7))} == {*map(first.bounds.bounds, range(7))}
    tree = tree_of()
    tree.regrow()
    assert tree.positions == [b""]


def test_whose_word_known_bounds_are_is_noted_where_strangers_told_them() -> None:
    game = WrittenGame(3)
    root, child = (game.entry_key(Child(*one)) for one in ((b"", 3), (b"b", 2)))
    known = KnownBounds({root: (0, 0), child: (1, 4)}, is_confirmed=False)
    tree = SearchTree(game, Child(b"", 3), 100, known=known, has_strangers=True)
    tree.expand(0)
    assert tree.words == {2: [(EARLIER, 1, 4)]}


def test_leaf_of_the_game_is_never_split() -> None:
    tree = tree_of(depth=0)
    assert not tree.expand(0)
    assert not tree.expand(0)


def test_full_tree_says_so_and_stays_as_it_is() -> None:
    tree = tree_of(node_max=6)
    assert tree.expand(0)
    assert not tree.expand(1)
    assert tree.is_full
    assert len(tree.positions) == tree.bounds.node_count == 4


def test_owner_is_who_searched_nearest_above() -> None:
    tree = tree_of()
    tree.expand(0)
    tree.expand(1)
    assert tree.owner(4) is None
    tree.owners[0] = 7
    assert tree.owner(4) == 7
    tree.owners[1] = 8
    assert (tree.owner(4), tree.owner(2)) == (8, 7)


def order(tree: SearchTree, node: int = 0) -> list[bytes]:
    swept = tree.bounds.sweep(-9, 9, is_ranked=False)
    return [tree.positions[each] for each, _, _, _ in swept if each > node]


def test_best_looking_child_is_searched_first_and_unknown_ones_last() -> None:
    tree = SearchTree(WrittenGame(4), Child(b"", 3), 100, {b"c": -5, b"d": -6})
    tree.expand(0)
    assert order(tree) == [b"d", b"c", b"a", b"b"]
    tree.order(0, 1)
    assert order(tree) == [b"b", b"d", b"c", b"a"]


def test_best_move_of_an_unfinished_search_goes_first() -> None:
    tree = tree_of()
    tree.best[0] = 2
    tree.expand(0)
    assert order(tree) == [b"c", b"a", b"b"]


def test_moves_proved_of_a_node_are_its_childrens_bounds_negated() -> None:
    tree = tree_of()
    tree.expand(0)
    tree.prove(0, -4, 9, [MoveBounds(1, -2, 3), MoveBounds(77, 0, 0)])
    assert tree.bounds.bounds(2) == (-3, 2)
    assert tree.bounds.bounds(0) == (-2, 9)
    with pytest.raises(Contradiction):
        tree.prove(0, -5, -4, [])


@given(st.integers(0, 10**6))
def test_positions_reached_twice_are_proved_once(seed: int) -> None:
    game = MadeUpGame(seed, width=3)
    tree = SearchTree(game, Child(game.root(), 3), 1000)
    for node in range(13):
        if node < len(tree.positions):
            tree.expand(node)
    for node, (position, depth) in enumerate(zip(tree.positions, tree.depths, strict=True)):
        value = minimax(game, position, depth)
        tree.prove(node, value, value, [])
        for other in range(len(tree.positions)):
            if (tree.positions[other], tree.depths[other]) == (position, depth):
                assert tree.bounds.bounds(other) == (value, value)


def test_values_are_the_nearest_proved_ends() -> None:
    tree = tree_of()
    tree.expand(0)
    tree.bounds.narrow(1, -3, VALUE_LIMIT)
    tree.bounds.narrow(2, -VALUE_LIMIT, 4)
    assert tree.values() == {b"": -4, b"a": -3, b"b": 4}


def test_values_are_expected_beyond_bounds_that_were_enough() -> None:
    game = WrittenGame(3)
    game.beyond = 10
    tree = SearchTree(game, Child(b"", 3), 100)
    tree.expand(0)
    tree.bounds.narrow(1, -3, VALUE_LIMIT)
    tree.bounds.narrow(2, -VALUE_LIMIT, 4)
    tree.bounds.narrow(3, 2, 2)
    assert tree.values() == {b"": -2 + 10, b"a": -3 + 10, b"b": 4 - 10, b"c": 2}


def test_positions_that_an_earlier_iteration_split_are_known_at_another_depth() -> None:
    first = tree_of(depth=3)
    first.expand(0)
    first.expand(2)
    split = first.split_positions()
    assert split == {b"", b"b"}
    again = SearchTree(WrittenGame(3), Child(b"", 5), 100, split_before=split)
    again.expand(0)
    assert [again.was_split(node) for node in range(4)] == [True, False, True, False]


def test_line_follows_what_is_proved_to_be_best() -> None:
    tree = tree_of(width=2)
    tree.expand(0)
    tree.expand(2)
    assert tree.line() == ()
    tree.prove(4, 1, 1, [])
    tree.prove(3, 0, 0, [])  # "b" is worth 0 by its move "a"; to the root 0
    tree.prove(1, 5, VALUE_LIMIT, [])
    assert tree.bounds.first_best() == 1
    assert tree.line() == (1, 0)


def test_nodes_searched_count_for_all_above() -> None:
    tree = SearchTree(WrittenGame(), Child(b"", 4), 100)
    tree.expand(0)
    tree.expand(2)
    tree.record_spent(tree.bounds.children(2)[1], 5)
    tree.record_spent(2, 2)
    tree.record_spent(1, 1)
    assert tree.spent == {0: 8, 1: 1, 2: 7, tree.bounds.children(2)[1]: 5}
