"""Value and move are the sequential search's, whatever the fleet does."""

import random
from itertools import pairwise
from typing import Any

import pytest

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.search import Costs, SearchScheduler, SearchSpec
from master.search.driver import Mode
from master.search.events import (
    AnalyserCame,
    BracketNarrowed,
    GuessCame,
    HandOutPart,
    SearchAnswered,
    SearchCommand,
    SearchEvent,
    SearchPartEnded,
    SearchTick,
    StopSearchPart,
)
from master.search.strategies import Strategy
from tests.master.search.hand_driven import Hand
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
