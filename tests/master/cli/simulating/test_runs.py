"""Simulations: their options, runs, records, tables and plots."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine_ext.chess.bratko_kopec import bratko_kopec
from master.cli.chess.simulate_command import HYPERCUBE
from master.cli.errors import CommandError, ExitCode
from master.cli.othello.simulate_command import SATIN
from master.cli.simulating.options import SimulateOptions, chosen, read_processors
from master.cli.simulating.report import speedup_svg, timeline_svg
from master.cli.simulating.runs import SearchRecording, simulate_all
from master.games.chess import speedup
from master.games.chess.speedup import Searched
from master.laboratory.speedup import UnansweredError
from master.search.events import AnalyserCame
from master.search.limits import Costs
from master.search.strategies import OURS
from master.timeline.reading import SearchLogHead, read_timeline
from tests.master.cli.othello.test_simulate_command import REPORT
from tests.master.timeline.streams import check_laws

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


HEAD = SearchLogHead("a", 2, 69.0)


@pytest.mark.slow
def test_largest_fleet_of_a_simulation_is_written_down(tmp_path: Path) -> None:
    path = tmp_path / "search.log"
    simulate_all(speedup, [("BK2", BOARD)], replace(OPTIONS, record=path), HYPERCUBE)
    with path.open() as file:
        found = read_timeline(file)
    assert (found.title, found.node_ns) == (f"BK2, 2 processors, {OPTIONS.strategies[0].name}", 1e3)
    assert len(check_laws(found.timeline)) > 5
    assert [lane.workers for lane in found.timeline.news().lanes] == [2]


def test_turns_that_say_nothing_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "search.log"
    with SearchRecording(path, HEAD) as recording:
        recording.turn(1.0, [], [])
        recording.turn(2.0, [AnalyserCame(1)], [])
    assert len(path.read_text().splitlines()) == 2


def test_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot write") as caught:
        SearchRecording(tmp_path / "none" / "search.log", HEAD)
    assert caught.value.exit_code is ExitCode.STORAGE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full disk ready")
def test_full_disk_is_one_line() -> None:
    recording = SearchRecording(Path("/dev/full"), HEAD)
    with pytest.raises(CommandError, match="the disk is full"), recording:
        recording.turn(1.0, [AnalyserCame(1)] * 10_000, [])


def test_processors_are_read() -> None:
    assert read_processors("1,2,4,...,32,48") == (1, 2, 4, 8, 16, 32, 48)
    assert read_processors("7") == (7,)
    for wrong in ("", "0", "1,1", "4,2", "1,...", "...,4", "one", "2000", "1,,2"):
        with pytest.raises(ValueError, match=r"expected counts|does not ascend"):
            read_processors(wrong)


def test_strategies_are_chosen_once_each() -> None:
    assert chosen((), None, None) == (OURS,)
    assert [each.name for each in chosen(("par", "par", "manyply"), None, None)] == [
        "par",
        "manyply",
    ]
    assert chosen((), None, 500)[0].rank_max == 500
    assert chosen((), None, None, 4)[0].idle_min == 4


def test_plots_name_what_they_show() -> None:
    assert "Satin, par" in speedup_svg(REPORT, SATIN)
    drawn = timeline_svg(REPORT, "FFO26", [(0.0, 0), (2.0, 64)], 10.0, 64)
    assert "FFO26" in drawn
    assert "milliseconds" in drawn
