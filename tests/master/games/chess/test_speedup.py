"""Simulated fleets find what one processor finds."""

import pytest

from engine_ext.chess.bratko_kopec import bratko_kopec
from engine_ext.chess.exact.search import ExactSearch
from master.games.chess.speedup import Searched, check, simulate, solve_by_one
from master.search import STRATEGIES, Costs

COSTS = Costs(100, 20, 0.2, 1024)
SUITE = bratko_kopec()


@pytest.mark.parametrize("name", ["BK1", "BK2", "BK15"])
@pytest.mark.parametrize("processors", [1, 5])
@pytest.mark.parametrize("strategy", ["manyply", "nb0amg"])
@pytest.mark.when_changed
def test_value_and_move_are_the_same(name: str, processors: int, strategy: str) -> None:
    board = Searched(SUITE[name].board, 9)
    one = simulate(board, processors, STRATEGIES[strategy], COSTS)
    check(board, solve_by_one(board), one.run)
    assert simulate(board, processors, STRATEGIES[strategy], COSTS) == one


@pytest.mark.parametrize("workers", [1, 3, 8])
def test_workers_share_a_table_and_find_the_same(workers: int) -> None:
    board = Searched(SUITE["BK2"].board, 6, is_full_width=True)
    one = simulate(board, 5, STRATEGIES["manyply"], COSTS, workers)
    check(board, solve_by_one(board), one.run)


def test_one_processor_s_value_is_the_search_s() -> None:
    board = Searched(SUITE["BK3"].board, 8)
    found = solve_by_one(board)
    search = ExactSearch(board.root, 8, before=board.before)
    search.run()
    assert found.value == search.value
    assert found.move == board.moves[int(search.best_move or -1)]
    assert found.nodes > 0
