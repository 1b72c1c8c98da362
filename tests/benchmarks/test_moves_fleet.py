"""The costs of moves over a fleet in small: that they are measured, not what they are today."""

import pytest

from tests.benchmarks import moves_fleet


def test_costs_here_are_measured() -> None:
    decisions = moves_fleet.played_decisions(3)
    cost, moves = moves_fleet.evaluation_ms(decisions, 1)
    assert cost > 0
    assert moves >= 1
    assert moves_fleet.analysis_ms(decisions, 0) > 0


@pytest.mark.slow
@pytest.mark.sockets
async def test_costs_over_a_fleet_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves_fleet, "LATENCIES", 2)
    monkeypatch.setattr(moves_fleet, "PLIES", (1,))
    with moves_fleet.own_state():
        rows = await moves_fleet.fleet_rows(moves_fleet.played_decisions(2), 1)
    assert len(rows) == 5
    assert all(float(row[2]) > 0 for row in rows)
