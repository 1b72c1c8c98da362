"""The tree of a search, the windows of its root, and its top for people."""

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.search.bounds_tree import VALUE_LIMIT, BoundsTree, Contradiction
from master.contract.search_views import TREE_NODES_MAX, TREE_PLIES_MAX, NodeState
from master.laboratory.laboratory import Run
from master.search.events import MoveBounds, SearchEvent, SearchPartEnded, SearchTick
from master.search.known import EARLIER, KnownBounds
from master.search.rules import Child
from master.search.state import SearchState
from master.search.strategies import Driver, Mode, Passes
from master.search.tree import SearchTree
from master.search.tree_top import TopNode, top_nodes
from tests.master.search.hand_driven import HOT_AGE, Hand, SortedGame, WrittenGame
from tests.master.search.searches import Trial
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


def test_source_of_known_bounds_is_noted_where_strangers_sent_them() -> None:
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


SEEDS = st.integers(0, 100_000)
Inspect = Callable[[SearchState, SearchEvent], None]


def examined(seed: int, check: Inspect) -> tuple[Run, Trial]:
    """Run a random search with a look at it after every event."""
    trial = Trial(seed)
    handle = trial.scheduler.handle

    def handle_and_check(event: SearchEvent, now: float) -> object:
        commands = handle(event, now)
        check(trial.scheduler._state, event)
        return commands

    trial.scheduler.handle = handle_and_check  # type: ignore[method-assign, assignment]
    return trial.run(), trial


def assert_some(nodes: tuple[TopNode, ...]) -> None:
    assert nodes


def by_path(nodes: tuple[TopNode, ...]) -> dict[tuple[int, ...], TopNode]:
    return {node.path: node for node in nodes}


@settings(max_examples=20)
@given(SEEDS)
def test_search_that_is_looked_at_is_the_same_to_the_bit(seed: int) -> None:
    alone = Trial(seed)
    run, watched = examined(seed, lambda state, event: assert_some(top_nodes(state)))
    assert run == alone.run()
    assert watched.scheduler.counts == alone.scheduler.counts


@settings(max_examples=20)
@given(SEEDS, st.integers(1, 40), st.integers(0, 6))
def test_nodes_are_a_tree_of_so_many_at_most(seed: int, count_max: int, plies_max: int) -> None:
    def check(state: SearchState, event: SearchEvent) -> None:
        nodes = top_nodes(state, plies_max, count_max)
        assert 1 <= len(nodes) <= count_max
        assert len({node.path for node in nodes}) == len(nodes)
        assert [node.path for node in nodes] == sorted(node.path for node in nodes)
        assert nodes[0].path == ()
        paths = by_path(nodes)
        for node in nodes[1:]:
            assert len(node.path) <= plies_max
            assert node.path[-1] < paths[node.path[:-1]].child_count

    examined(seed, check)


@settings(max_examples=20)
@given(SEEDS)
def test_bounds_never_widen_within_an_iteration(seed: int) -> None:
    before: dict[tuple[int, ...], TopNode] = {}
    tree: list[object] = []

    def check(state: SearchState, event: SearchEvent) -> None:
        if tree != [state.tree]:
            tree[:] = [state.tree]
            before.clear()
        for node in top_nodes(state):
            old = before.setdefault(node.path, node)
            assert old.lower <= node.lower <= node.upper <= old.upper
            assert node.nodes >= old.nodes
            before[node.path] = node

    examined(seed, check)


@settings(max_examples=20)
@given(SEEDS)
def test_analysers_are_those_that_hold_the_parts(seed: int) -> None:
    def check(state: SearchState, event: SearchEvent) -> None:
        held = [
            analyser.number
            for analyser, attempt in state.searchers.current()
            if attempt.part.tree is state.tree
        ]
        nodes = top_nodes(state, 99, 1 << 20)
        assert sorted(number for node in nodes for number in node.analysers) == sorted(held)
        assert nodes[0].busy == len(held)
        below = Counter[tuple[int, ...]]()
        for node in nodes[1:]:
            below[node.path[:-1]] += node.busy
        for node in nodes:
            assert node.busy == len(node.analysers) + below[node.path]
            is_held = node.state in (NodeState.SEARCHED, NodeState.SHOT)
            assert not is_held or node.analysers
            assert (node.since is None) == (not node.analysers)

    examined(seed, check)


@settings(max_examples=20)
@given(SEEDS)
def test_nodes_searched_are_those_of_all_parts_that_ended(seed: int) -> None:
    reported = Counter[object]()

    def check(state: SearchState, event: SearchEvent) -> None:
        if isinstance(event, SearchPartEnded):
            reported["all"] += event.nodes
        nodes = by_path(top_nodes(state, 99, 1 << 20))
        assert nodes[()].nodes <= state.counts.nodes <= reported["all"]
        for path, node in nodes.items():
            assert not path or node.nodes <= nodes[path[:-1]].nodes

    examined(seed, check)


@settings(max_examples=20)
@given(SEEDS)
def test_what_is_proved_waits_or_is_cut_is_so(seed: int) -> None:
    def check(state: SearchState, event: SearchEvent) -> None:
        if state.is_over:
            return
        for node in top_nodes(state):
            assert (node.state is NodeState.PROVED) == (node.lower == node.upper)
            if node.state is NodeState.SPLIT:
                assert node.child_count > 0
            if node.state is NodeState.WAITS:
                assert node.child_count == 0
            if node.state is NodeState.CUT:
                assert node.window is None
            assert node.window is None or node.window[0] < node.window[1]

    examined(seed, check)


def split_hand() -> Hand:
    """A search of three moves, two of which are searched."""
    hand = Hand()
    hand.come(1, 2)
    return hand


def top(hand: Hand) -> dict[tuple[int, ...], TopNode]:
    return by_path(hand.scheduler.top())


def test_moves_of_the_root_are_shown_with_who_searches_them() -> None:
    nodes = top(split_hand())
    assert nodes[()].state is NodeState.SPLIT
    assert (nodes[()].busy, nodes[()].child_count, nodes[()].is_shot) == (2, 3, False)
    assert [nodes[i,].state for i in range(3)] == [
        NodeState.SEARCHED, NodeState.SEARCHED, NodeState.WAITS,
    ]  # fmt: skip
    assert [nodes[i,].analysers for i in range(3)] == [(1,), (2,), ()]
    assert nodes[0,].window == (-VALUE_LIMIT, VALUE_LIMIT)


def test_search_that_nobody_has_begun_shows_its_root_alone() -> None:
    (root,) = Hand().scheduler.top()
    assert (root.path, root.window, root.analysers, root.busy, root.nodes) == ((), None, (), 0, 0)


def test_hot_spot_is_shot_and_then_split_with_the_time_it_took() -> None:
    hand = split_hand()
    hand.end(b"b", 3, 3, nodes=70)
    hand.end(b"c", 3, 3, nodes=5)
    assert top(hand)[1,].state is NodeState.PROVED
    hand.send(SearchTick(), 2 * HOT_AGE)
    shot = top(hand)[0,]
    assert (shot.state, shot.analysers, shot.child_count) == (NodeState.SHOT, (1,), 0)
    hand.end(b"a", nodes=40)
    nodes = top(hand)
    assert (nodes[0,].state, nodes[0,].is_shot, nodes[0,].child_count) == (NodeState.SPLIT, True, 3)
    assert nodes[0, 0].since == hand.now
    assert (nodes[()].nodes, nodes[0,].nodes, nodes[0, 0].nodes) == (115, 40, 0)


def test_position_that_other_moves_lead_to_is_searched_elsewhere() -> None:
    hand = Hand(width=2, game=SortedGame(2), plies=2)
    hand.come(1, 2, 3)
    states = {path: node.state for path, node in top(hand).items() if len(path) == 2}
    assert sorted(states.values()) == ["elsewhere", "searched", "searched", "searched"]
    assert states[1, 0] is NodeState.ELSEWHERE


def test_hottest_are_shown_where_not_all_have_room() -> None:
    hand = Hand(width=3, plies=2)
    hand.come(1)
    full = by_path(top_nodes(hand.state))
    assert len(full) == 1 + 3 + 9
    few = top_nodes(hand.state, count_max=3)
    searched = next(node for node in full.values() if node.analysers)
    assert [node.path for node in few] == [(), searched.path[:1], searched.path]


def test_limits_are_a_few_screens() -> None:
    assert (TREE_PLIES_MAX, TREE_NODES_MAX) == (4, 500)


VALUES = st.integers(-20, 20)


@given(st.sampled_from(list(Driver)), st.sampled_from(list(Mode)), VALUES, VALUES, st.data())
def test_passes_end_with_the_value(
    driver: Driver, mode: Mode, guess: int, value: int, data: st.DataObject
) -> None:
    tree = BoundsTree()
    passes = Passes(driver, mode, guess)
    for _ in range(60):
        window = passes.window(tree)
        if window is None:
            break
        alpha, beta, is_move_wanted = window
        assert alpha < beta
        assert not is_move_wanted  # the root has no moves
        slack = data.draw(st.integers(0, 2))
        if value >= beta:
            tree.narrow(0, max(beta, value - slack), VALUE_LIMIT)
        elif value <= alpha:
            tree.narrow(0, -VALUE_LIMIT, min(alpha, value + slack))
        else:
            tree.narrow(0, value, value)
    assert tree.bounds(0) == (value, value)


def test_pass_stays_the_same_until_it_is_resolved() -> None:
    tree = BoundsTree()
    passes = Passes(Driver.MTDF, Mode.FAST, 5)
    assert passes.window(tree) == passes.window(tree) == (4, 5, False)
    assert passes.pass_count == 1


@pytest.mark.parametrize(
    ("driver", "window"),
    [
        (Driver.MTDF, (4, 5)),
        (Driver.ASPIRATION, (2, 8)),
        (Driver.FULL, (-VALUE_LIMIT, VALUE_LIMIT)),
    ],
)
def test_first_window_is_about_the_guess(driver: Driver, window: tuple[int, int]) -> None:
    assert Passes(driver, Mode.FAST, 5, guess_error=3).window(BoundsTree()) == (*window, False)


def test_mtdf_looks_where_a_better_guess_says_within_what_is_proved() -> None:
    tree = BoundsTree()
    passes = Passes(Driver.MTDF, Mode.FAST, 5)
    passes.window(tree)
    passes.aim(9)
    assert passes.window(tree) == (8, 9, False)
    passes.aim(9)
    assert passes.window(tree) == (8, 9, False)
    assert passes.pass_count == 2
    tree.narrow(0, -VALUE_LIMIT, 6)
    passes.aim(7)
    assert passes.window(tree) == (5, 6, False)
    tree.narrow(0, 2, 6)
    passes.aim(-30)
    assert passes.window(tree) == (2, 3, False)


@pytest.mark.parametrize("driver", [Driver.FULL, Driver.ASPIRATION])
def test_wide_windows_that_are_begun_take_no_better_guess(driver: Driver) -> None:
    tree = BoundsTree()
    passes = Passes(driver, Mode.FAST, 5)
    begun = passes.window(tree)
    passes.aim(50)
    assert passes.window(tree) == begun


def test_mtdf_goes_on_from_the_bound_just_proved() -> None:
    tree = BoundsTree()
    passes = Passes(Driver.MTDF, Mode.FAST, 5)
    passes.window(tree)
    tree.narrow(0, 8, VALUE_LIMIT)
    assert passes.window(tree) == (8, 9, False)
    tree.narrow(0, 8, 10)
    assert passes.window(tree) == (8, 9, False)  # not answered yet
    tree.narrow(0, 9, 10)
    assert passes.window(tree) == (9, 10, False)


def test_move_is_asked_for_when_the_value_is_known() -> None:
    tree = BoundsTree()
    tree.expand(0, 2)
    passes = Passes(Driver.MTDF, Mode.REPRODUCIBLE, 0)
    tree.narrow(2, -3, -3)
    tree.narrow(1, -3, VALUE_LIMIT)
    assert passes.window(tree) == (2, 3, True)
    assert Passes(Driver.MTDF, Mode.FAST, 0).window(tree) is None
    tree.narrow(1, -2, VALUE_LIMIT)
    assert passes.window(tree) is None


def test_value_without_any_move_that_has_it_is_no_answer_in_mode_fast_either() -> None:
    tree = BoundsTree()
    tree.expand(0, 2)
    tree.narrow(0, 3, 3)  # by a table entry
    passes = Passes(Driver.MTDF, Mode.FAST, 0)
    assert passes.window(tree) == (2, 3, True)
    tree.narrow(2, -VALUE_LIMIT, -3)
    assert passes.window(tree) is None


def test_full_window_asks_for_the_move_at_once() -> None:
    tree = BoundsTree()
    tree.expand(0, 2)
    window = Passes(Driver.FULL, Mode.REPRODUCIBLE, 0).window(tree)
    assert window == (-VALUE_LIMIT, VALUE_LIMIT, True)
