import asyncio
import shlex
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from master.api.client import MasterGoneError
from master.cli import master_access
from master.cli.errors import CommandError, ExitCode
from master.cli.master_access import open_master
from master.cli.place import Place
from master.config.fleet_list import FleetEntry, parse_fleet_address
from master.config.fleet_specs import parse_fleet_spec
from master.fleets import inviting
from master.fleets.placing import MemberState
from master.service.service import MasterService
from tests.master.fleets.fake_placer import FakePlacer


def entries(*texts: str) -> Sequence[FleetEntry]:
    return tuple(FleetEntry("", parse_fleet_address(text)) for text in texts)


async def test_looking_at_jobs_needs_no_analyser() -> None:
    async with open_master(Place(is_computing=False)) as master:
        assert isinstance(master, MasterService)
        assert master.analysers() == ()
        assert await master.jobs() == []


@pytest.mark.slow
async def test_local_workers_are_an_analyser_like_any_other() -> None:
    async with open_master(Place(local=1)) as master:
        assert isinstance(master, MasterService)
        async with asyncio.timeout(20):
            while not any(line.state == "ready" for line in master.analysers()):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        lines = master.analysers()
        assert [(line.name, line.workers, line.address) for line in lines] == [
            ("local", 1, "this process")
        ]


async def test_nobody_who_computes_is_one_line_that_names_them_all() -> None:
    fleet = entries("exec:/nonexistent/a", "exec:/nonexistent/b")
    with pytest.raises(CommandError, match="no analyser can be used: ") as caught:
        async with open_master(Place(analysers=tuple(fleet), local=0)):
            pass
    assert caught.value.exit_code == ExitCode.JOB_FAILED
    assert str(caught.value).count("No such file or directory") == 2


@pytest.mark.slow
def test_commands_of_a_master_elsewhere_load_neither_a_master_nor_an_analyser() -> None:
    program = (
        "import sys, master.cli.jobs.job_commands, master.cli.fleets.fleet_command; "
        "print(*{'analyser', 'master.service.service', 'master.scheduler'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout == b"\n"


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> FakePlacer:
    """An engine that never gets around to what it was asked for."""
    placer = FakePlacer(state=MemberState.PENDING)
    monkeypatch.setattr(inviting, "make_placer", lambda spec, ticket: placer)
    return placer


@pytest.mark.sockets
async def test_job_begins_before_its_engine_has_room(
    queued: FakePlacer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(master_access, "PATIENCE_S", 0.01)
    place, said = Place(local=0, fleets=(parse_fleet_spec("slurm:1"),)), list[str]()
    async with open_master(place, on_waiting=said.append):
        assert said == ["no analyser of the fleet is here yet (fake-1: runs)"]
    assert queued.asked[-1] == "stop"


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_fleet_whose_processes_run_has_the_time_to_load(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(master_access, "PATIENCE_S", 0.0)
    place, said = Place(local=0, fleets=(parse_fleet_spec("local:1"),)), list[str]()
    async with open_master(place, games=("noop",), on_waiting=said.append) as master:
        assert isinstance(master, MasterService)
        assert [line.state for line in master.analysers()] == ["ready"]
    assert said == []


@pytest.mark.sockets
async def test_what_cannot_begin_without_waits_so_long_and_no_longer(
    queued: FakePlacer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(master_access, "FLEET_S_MAX", 0.01)
    place = Place(local=0, fleets=(parse_fleet_spec("slurm:1"),))
    with pytest.raises(CommandError, match=r"\(fake-1: runs\), after 0\.01 s") as caught:
        async with open_master(place):
            raise AssertionError("nobody computes")
    assert caught.value.exit_code == ExitCode.JOB_FAILED
    assert queued.asked[-1] == "stop"


@pytest.mark.slow
@pytest.mark.when_changed
async def test_second_call_is_noticed_while_another_analyser_hangs(tmp_path: Path) -> None:
    mark = shlex.quote(str(tmp_path / "called"))
    works = shlex.join([sys.executable, "-m", "analyser", "--stdio", "--workers", "1"])
    second = shlex.quote(f"[ -e {mark} ] && exec {works}; touch {mark}; exit 1")
    with socket.create_server(("127.0.0.1", 0)) as silent:  # given up after 30 s
        fleet = entries(f"127.0.0.1:{silent.getsockname()[1]}", f"exec:sh -c {second}")
        async with asyncio.timeout(20), open_master(Place(None, tuple(fleet), 0)) as master:
            assert isinstance(master, MasterService)
            assert "ready" in {line.state for line in master.analysers()}


@pytest.mark.slow
async def test_slow_analyser_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command, or a machine, that is busy may need longer to answer than we look."""
    monkeypatch.setattr(master_access, "PATIENCE_S", 0.0)
    said: list[str] = []
    fleet = entries("exec:sleep 60")
    async with open_master(Place(None, tuple(fleet), 0), on_waiting=said.append) as master:
        assert isinstance(master, MasterService)
    assert said == [
        "no analyser has answered yet (exec:sleep 60): they are tried until one answers"
    ]


async def test_master_that_was_asked_for_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(MasterGoneError, match="no master answers"):
        async with open_master(Place(master=str(tmp_path / "none.sock"))):
            pass


@pytest.mark.parametrize(
    ("place", "is_here"),
    [(Place(), False), (Place(local=0), True), (Place(analysers=tuple(entries("a:1"))), True)],
)
def test_place_knows_whether_it_is_here(place: Place, is_here: bool) -> None:
    assert place.is_here is is_here
