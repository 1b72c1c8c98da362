"""All that was asked for is simulated, and every answer is looked at."""

from typing import Any

import pytest

from engine_ext.chess.bratko_kopec import bratko_kopec
from master.cli.chess.simulate_command import HYPERCUBE
from master.cli.simulating.options import SimulateOptions
from master.cli.simulating.runs import simulate_all
from master.games.chess import speedup
from master.games.chess.speedup import Searched
from master.laboratory.speedup import UnansweredError
from master.search.limits import Costs
from master.search.strategies import OURS

BOARD = Searched(bratko_kopec()["BK2"].board, 8)
OPTIONS = SimulateOptions((1, 2), (OURS,), Costs(100, 20, 0.2, 1024), 1000.0, 2, None, None, False)


def test_each_fleet_has_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    simulate_all(speedup, [("BK2", BOARD)], OPTIONS, HYPERCUBE)
    printed = capsys.readouterr().out
    assert "hypercube" in printed
    assert "Positions: BK2" in printed
    assert "Up to 2 processors are workers of one analyser" in " ".join(printed.split())


def test_a_wrong_answer_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(board: Searched) -> Any:
        found = solve(board)
        return type(found)(found.value + 8, found.move, found.nodes)

    solve = speedup.solve_by_one
    monkeypatch.setattr(speedup, "solve_by_one", wrong)
    with pytest.raises(UnansweredError, match="answered"):
        simulate_all(speedup, [("BK2", BOARD)], OPTIONS, HYPERCUBE)
