"""What Grid Engine is asked, and how its answers are read; test_grid_engine.py has the real one."""

import asyncio
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.fleets import grid_engine_fleet
from master.fleets.grid_engine_fleet import GridEnginePlacer, job_script
from master.fleets.placing import FleetFailedError, Invitation, Member, MemberState

INVITATION = Invitation("10.0.0.1", 4700, "night-1", "correct horse battery staple")
LISTED = [(7, 2, "qw", ""), (9, 1, "r", "spare@n3"), (7, 10, "r", "spare@n2"), (9, 2, "hqw", ""),
          (7, 1, "dr", "spare@n1"), (8, 1, "r", "spare@n1"), (7, 3, "Eqw", ""),
          (7, 11, "t", "spare@n4")]  # fmt: skip


def listing(jobs: Sequence[tuple[int, int, str, str]]) -> str:
    rows = "".join(
        f"<job_list><JB_job_number>{job}</JB_job_number><state>{state}</state>"
        f"<queue_name>{queue}</queue_name><tasks>{task}</tasks></job_list>"
        for job, task, state, queue in jobs
    )
    return f"<?xml version='1.0'?><job_info><queue_info>{rows}</queue_info></job_info>"


class GridEngine:
    """Answers as the commands do, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []
        self.answers = {"qsub": "12.1-4:1\n", "qstat": listing(LISTED)}
        self.failures: dict[str, str] = {}
        self.script = ""
        self.let: asyncio.Event | None = None

    async def call(self, argv: Sequence[str], *, stdin_text: str = "") -> str:
        self.asked.append(tuple(argv))
        self.script = stdin_text or self.script
        if self.let is not None:
            await self.let.wait()
        if argv[0] in self.failures:
            raise FleetFailedError(f"{argv[0]}: {self.failures[argv[0]]}")
        return self.answers.get(argv[0], "")


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> GridEngine:
    engine = GridEngine()
    monkeypatch.setattr(grid_engine_fleet, "call", engine.call)
    return engine


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "manyply" / "fleets"


def placer(jobs: str = "7,9", queue: str = "") -> GridEnginePlacer:
    return GridEnginePlacer(queue, "night-1", {"jobs": jobs})


async def test_start_submits_an_array_with_the_secret_in_a_file(
    engine: GridEngine, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MANYPLY_BATCH_OPTIONS", "-P dice; -l h_vmem=1G\n;")
    monkeypatch.setenv("MANYPLY_BATCH_WALLTIME", "1:00:00")
    folder = state / "night-1.jobs"
    kept = await placer("", "spare").start(INVITATION, 4)
    assert kept == {"jobs": "12", "folder": str(folder)}
    [words] = engine.asked
    assert words[:2] == ("qsub", "-terse")
    assert words[-6:] == ("-t", "1-4", "-l", "h_rt=1:00:00", "-q", "spare")
    lines = engine.script.splitlines()
    assert [line for line in lines if line.startswith("#$")] == [
        "#$ -r y", "#$ -notify", "#$ -o /dev/null", "#$ -e /dev/null",
        "#$ -P dice", "#$ -l h_vmem=1G",
    ]  # fmt: skip
    assert f"--secret {folder}/secret" in engine.script
    assert INVITATION.secret not in engine.script
    modes = [path.stat().st_mode & 0o777 for path in (folder, folder / "secret")]
    assert modes == [0o700, 0o600]
    assert (folder / "secret").read_text() == INVITATION.secret + "\n"


async def test_members_are_those_of_its_arrays_in_the_order_of_their_numbers(
    engine: GridEngine,
) -> None:
    assert await placer().members() == (
        Member("sge-7-1", MemberState.ENDING, "dr", "n1"),
        Member("sge-7-2", MemberState.PENDING, "qw"),
        Member("sge-7-3", MemberState.LOST, "Eqw"),
        Member("sge-7-10", MemberState.RUNNING, "r", "n2"),
        Member("sge-7-11", MemberState.PENDING, "t", "n4"),
        Member("sge-9-1", MemberState.RUNNING, "r", "n3"),
        Member("sge-9-2", MemberState.PENDING, "hqw"),
    )
    engine.answers["qstat"] = "error: commlib error"
    with pytest.raises(FleetFailedError, match="qstat -xml answers no XML"):
        await placer().members()


async def test_fewer_deletes_waiting_jobs_first_and_more_submits_further_ones(
    engine: GridEngine,
) -> None:
    assert (await placer().scale(INVITATION, 1))["jobs"] == "7,9"
    assert engine.asked[1:] == [
        ("qdel", "7.2-2", "7.11-11", "9.1-2"),
    ]
    kept = await placer("7").scale(INVITATION, 5)
    assert kept["jobs"] == "7,12"
    assert "1-2" in engine.asked[-1]


async def test_stop_deletes_each_job_once_and_removes_the_folder(
    engine: GridEngine, state: Path
) -> None:
    fleet = placer("")
    await fleet.start(INVITATION, 4)
    engine.answers["qstat"] = listing([(12, 1, "r", ""), (12, 2, "dr", ""), (12, 3, "r", ""),
                                       (12, 4, "qw", "")])  # fmt: skip
    engine.failures["qdel"] = 'denied: job "12.1" does not exist'
    await fleet.stop()
    await fleet.stop()
    assert engine.asked[2:] == [("qdel", "12.1-1", "12.3-4")]
    assert os.listdir(state) == []


async def test_fleet_that_cannot_be_ended_keeps_its_folder(engine: GridEngine, state: Path) -> None:
    kept = await placer("").start(INVITATION, 4)
    engine.failures["qdel"] = "not allowed"
    engine.answers["qstat"] = listing([(12, 1, "r", "")])
    with pytest.raises(FleetFailedError, match="qdel: not allowed"):
        await GridEnginePlacer("", "night-1", kept).stop()
    assert os.listdir(state) == ["night-1.jobs"]
    engine.failures["qsub"] = "no such queue"
    with pytest.raises(FleetFailedError, match="no such queue"):
        await GridEnginePlacer("", "other-1", {}).start(INVITATION, 1)
    assert os.listdir(state) == ["night-1.jobs"]


async def test_array_of_a_start_that_is_cancelled_is_known_and_can_be_ended(
    engine: GridEngine, state: Path
) -> None:
    engine.let = asyncio.Event()
    fleet = placer("")
    starting = asyncio.ensure_future(fleet.start(INVITATION, 4))
    async with asyncio.timeout(5):
        while not engine.asked:  # noqa: ASYNC110  # a thread writes the secret first
            await asyncio.sleep(0)
    starting.cancel()
    asyncio.get_running_loop().call_soon(engine.let.set)
    with pytest.raises(asyncio.CancelledError):
        await starting
    engine.answers["qstat"] = listing([(12, number, "r", "") for number in (1, 2, 3, 4)])
    await fleet.stop()
    assert engine.asked[-1] == ("qdel", "12.1-4")
    assert os.listdir(state) == []


async def test_what_cannot_be_is_said_in_a_line(
    engine: GridEngine, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(FleetFailedError, match="sge:N"):
        await placer("").start(INVITATION, None)
    monkeypatch.setenv("MANYPLY_BATCH_WALLTIME", "1h")
    with pytest.raises(FleetFailedError, match="expected H:MM:SS"):
        await placer("").start(INVITATION, 1)
    monkeypatch.delenv("MANYPLY_BATCH_WALLTIME")
    assert engine.asked == []
    engine.answers["qsub"] = "rm -rf /"
    with pytest.raises(FleetFailedError, match="qsub names no job: rm -rf /"):
        await placer("").start(INVITATION, 1)
    assert os.listdir(state) == []


async def test_own_host_faces_the_machine_of_the_clusters_master(engine: GridEngine) -> None:
    with pytest.raises(FleetFailedError, match="qconf -sss names no machine"):
        await placer().own_host()
    engine.answers["qconf"] = "localhost\n"
    assert await placer().own_host() in ("127.0.0.1", "::1")


@given(st.sets(st.integers(1, 30)))
def test_ranges_are_the_numbers_and_no_others(numbers: set[int]) -> None:
    ranges = grid_engine_fleet._ranges(sorted(numbers))
    assert [each for first, last in ranges for each in range(first, last + 1)] == sorted(numbers)
    ends = [last for _, last in ranges]
    assert all(first > last + 1 for last, (first, _) in zip(ends, ranges[1:], strict=False))


DRAINING = """\
#!/usr/bin/env python3
import os, signal, sys
wanted = {signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2}
signal.pthread_sigmask(signal.SIG_BLOCK, wanted)
print(os.getpid(), *sys.argv[1:], flush=True)
signal.sigwait(wanted)
print("drained", flush=True)
"""


def started(folder: Path, monkeypatch: pytest.MonkeyPatch, program: str) -> subprocess.Popen[str]:
    monkeypatch.setattr(grid_engine_fleet, "OWN", ("/no/such/python", "-m", "analyser"))
    analyser = folder / "manyply-analyser"
    analyser.write_text(program)
    analyser.chmod(0o755)
    script = folder / "script"
    script.write_text(job_script(INVITATION, "/a folder/secret"))
    path = f"{folder}:/usr/local/bin:/usr/bin:/bin"
    environ = {"PATH": path, "JOB_ID": "12", "SGE_TASK_ID": "3"}
    return subprocess.Popen(
        ["bash", script], env=environ, stdout=subprocess.PIPE, text=True, start_new_session=True
    )


@pytest.mark.slow
def test_analyser_gets_all_but_the_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with started(tmp_path, monkeypatch, '#!/bin/sh\necho "$@"\nexit 3\n') as job:
        out, _ = job.communicate(timeout=20)
    arguments = " ".join(INVITATION.arguments("/a folder/secret"))
    assert out == f"{arguments} --workers 1 --name sge-12-3\n"
    assert job.returncode == 3


@pytest.mark.slow
@pytest.mark.parametrize("warning", [signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM])
def test_warning_to_all_of_a_job_has_its_analyser_drain(
    warning: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with started(tmp_path, monkeypatch, DRAINING) as job:
        assert job.stdout is not None
        assert "--connect" in job.stdout.readline()
        os.killpg(job.pid, warning)
        assert job.stdout.read() == "drained\n"
    assert job.returncode == 0
