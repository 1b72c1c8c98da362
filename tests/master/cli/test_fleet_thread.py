"""A master in a thread: master.cli.fleet_thread."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from master.cli import fleet_thread
from master.cli.errors import CommandError
from master.cli.fleet_thread import FleetThread
from master.cli.interruptible import interruptible
from master.cli.place import Place
from master.config.fleet_list import FleetEntry, parse_fleet_address
from master.contract.errors import MasterError
from master.contract.master import Master


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


def threads() -> set[str]:
    return {thread.name for thread in threading.enumerate()}


def test_work_is_done_in_the_other_thread_and_the_thread_ends() -> None:
    async def name(master: Master) -> str:
        assert (await master.status())[0].startswith("master")
        return threading.current_thread().name

    with FleetThread(Place(local=1)) as fleet:
        assert fleet.run(name) == "fleet"
    assert "fleet" not in threads()


def test_what_goes_wrong_there_is_raised_here() -> None:
    async def fail(master: Master) -> None:
        await master.show(999)

    with FleetThread(Place(local=1)) as fleet, pytest.raises(MasterError, match="999"):
        fleet.run(fail)


def test_what_is_not_over_at_the_end_is_given_up() -> None:
    started = threading.Event()

    async def wait_for_ever(master: Master) -> None:
        started.set()
        await asyncio.Event().wait()

    with FleetThread(Place(local=1)) as fleet:
        future = fleet.start(wait_for_ever)
        assert started.wait(10)
    with pytest.raises(CancelledError):
        future.result(0)
    assert "fleet" not in threads()


def test_a_master_that_does_not_answer_is_an_error_at_once(tmp_path: Path) -> None:
    with (
        pytest.raises(MasterError, match="no master answers"),
        FleetThread(Place(master=str(tmp_path / "none.sock"))),
    ):
        raise AssertionError("it does not open")
    assert "fleet" not in threads()


def test_a_fleet_that_is_not_ready_in_time_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet_thread, "START_S_MAX", 0.5)
    silent = FleetEntry("", parse_fleet_address("exec:cat"))
    with (
        pytest.raises(CommandError, match="no analyser was ready within"),
        FleetThread(Place(analysers=(silent,), local=0)),
    ):
        raise AssertionError("it does not open")
    assert "fleet" not in threads()


def test_analysers_that_cannot_be_used_are_an_error() -> None:
    entry = FleetEntry("", parse_fleet_address("exec:false"))
    with (
        pytest.raises(CommandError, match="no analyser can be used"),
        FleetThread(Place(analysers=(entry,), local=0)),
    ):
        raise AssertionError("it does not open")


def test_answer_comes_from_another_thread() -> None:
    assert interruptible(threading.current_thread) is not threading.main_thread()


def test_error_is_raised_where_it_was_asked() -> None:
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)
