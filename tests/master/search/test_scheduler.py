"""Value and move are the sequential search's, whatever the fleet does."""

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyser.tasks import SEARCH_SLICE_S
from engine_ext.search.bounds_tree import SPECULATION_MAX, VALUE_LIMIT
from master.search import Costs, SearchScheduler, SearchSpec
from master.search.events import (
    AnalyserCame,
    AnalyserWent,
    BracketNarrowed,
    GuessCame,
    HandOutPart,
    MoveBounds,
    SearchAnswered,
    SearchCommand,
    SearchEvent,
    SearchFailed,
    SearchPartEnded,
    SearchTick,
    StopSearchPart,
    TableNews,
)
from master.search.limits import (
    HOT_MESSAGES,
    IDLE_RANK_MAX,
    NEWS_S,
    ROUND_MESSAGES,
    idle_rank,
)
from master.search.rules import Child
from master.search.state import new_state
from master.search.strategies import OURS, STRATEGIES, Mode, Sharing, Splitting, Strategy
from tests.master.search.hand_driven import Hand, WrittenGame
from tests.master.search.searches import Trial
from tests.master.search.synthetic import MadeUpGame, answer, minimax


@pytest.mark.parametrize("seed", range(40))
def test_any_fleet_finds_the_sequential_answer(seed: int) -> None:
    Trial(seed).check()


@pytest.mark.slow
@pytest.mark.parametrize("block", range(6))
@pytest.mark.when_changed
def test_many_fleets_find_the_sequential_answer(block: int) -> None:
    for seed in range(1000 + block * 400, 1400 + block * 400):
        Trial(seed).check()


@pytest.mark.parametrize("seed", range(40))
def test_any_fleet_without_faults_finds_the_sequential_answer(seed: int) -> None:
    Trial(seed, has_faults=False).check()


def test_same_events_give_the_same_commands() -> None:
    for seed in range(100, 130):
        assert Trial(seed).run() == Trial(seed).run()


GAME = MadeUpGame(5, width=3)
DEPTH = 4
ROOT = GAME.root()


def scheduler_of(**options: object) -> SearchScheduler:
    strategy = Strategy("test", **options)  # type: ignore[arg-type]
    return SearchScheduler(SearchSpec(ROOT, (2, DEPTH)), GAME, strategy, Costs(1, 1, 1))


def truth(command: HandOutPart) -> SearchPartEnded:
    value = minimax(GAME, command.position, command.depth)
    return SearchPartEnded(command.analyser, command.part, command.generation, value, value, 10)


def test_all_that_is_handed_out_is_answered_and_the_search_ends() -> None:
    scheduler = scheduler_of()
    events: list[SearchEvent] = [AnalyserCame(1), AnalyserCame(2)]
    reported = []
    for time in range(1000):
        if not events:
            break
        commands = scheduler.handle(events.pop(0), time)
        reported += commands
        events += [truth(each) for each in commands if isinstance(each, HandOutPart)]
    answered = reported[-1]
    assert isinstance(answered, SearchAnswered)
    assert (answered.value, answered.move) == answer(GAME, DEPTH)
    assert answered.line[0] == answered.move
    assert scheduler.is_over
    assert scheduler.wake_at is None
    assert scheduler.handle(SearchTick(), 1000) == []
    brackets = [each for each in reported if isinstance(each, BracketNarrowed)]
    assert (brackets[0].depth, brackets[-1].depth) == (2, DEPTH)
    assert all(a != b for a, b in pairwise(brackets))


def test_deeper_iteration_stops_what_the_one_before_still_searches() -> None:
    scheduler = scheduler_of(mode=Mode.FAST)
    handed = []
    for number in range(1, 10):
        commands = scheduler.handle(AnalyserCame(number), 0)
        handed += [each for each in commands if isinstance(each, HandOutPart)]
    assert {each.depth for each in handed} == {1}
    while handed and handed[0].depth == 1:
        commands = scheduler.handle(truth(handed.pop(0)), 1)
        stopped = {each.part for each in commands if isinstance(each, StopSearchPart)}
        handed = [each for each in handed if each.part not in stopped]
        handed += [each for each in commands if isinstance(each, HandOutPart)]
    assert {each.depth for each in handed} == {DEPTH - 1}


def test_better_guess_has_everybody_look_elsewhere_and_the_same_one_nobody() -> None:
    spec = SearchSpec(ROOT, (DEPTH,), guess=3)
    scheduler = SearchScheduler(spec, GAME, Strategy("test"), Costs(1, 1, 1))
    commands = [*scheduler.handle(AnalyserCame(1), 0), *scheduler.handle(AnalyserCame(2), 0)]
    handed = [each for each in commands if isinstance(each, HandOutPart)]
    assert {(each.alpha, each.beta) for each in handed} == {(-3, -2)}
    assert scheduler.handle(GuessCame(3), 1) == []
    commands = scheduler.handle(GuessCame(-2), 2)
    stopped = [each for each in commands if isinstance(each, StopSearchPart)]
    assert {each.part for each in stopped} == {each.part for each in handed}
    again = [each for each in commands if isinstance(each, HandOutPart)]
    assert again
    assert {(each.alpha, each.beta) for each in again} == {(2, 3)}


def test_mode_fast_tells_a_move_that_has_the_value() -> None:
    for seed in range(300, 340):
        game = MadeUpGame(seed, spread=1)
        rng = random.Random(seed)
        spec = SearchSpec(game.root(), (4,), rng.randint(-1, 1))
        scheduler = SearchScheduler(spec, game, Strategy("fast", mode=Mode.FAST), Costs(1, 1, 1))
        commands = scheduler.handle(AnalyserCame(1), 0)
        while not isinstance(commands[-1], SearchAnswered):
            (part,) = [each for each in commands if isinstance(each, HandOutPart)]
            value = minimax(game, part.position, part.depth)
            lower = value if value > part.alpha else -VALUE_LIMIT
            upper = value if value < part.beta else VALUE_LIMIT
            ended = SearchPartEnded(1, part.part, part.generation, lower, upper)
            commands = scheduler.handle(ended, 0)
        answered = commands[-1]
        assert answered.value == minimax(game, game.root(), 4)
        assert answered.move is not None
        after = game.children(game.root(), 4)[answered.move]
        assert -minimax(game, after.position, 3) == answered.value


def test_position_without_moves_is_searched_as_it_is() -> None:
    spec = SearchSpec(ROOT, (0,))
    scheduler = SearchScheduler(spec, GAME)
    commands = scheduler.handle(AnalyserCame(7), 0.0)
    (part,) = [each for each in commands if isinstance(each, HandOutPart)]
    assert part.position == ROOT
    commands = scheduler.handle(truth(part), 0.0)
    assert commands[-1] == SearchAnswered(0, GAME.value(ROOT), None)


def test_nothing_happens_without_analysers() -> None:
    scheduler = scheduler_of()
    (reported,) = scheduler.handle(SearchTick(), 0)
    assert isinstance(reported, BracketNarrowed)
    assert scheduler.handle(SearchTick(), 5) == []
    assert scheduler.counts.handed_out == 0


@pytest.mark.parametrize("strategy", [{}, {"plies": 2, "is_ranked": False}])
def test_parts_wait_exactly_when_a_further_analyser_would_be_handed_one(
    strategy: dict[str, Any],
) -> None:
    hand = Hand(**strategy)
    assert hand.scheduler.parts_waiting == 1  # the root
    seen = set()
    for analyser in range(1, 12):
        is_waiting = hand.scheduler.parts_waiting > 0
        hand.come(analyser)
        assert bool(hand.of(HandOutPart)) == is_waiting
        seen.add(is_waiting)
    assert seen == {True, False}
    for position in list(hand.handed):
        hand.end(position, 3, 3)
        if hand.scheduler.is_over:
            break


@pytest.mark.parametrize("seed", range(100, 130))
def test_looking_at_what_waits_changes_no_decision(seed: int) -> None:
    examined, trial = Trial(seed), Trial(seed)
    handle, seen = examined.scheduler.handle, set()

    def inspect(event: SearchEvent, now: float) -> list[SearchCommand]:
        said = handle(event, now)
        seen.add(examined.scheduler.parts_waiting > 0)
        return said

    examined.scheduler.handle = inspect  # type: ignore[method-assign]
    assert examined.run() == trial.run()
    assert examined.scheduler.parts_waiting == 0
    assert False in seen


def test_commands_are_values_that_can_be_replayed_and_compared() -> None:
    assert HandOutPart(1, 2, 3, b"p", 4, -1, 1) == HandOutPart(1, 2, 3, b"p", 4, -1, 1, None)
    assert SearchAnswered(4, 0, None).line == ()


def test_events_are_values_that_can_be_logged_and_compared() -> None:
    ended = SearchPartEnded(1, 2, 3, -4, 4, moves=(MoveBounds(0, 1, 2),))
    assert ended == SearchPartEnded(1, 2, 3, -4, 4, moves=(MoveBounds(0, 1, 2),))
    assert hash(ended) == hash(SearchPartEnded(1, 2, 3, -4, 4, moves=(MoveBounds(0, 1, 2),)))
    assert "part=2" in repr(ended)


def test_children_are_values() -> None:
    assert Child(b"a", 3) == Child(b"a", 3)
    assert len({Child(b"a", 3), Child(b"a", 3), Child(b"a", 2)}) == 2


@pytest.mark.parametrize("depths", [(), (3, 2), (2, 2)])
def test_depths_ascend(depths: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="ascending depths"):
        SearchSpec(b"", depths)


def test_earliest_wish_to_be_woken_counts() -> None:
    state = new_state(SearchSpec(b"", (2,)), WrittenGame(), OURS, Costs())
    for time in (5.0, 3.0, 4.0):
        state.wake_by(time)
    assert state.wake_at == 3.0


def test_next_iteration_has_a_tree_of_its_own_and_hints() -> None:
    state = new_state(SearchSpec(b"", (2, 4)), WrittenGame(), OURS, Costs())
    before = state.tree
    state.grow(4, {b"b": -3}, guess=7)
    assert state.tree is not before
    assert state.tree.depths == [4]
    assert state.passes.guess == 7
    state.tree.expand(0)
    assert state.tree.bounds.estimate(2) == -3


@pytest.mark.parametrize(("analysers", "is_known"), [(7, False), (8, True)])
def test_only_many_split_at_once_what_was_split_before(analysers: int, is_known: bool) -> None:
    strategy = replace(OURS, resplits=True, swaps_from=8)
    state = new_state(SearchSpec(b"", (2, 4)), WrittenGame(), strategy, Costs())
    for number in range(analysers):
        state.searchers.come(number)
    state.tree.expand(0)
    state.grow(4, {}, guess=0)
    assert state.tree.was_split(0) == is_known


def test_only_the_last_iteration_needs_the_first_of_its_best_moves() -> None:
    state = new_state(SearchSpec(b"", (2, 4, 6)), WrittenGame(), OURS, Costs())
    modes = [state.passes.mode]
    for state.iteration, depth in ((1, 4), (2, 6)):
        state.grow(depth, {}, guess=0)
        modes.append(state.passes.mode)
    assert OURS.mode is Mode.REPRODUCIBLE
    assert modes == [Mode.FAST, Mode.FAST, Mode.REPRODUCIBLE]


def test_names_are_unique_and_all_are_reproducible() -> None:
    assert list(STRATEGIES) == ["manyply", "nb0amg", "par", "par_rmi", "par_tuple"]
    assert all(each.mode is Mode.REPRODUCIBLE for each in STRATEGIES.values())


def test_source_5_shares_nothing_all_in_batches_or_what_is_deep() -> None:
    sharing = [STRATEGIES[name].sharing for name in ("par", "par_rmi", "par_tuple")]
    assert sharing == [Sharing.NONE, Sharing.ALL, Sharing.FROM_DEPTH]
    assert STRATEGIES["par_rmi"].batch == 10_000
    assert {STRATEGIES[name].depth_min for name in ("par", "par_rmi", "par_tuple")} == {5}


def test_source_4_splits_no_further_than_it_traverses() -> None:
    assert STRATEGIES["nb0amg"].splitting is Splitting.PLIES


def bounds(hand: Hand, position: bytes) -> tuple[int, int]:
    tree = hand.state.tree
    return tree.bounds.bounds(tree.positions.index(position))


def test_answer_that_comes_twice_counts_once() -> None:
    hand = Hand()
    hand.come(1)
    part = hand.handed[b"a"]
    for _ in range(2):
        hand.send(SearchPartEnded(1, part.part, part.generation, 3, 3, nodes=10))
    assert bounds(hand, b"a") == (3, 3)
    assert (hand.scheduler.counts.nodes, hand.scheduler.counts.late) == (10, 1)


def test_late_answer_is_still_true_and_moves_nobody() -> None:
    hand = Hand()
    hand.come(1)
    first = hand.handed[b"a"]
    hand.send(AnalyserWent(1))
    hand.come(2)
    again = hand.handed[b"a"]
    hand.send(SearchPartEnded(1, first.part, first.generation, 2, VALUE_LIMIT))
    assert bounds(hand, b"a") == (2, VALUE_LIMIT)
    assert (again.part, again.generation) in hand.state.analysers[2].attempts
    assert hand.scheduler.counts.late == 1


def test_answer_to_a_part_that_never_was_changes_nothing() -> None:
    hand = Hand()
    hand.come(1)
    hand.send(SearchPartEnded(1, 99, 1, 3, 3))
    hand.send(SearchPartEnded(5, 1, 99, 3, 3))
    assert bounds(hand, b"a") == (-VALUE_LIMIT, VALUE_LIMIT)
    assert hand.of(HandOutPart) == []


def test_contradiction_ends_the_search() -> None:
    hand = Hand()
    hand.come(1, 2)
    hand.end(b"a", 3, 3)
    part = hand.handed[b"a"]
    hand.send(SearchPartEnded(1, part.part, part.generation, 4, 4))
    (failed,) = hand.of(SearchFailed)
    assert failed.analyser == 1
    assert hand.scheduler.is_over
    assert hand.send(SearchTick()) == []


def test_bounds_the_wrong_way_round_end_the_search() -> None:
    hand = Hand()
    hand.come(1)
    hand.end(b"a", 4, 3)
    assert len(hand.of(SearchFailed)) == 1


def test_analyser_that_comes_twice_keeps_its_part() -> None:
    hand = Hand()
    hand.come(1)
    assert hand.send(AnalyserCame(1)) == []
    assert len(hand.state.analysers[1].attempts) == 1


def test_news_of_strangers_are_not_passed_on() -> None:
    hand = Hand()
    entry = b"k", 9, b"c"
    hand.send(TableNews(1, (entry,)))
    assert hand.scheduler.counts.news == 0
    hand.come(1)
    hand.send(TableNews(1, (entry,)))
    assert hand.scheduler.counts.news == 1


def test_strangers_may_go() -> None:
    hand = Hand()
    hand.send(AnalyserWent(3))
    assert hand.state.analysers == {}


def entry(position: bytes, depth: int, lower: int, upper: int) -> tuple[bytes, int, bytes]:
    return position + bytes([depth]), depth, bytes([lower, upper])


def test_table_entry_proves_what_it_says_of_a_node() -> None:
    hand = Hand()
    hand.come(1, 2)
    hand.send(TableNews(1, (entry(b"b", 4, 1, 1), entry(b"b", 5, 7, 7))))
    assert bounds(hand, b"b") == (7, 7)  # of that depth
    assert [each.analyser for each in hand.of(StopSearchPart)] == [2]
    assert hand.placed() == {b"c": 2}


@pytest.mark.parametrize(
    ("sharing", "analyser"),
    [
        pytest.param(Sharing.STEERED, 2, id="who searches it will say so itself"),
        pytest.param(Sharing.NONE, 1, id="none were wanted"),
    ],
)
def test_table_entry_that_is_of_no_use_changes_nothing(sharing: Sharing, analyser: int) -> None:
    hand = Hand(sharing=sharing)
    hand.come(1, 2)
    assert hand.send(TableNews(analyser, (entry(b"b", 5, 7, 7),))) == []
    assert bounds(hand, b"b") == (-VALUE_LIMIT, VALUE_LIMIT)


def test_table_entries_are_remembered_for_nodes_to_come() -> None:
    hand = Hand()
    hand.come(1, 2)
    hand.send(TableNews(1, (entry(b"cb", 4, 3, 5),)))
    hand.state.tree.expand(hand.state.tree.positions.index(b"c"))
    assert bounds(hand, b"cb") == (3, 5)


def test_table_entry_that_contradicts_a_result_ends_the_search() -> None:
    hand = Hand()
    hand.come(1, 2)
    hand.end(b"b", 7, 7)
    hand.send(TableNews(1, (entry(b"b", 5, 9, 9),)))
    (failed,) = hand.of(SearchFailed)
    assert failed.analyser == 1
    assert hand.scheduler.is_over


def test_contradiction_may_show_when_a_node_is_split() -> None:
    hand = Hand(plies=2)
    tree = hand.state.tree
    tree.expand(0)
    tree.bounds.narrow(1, -VALUE_LIMIT, -9)
    hand.state.log.add(1, (entry(b"ab", 4, 5, 5),))  # it is worth -5 at least to "a"
    hand.come(1)
    assert [each.analyser for each in hand.of(SearchFailed)] == [1]
    assert hand.scheduler.is_over


COST = st.floats(1e-9, 1e6)


@given(COST, COST, st.integers(0, 1000))
def test_hot_spot_is_older_than_what_splitting_it_costs(
    latency: float, message: float, analysers: int
) -> None:
    costs = Costs(latency, message)
    assert costs.hot_age(analysers) >= HOT_MESSAGES * (latency + message)
    assert costs.hot_age(analysers + 1) >= costs.hot_age(analysers)


def test_parts_are_so_long_that_the_master_keeps_up() -> None:
    costs = Costs(latency=0, message=20e-6)
    for analysers in (1, 64, 1000):
        assert 2 * costs.message * analysers <= costs.hot_age(analysers)


def test_a_shot_is_waited_for_once_and_no_part_is_hot_before_it_has_begun() -> None:
    costs = Costs(latency=1, message=1, begin=1e6)
    once = Costs(latency=1, message=1).hot_after(4, 1)
    assert once == 2 * costs.hot_age(4) == Costs(latency=1, message=1).hot_after(4, 9)
    assert costs.hot_after(4, 0) == costs.hot_after(4, 9) == 1e6


@pytest.mark.parametrize("costs", [(-1, 1, 0), (0, 0, 0), (0, 1, -1)])
def test_messages_cost_something(costs: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="costs of at least 0"):
        Costs(*costs)


def test_the_more_there_are_the_more_they_may_speculate() -> None:
    ranks = [idle_rank(analysers) for analysers in range(200)]
    assert ranks == sorted(ranks)
    assert ranks[0] == ranks[1] == ranks[2] == SPECULATION_MAX // 2
    assert ranks[-1] == IDLE_RANK_MAX < SPECULATION_MAX


def test_rounds_are_as_far_apart_as_news_or_as_their_messages_allow() -> None:
    costs = Costs(message=1, news=100)
    assert costs.round_time(1) == 100
    assert costs.round_time(50) == ROUND_MESSAGES * 50


def test_news_are_expected_as_often_as_analysers_tell_them() -> None:
    assert SEARCH_SLICE_S == NEWS_S
