"""Sums, the baseline, ablations and the check of answers."""

from dataclasses import replace

import pytest

from engine_ext.chess.bratko_kopec import bratko_kopec
from master.games.chess.speedup import Searched, simulate, solve_by_one
from master.laboratory.speedup import (
    UnansweredError,
    ablations,
    baseline,
    check_answer,
    shared_tables,
    sum_up,
)
from master.search import STRATEGIES, Costs

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
