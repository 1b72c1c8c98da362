"""`manyply simulate othello`: the table, the JSON, the plots, and mistakes."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.othello.simulate_command import PUBLISHED, SATIN, SEQUENTIAL_S, read_positions
from master.cli.simulating.report import SimulationReport, speedup_svg
from master.laboratory.speedup import SpeedupRow


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["simulate", "othello", *args])


def test_positions_are_read() -> None:
    assert [name for name, _ in read_positions("ffo22,FFO23")] == ["FFO22", "FFO23"]
    board = read_positions("FFO22")[0][1]
    assert read_positions(board.to_text())[0][1] == board
    for wrong in ("FFO22,FFO99", "ffo99", "FFO79", "nonsense", "", "-" * 64 + " X"):
        with pytest.raises(ValueError, match=r"\w+"):
            read_positions(wrong)


@pytest.mark.slow
def test_table_has_both_programs_columns_and_plots_are_written(tmp_path: Path) -> None:
    speedups, timeline = tmp_path / "s.svg", tmp_path / "t.svg"
    result = ran(
        "--positions", "FFO18", "--processors", "1,4", "--strategy", "par_tuple",
        "--svg-speedup", str(speedups), "--svg-timeline", str(timeline),
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "Satin par_tuple" in result.stdout
    assert "1227" in result.stdout
    for file in (speedups, timeline):
        assert ElementTree.parse(file).getroot().tag.endswith("svg")


@pytest.mark.slow
@pytest.mark.when_changed
def test_json_is_the_same_whenever_it_is_printed() -> None:
    args = ("--positions", "FFO13,FFO17", "--processors", "1,4", "--json")
    first = ran(*args)
    assert first.exit_code == 0, first.output
    assert first.stdout == ran(*args).stdout
    document = json.loads(first.stdout)
    assert [row["processors"] for row in document["rows"]] == [1, 4]
    expected = {"positions", "sequential_nodes", "baseline_s", "node_ns", "workers", "rows"}
    assert set(document) == expected


@pytest.mark.slow
@pytest.mark.when_changed
def test_ablations_are_rows_of_their_own() -> None:
    result = ran("--positions", "FFO17", "--processors", "4", "--ablate", "--json")
    assert result.exit_code == 0, result.output
    names = [row["strategy"] for row in json.loads(result.stdout)["rows"]]
    assert {"manyply", "manyply, no replication", "manyply, no shoot-down"} <= set(names)


@pytest.mark.slow
@pytest.mark.when_changed
def test_ablations_may_be_chosen() -> None:
    result = ran("--positions", "FFO17", "--processors", "4", "--ablate", "shoot-down", "--json")
    assert result.exit_code == 0, result.output
    names = [row["strategy"] for row in json.loads(result.stdout)["rows"]]
    without = [f"manyply, no shoot-down{plies}" for plies in ("", ", 3 plies")]
    assert names == ["manyply", *without]


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (("--processors", "none"), "expected counts of 1 to 1024"),
        (("--positions", "FFO99"), "there is no FFO99"),
        (("--positions", "nonsense"), "a board is 64 characters"),
        (("--positions", "FFO41,FFO79"), "FFO79 has 36 empty squares: expected 30 at most"),
        (("--node-ns", "0"), "0 is not in the range"),
        (("--latency-us", "nan"), "'nan' is not a number"),
        (("--strategy", "best"), "'best' is not one of"),
        (("--ablate", "luck"), "'luck' is in none of 'no replication', "),
    ],
)
def test_mistake_is_named(args: tuple[str, ...], complaint: str) -> None:
    result = ran(*args)
    assert result.exit_code == 2
    assert complaint in result.stderr


def test_plot_that_cannot_be_written_is_an_error_of_one_line(tmp_path: Path) -> None:
    result = ran(
        "--positions", "FFO17", "--processors", "1", "--svg-speedup", str(tmp_path / "no" / "s")
    )
    assert "cannot write" in str(result.exception)
    assert result.stdout == ""


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
        headings = SATIN.headings(strategy)
        assert len(SATIN.cells(strategy, 64)) == len(SATIN.cells(strategy, 63)) == 4
        assert len(headings) == 4
    assert SATIN.cells("manyply", 63) == ("",) * 4
    assert SATIN.headings("par")[0] == "Satin par computing s"


def test_plots_name_the_source() -> None:
    assert "Satin, par" in speedup_svg(REPORT, SATIN)
