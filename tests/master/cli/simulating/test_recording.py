"""A simulation written down: what is read is what was simulated, and bad files are one line."""

from dataclasses import replace
from pathlib import Path

import pytest

from master.cli.chess.simulate_command import HYPERCUBE
from master.cli.errors import CommandError, ExitCode
from master.cli.simulating.recording import SearchRecording
from master.cli.simulating.runs import simulate_all
from master.games.chess import speedup
from master.search.events import AnalyserCame
from master.timeline.reading import SearchLogHead, read_timeline
from tests.master.cli.simulating.test_runs import BOARD, OPTIONS
from tests.master.timeline.streams import check_laws

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
