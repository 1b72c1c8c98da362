"""What source 5 has published is what stands beside ours."""

import pytest

from master.cli.othello.simulate_report import PUBLISHED, SEQUENTIAL_S, SOURCE_5
from master.cli.simulating.report import SimulationReport, speedup_svg
from master.laboratory.speedup import SpeedupRow

ROWS = [
    SpeedupRow("par", 1, 100.0, 90, 5.0, 10, 0, 0, 3),
    SpeedupRow("par", 64, 10.0, 200, 5.0, 10, 0, 1, 30),
]
REPORT = SimulationReport(["FFO26"], 80, 80.0, ROWS, 40.0)


def test_published_speedups_are_those_of_the_source() -> None:
    best = {name: SEQUENTIAL_S / rows[64][2] for name, rows in PUBLISHED.items()}
    assert best == {
        "par": pytest.approx(8.0, abs=0.05), "par_rmi": pytest.approx(12.2, abs=0.05),
        "par_tuple": pytest.approx(16.3, abs=0.05),
    }  # fmt: skip
    for rows in PUBLISHED.values():
        # Its averages are of several runs, and do not all add up.
        assert all(abs(useful + lost - total) <= 5 for useful, lost, total in rows.values())


def test_columns_are_as_many_as_headings() -> None:
    for strategy in ("par", "manyply"):
        headings = SOURCE_5.headings(strategy)
        assert len(SOURCE_5.cells(strategy, 64)) == len(SOURCE_5.cells(strategy, 63)) == 4
        assert len(headings) == 4
    assert SOURCE_5.cells("manyply", 63) == ("",) * 4
    assert SOURCE_5.headings("par")[0] == "par (1)"


def test_plots_name_the_source() -> None:
    assert "source 5, par" in speedup_svg(REPORT, SOURCE_5)
