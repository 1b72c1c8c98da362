"""The laboratory's clock, its master, its engines and its speed-ups."""

from dataclasses import replace

import pytest

from engine_ext.chess.bratko_kopec import bratko_kopec
from master.games.chess.speedup import Searched, simulate, solve_by_one
from master.laboratory.laboratory import Laboratory, Mishap, Run, SimulatedEngine
from master.laboratory.speedup import (
    UnansweredError,
    ablations,
    baseline,
    check_answer,
    shared_tables,
    sum_up,
)
from master.search import STRATEGIES, Costs, SearchScheduler, SearchSpec, Strategy
from master.search.events import TableEntry
from master.search.strategies import Sharing
from tests.master.search.synthetic import MadeUpGame, SyntheticEngine, answer, minimax

GAME = MadeUpGame(11, width=4, spread=10)
DEPTH = 7
CHEAP = Costs(0, 1e-3, 0, 8)


def run_of(analysers: int, costs: Costs = CHEAP, strategy: Strategy = STRATEGIES["par"]) -> Run:
    return laboratory(analysers, costs, strategy).run()


def laboratory(analysers: int, costs: Costs, strategy: Strategy) -> Laboratory:
    spec = SearchSpec(GAME.root(), (DEPTH,))
    scheduler = SearchScheduler(spec, GAME, strategy, costs)
    engines = [SyntheticEngine(GAME) for _ in range(analysers)]
    return Laboratory(scheduler, engines, costs)


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_answers_alike_on_every_fleet(name: str) -> None:
    for analysers in (1, 3, 8):
        run = run_of(analysers, Costs(5, 1, 0.1, 8), STRATEGIES[name])
        assert run.answer is not None
        assert (run.answer.value, run.answer.move) == answer(GAME, DEPTH)


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_run_is_the_same(name: str) -> None:
    costs = Costs(5, 1, 0.1, 8)
    assert run_of(4, costs, STRATEGIES[name]) == run_of(4, costs, STRATEGIES[name])


def test_one_analyser_takes_as_long_as_it_has_nodes_when_messages_are_cheap() -> None:
    run = run_of(1)
    assert run.nodes <= run.time <= run.nodes + run.master + 1


def test_time_and_work_are_those_of_the_busy() -> None:
    run = run_of(4)
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
    free, dear = run_of(1), run_of(1, Costs(50, 10, 0, 8))
    assert dear.master == 10 * dear.messages
    assert dear.time > free.time


def test_entries_are_counted_both_ways() -> None:
    strategy = Strategy("test", sharing=Sharing.ALL, depth_min=2)
    run = run_of(3, Costs(5, 1, 0.5, 8), strategy)
    assert run.entries > 0
    assert run_of(3, Costs(5, 1, 0.5, 8), STRATEGIES["par"]).entries == 0


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


def test_entries_are_sent_as_often_as_costs_say() -> None:
    strategy = Strategy("test", sharing=Sharing.ALL, has_rounds=False, depth_min=2)
    often, seldom = (run_of(3, Costs(5, 1, 0, 8, news=news), strategy) for news in (8, 1e9))
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


GAMES = [MadeUpGame(seed, width=3, spread=5) for seed in range(40)]
SIMULATED_ENGINE_DEPTH = 5


def begun(game: MadeUpGame, alpha: int, beta: int) -> SimulatedEngine:
    engine = SyntheticEngine(game)
    engine.begin(game.root(), SIMULATED_ENGINE_DEPTH, alpha, beta)
    return engine


def run(engine: SimulatedEngine, nodes: int) -> int:
    total = 0
    while not engine.is_done:
        total += engine.step(nodes)
    return total


@pytest.mark.parametrize("game", GAMES)
def test_search_is_the_same_however_it_is_cut_into_steps(game: MadeUpGame) -> None:
    engines = [begun(game, -2, 1) for _ in range(3)]
    nodes = [run(engine, step) for engine, step in zip(engines, [1, 7, 10**6], strict=True)]
    assert len({*nodes}) == 1
    assert len({(each.proved(), each.best(), each.moves()) for each in engines}) == 1


@pytest.mark.parametrize("game", GAMES)
def test_what_is_proved_is_true_at_every_moment(game: MadeUpGame) -> None:
    engine = begun(game, -1, 2)
    value = minimax(game, game.root(), SIMULATED_ENGINE_DEPTH)
    children = game.children(game.root(), SIMULATED_ENGINE_DEPTH)
    values = [-minimax(game, child.position, child.depth) for child in children]
    while True:
        lower, upper = engine.proved()
        assert lower <= value <= upper
        assert all(each.lower <= values[each.index] <= each.upper for each in engine.moves())
        if engine.is_done:
            break
        engine.step(1)
    assert lower >= 2 or upper <= -1 or lower == upper


@pytest.mark.parametrize("game", GAMES)
def test_learnt_entries_are_true_and_save_work(game: MadeUpGame) -> None:
    first, second = begun(game, -2, 1), SyntheticEngine(game)
    nodes = run(first, 100)
    second.learn(first.news(0))
    assert first.news(0) == ()
    second.begin(game.root(), SIMULATED_ENGINE_DEPTH, -2, 1)
    assert run(second, 100) <= nodes
    assert second.proved() == first.proved()


COSTS = Costs(100, 20, 0.2, 1024)
BOARD = Searched(bratko_kopec()["BK2"].board, 8)


def test_sums_and_baseline() -> None:
    one = simulate(BOARD, 1, STRATEGIES["par"], COSTS)
    row = sum_up("par", 2, [one, one])
    guess = one.guess_nodes
    assert guess > 0
    assert row.nodes == 2 * (guess + one.run.nodes)
    assert row.time == 2 * (one.wait_nodes + one.run.time)
    assert row.useful == guess + one.run.nodes
    reference = solve_by_one(BOARD)
    assert baseline([reference], row) == min(reference.nodes, row.time)
    assert baseline([reference, reference], row) <= 2 * reference.nodes


def test_an_analyser_s_workers_share_its_table() -> None:
    made: list[int] = []

    def make(analysers: int) -> int:
        made.append(analysers)
        return len(made)

    assert shared_tables(make, 5, 2) == [1, 1, 2, 2, 3]
    assert made == [3, 3, 3]
    assert shared_tables(make, 2, 64) == [4, 4]


def test_answers_are_compared() -> None:
    run, reference = simulate(BOARD, 2, STRATEGIES["manyply"], COSTS).run, solve_by_one(BOARD)
    check_answer("it", reference, run, reference.move)
    for wrong in (replace(reference, value=reference.value + 8), replace(reference, move="a1a2")):
        with pytest.raises(UnansweredError, match="the search of it answered"):
            check_answer("it", wrong, run, reference.move)
    with pytest.raises(UnansweredError, match="without an answer"):
        check_answer("it", reference, replace(run, answer=None), None)


@pytest.mark.parametrize("name", STRATEGIES)
def test_ablations_differ_from_the_strategy_and_from_each_other(name: str) -> None:
    found = ablations(STRATEGIES[name])
    assert found[0] is STRATEGIES[name]
    assert len({each.name for each in found}) == len(found)
    assert len({replace(each, name="") for each in found}) == len(found)
