"""The laboratory's clock, its master and its analysers."""

import pytest

from master.laboratory.laboratory import Laboratory, Mishap, Run
from master.search import STRATEGIES, Costs, SearchScheduler, SearchSpec, Strategy
from master.search.events import TableEntry
from master.search.strategies import Sharing
from tests.master.search.synthetic import MadeUpGame, SyntheticEngine, answer

GAME = MadeUpGame(11, width=4, spread=10)
DEPTH = 7
CHEAP = Costs(0, 1e-3, 0, 8)


def simulate(analysers: int, costs: Costs = CHEAP, strategy: Strategy = STRATEGIES["par"]) -> Run:
    return laboratory(analysers, costs, strategy).run()


def laboratory(analysers: int, costs: Costs, strategy: Strategy) -> Laboratory:
    spec = SearchSpec(GAME.root(), (DEPTH,))
    scheduler = SearchScheduler(spec, GAME, strategy, costs)
    engines = [SyntheticEngine(GAME) for _ in range(analysers)]
    return Laboratory(scheduler, engines, costs)


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_answers_alike_on_every_fleet(name: str) -> None:
    for analysers in (1, 3, 8):
        run = simulate(analysers, Costs(5, 1, 0.1, 8), STRATEGIES[name])
        assert run.answer is not None
        assert (run.answer.value, run.answer.move) == answer(GAME, DEPTH)


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_run_is_the_same(name: str) -> None:
    costs = Costs(5, 1, 0.1, 8)
    assert simulate(4, costs, STRATEGIES[name]) == simulate(4, costs, STRATEGIES[name])


def test_one_analyser_takes_as_long_as_it_has_nodes_when_messages_are_cheap() -> None:
    run = simulate(1)
    assert run.nodes <= run.time <= run.nodes + run.master + 1


def test_time_and_work_are_those_of_the_busy() -> None:
    run = simulate(4)
    area = sum(
        count * (end - begin)
        for (begin, count), (end, _) in zip(run.busy, [*run.busy[1:], (run.time, 0)], strict=True)
    )
    assert run.nodes - 4 * 8 <= area <= run.nodes + 1
    assert max(count for _, count in run.busy) <= 4


def test_answers_take_their_analysers_the_time_that_they_say() -> None:
    def time(answer_nodes: float) -> float:
        spec = SearchSpec(GAME.root(), (DEPTH,))
        scheduler = SearchScheduler(spec, GAME, STRATEGIES["par"], CHEAP)
        engine = SyntheticEngine(GAME, answer_nodes=answer_nodes)
        run = Laboratory(scheduler, [engine], CHEAP).run()
        answers.append(scheduler.counts.handed_out)
        return run.time

    answers: list[int] = []
    at_once, later = time(0), time(100)
    assert answers[0] == answers[1] > 1  # one analyser: nothing else changes
    # Each is waited for, and what was handed out meanwhile begins behind it.
    assert later == pytest.approx(at_once + 100 * answers[0], rel=0.02)


def test_messages_cost_the_master_and_take_their_time() -> None:
    free, dear = simulate(1), simulate(1, Costs(50, 10, 0, 8))
    assert dear.master == 10 * dear.messages
    assert dear.time > free.time


def test_entries_are_counted_both_ways() -> None:
    strategy = Strategy("test", sharing=Sharing.ALL, depth_min=2)
    run = simulate(3, Costs(5, 1, 0.5, 8), strategy)
    assert run.entries > 0
    assert simulate(3, Costs(5, 1, 0.5, 8), STRATEGIES["par"]).entries == 0


class Learner(SyntheticEngine):
    """Writes down what it is sent."""

    def __init__(self) -> None:
        super().__init__(GAME)
        self.learnt: list[TableEntry] = []

    def learn(self, entries: tuple[TableEntry, ...]) -> None:
        self.learnt += entries


@pytest.mark.parametrize("workers", [1, 3, 6])
def test_an_analyser_is_sent_nothing_that_one_of_its_workers_has(workers: int) -> None:
    strategy = Strategy("test", sharing=Sharing.ALL, depth_min=2)
    scheduler = SearchScheduler(SearchSpec(GAME.root(), (DEPTH,)), GAME, strategy, CHEAP)
    engines = [Learner() for _ in range(6)]
    run = Laboratory(scheduler, engines, CHEAP, workers=workers).run()
    assert run.entries > 0
    sent = [
        [each for engine in engines[first : first + workers] for each in engine.learnt]
        for first in range(0, 6, workers)
    ]
    assert all(len(set(analyser)) == len(analyser) for analyser in sent)
    assert any(sent) == (workers < 6)


def test_entries_are_told_as_often_as_costs_say() -> None:
    strategy = Strategy("test", sharing=Sharing.ALL, has_rounds=False, depth_min=2)
    often, seldom = (simulate(3, Costs(5, 1, 0, 8, news=news), strategy) for news in (8, 1e9))
    assert often.messages > seldom.messages
    assert seldom.entries > 0  # they go with answers


def test_lost_analysers_are_done_without() -> None:
    lab = laboratory(2, Costs(1, 1, 0, 8), STRATEGIES["manyply"])
    lab.lose(1, 20.0)
    lab.come(SyntheticEngine(GAME), 60.0)
    lab.lose(2, 40.0)
    run = lab.run()
    assert run.answer is not None
    assert (run.answer.value, run.answer.move) == answer(GAME, DEPTH)


def test_without_analysers_there_is_no_answer() -> None:
    lab = laboratory(1, CHEAP, STRATEGIES["manyply"])
    lab.lose(1, 3.0)
    assert lab.run().answer is None


def test_hung_analyser_is_dropped_and_comes_again() -> None:
    spec = SearchSpec(GAME.root(), (4,))
    costs = Costs(1, 1, 0, 8)
    scheduler = SearchScheduler(spec, GAME, STRATEGIES["manyply"], costs)
    lab = Laboratory(
        scheduler, [SyntheticEngine(GAME)], costs, lambda analyser, part: Mishap(is_lost=part == 1),
 spare=lambda: SyntheticEngine(GAME),
    )  # fmt: skip
    run = lab.run()
    assert run.answer is not None
    assert (run.answer.value, run.answer.move) == answer(GAME, 4)
