"""The scheduler's log as a file: whole, bounded, and never in the master's way."""

from pathlib import Path

import pytest

from master.contract.errors import MasterError
from master.contract.events import Tick
from master.scheduler.event_log import replay
from master.service.recording import Recording


def test_turns_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "log"
    warned: list[str] = []
    with Recording(path, warned.append) as log:
        for now in range(5):
            log.turn(float(now), [Tick(), Tick()], [])
    with path.open() as lines:
        found = replay(lines)
    assert (found.events, found.commands, found.is_cut, warned) == (10, 0, False, [])
    assert path.stat().st_mode & 0o777 == 0o600


def test_log_ends_at_its_bound_and_says_so_once(tmp_path: Path) -> None:
    path = tmp_path / "log"
    warned: list[str] = []
    with Recording(path, warned.append, bytes_max=400) as log:
        for now in range(100):
            log.turn(float(now), [Tick()], [])
    assert path.stat().st_size <= 400 + len('"cut"\n')
    assert warned == [f"{path} is full: nothing more is recorded"]
    with path.open() as lines:
        found = replay(lines)
    assert found.is_cut
    assert 0 < found.events < 100


def test_full_disk_ends_the_log_with_one_warning(tmp_path: Path) -> None:
    warned: list[str] = []
    with Recording(tmp_path / "log", warned.append) as log:
        log._file.close()
        log._file = open("/dev/full", "w", encoding="ascii")  # noqa: SIM115  # `log` closes it
        for now in range(2_000):
            log.turn(float(now), [Tick()], [])
    assert [text.split(": ", 1)[1] for text in warned] == [
        "the disk is full: nothing more is recorded"
    ]


@pytest.mark.parametrize("name", ["there", "nowhere/log"])
def test_what_is_there_already_is_kept_and_what_cannot_be_made_is_one_line(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "there").write_text("mine")
    with pytest.raises(MasterError, match=f"cannot record to {tmp_path / name}: "):
        Recording(tmp_path / name, print)
    assert (tmp_path / "there").read_text() == "mine"
