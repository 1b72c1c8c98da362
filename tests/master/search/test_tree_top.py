"""The top of a running search's tree: true, bounded, and of no effect on what is searched."""

from collections import Counter
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.contract.search_views import TREE_NODES_MAX, TREE_PLIES_MAX, NodeState
from master.laboratory.laboratory import Run
from master.search.events import SearchEvent, SearchPartEnded, SearchTick
from master.search.state import SearchState
from master.search.tree_top import TopNode, top_nodes
from tests.master.search.hand_driven import HOT_AGE, Hand, SortedGame
from tests.master.search.searches import Trial

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
