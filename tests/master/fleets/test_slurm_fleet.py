"""What Slurm is asked, and how its answers are read; test_slurm.py has the real one."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from master.fleets import slurm_fleet
from master.fleets.placing import FleetFailedError, Invitation, Member, MemberState
from master.fleets.slurm_fleet import SlurmPlacer, batch_script

INVITATION = Invitation("10.0.0.1", 4700, "night-1", "correct horse battery staple")
LISTED = """\
7|2|PENDING|Resources|
9|1|RUNNING|None|n3
7|10|RUNNING|None|n2
7|1|COMPLETING|None|n1
8|1|RUNNING|None|n1
7|3|PREEMPTED|None|
"""


class Slurm:
    """Answers as the commands do, and remembers what it was asked."""

    def __init__(self, answers: dict[str, str]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, ...]] = []

    async def call(self, argv: Sequence[str], *, stdin_text: str = "") -> str:
        self.asked.append((*argv, stdin_text))
        return self.answers.get(argv[0], "")


@pytest.fixture
def slurm(monkeypatch: pytest.MonkeyPatch) -> Slurm:
    slurm = Slurm({"sbatch": "9;cluster\n", "squeue": LISTED})
    monkeypatch.setattr(slurm_fleet, "call", slurm.call)
    return slurm


def placer(jobs: str = "7,9", partition: str = "") -> SlurmPlacer:
    return SlurmPlacer(partition, "night-1", {"jobs": jobs})


async def test_members_are_those_of_its_arrays_in_the_order_of_their_numbers(slurm: Slurm) -> None:
    assert await placer().members() == (
        Member("slurm-7-1", MemberState.ENDING, "COMPLETING", "n1"),
        Member("slurm-7-2", MemberState.PENDING, "PENDING (Resources)", ""),
        Member("slurm-7-3", MemberState.ENDING, "PREEMPTED", ""),
        Member("slurm-7-10", MemberState.RUNNING, "RUNNING", "n2"),
        Member("slurm-9-1", MemberState.RUNNING, "RUNNING", "n3"),
    )


async def test_start_submits_an_array(slurm: Slurm) -> None:
    kept = await placer("", "spare").start(INVITATION, 4)
    assert kept == {"jobs": "9"}
    [(*words, script)] = slurm.asked
    assert words == ["sbatch", "--parsable", "--partition=spare", "--array=1-4"]
    assert script == batch_script("night-1", INVITATION)


async def test_fewer_cancels_who_waits_first_and_more_submits_what_is_missing(
    slurm: Slurm,
) -> None:
    assert await placer().scale(INVITATION, 1) == {"jobs": "7,9"}
    assert slurm.asked[-1] == ("scancel", "--quiet", "9_1", "7_2", "")
    assert await placer("7").scale(INVITATION, 6) == {"jobs": "7,9"}
    [*_, asked] = slurm.asked
    assert asked[2] == "--array=1-4"


async def test_stop_cancels_the_arrays_once(slurm: Slurm) -> None:
    fleet = placer()
    await fleet.stop()
    await fleet.stop()
    assert slurm.asked == [("scancel", "--quiet", "7", "9", "")]


async def test_controller_that_is_not_named_is_said(slurm: Slurm) -> None:
    with pytest.raises(FleetFailedError, match="names no SlurmctldHost"):
        await placer().own_host()
    slurm.answers["scontrol"] = "ClusterName = ci\nSlurmctldHost[0]        = nowhere(127.0.0.1)\n"
    assert await placer().own_host() == "127.0.0.1"


async def test_number_of_jobs_has_to_be_said() -> None:
    with pytest.raises(FleetFailedError, match="slurm:N"):
        await placer().start(INVITATION, None)


@pytest.mark.slow
def test_job_becomes_the_analyser_and_hands_it_the_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slurm_fleet, "OWN", ("/no/such/python", "-m", "analyser"))
    program = tmp_path / "manyply-analyser"
    program.write_text('#!/bin/sh\necho "$$ $@"\ncat\n')
    program.chmod(0o755)
    environ = {"PATH": f"{tmp_path}:/usr/bin:/bin", "SLURM_CPUS_PER_TASK": "3"}
    environ |= {"SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": "2"}
    script = tmp_path / "script"
    script.write_text(batch_script("night-1", INVITATION))
    with subprocess.Popen(["sh", script], env=environ, stdout=subprocess.PIPE, text=True) as job:
        out, _ = job.communicate(timeout=20)
    words, secret = out.splitlines()
    arguments = " ".join(INVITATION.arguments())
    assert words == f"{job.pid} {arguments} --workers 3 --name slurm-7-2", "exec, not a child"
    assert secret == INVITATION.secret


def test_what_a_cluster_wants_overrules_the_script() -> None:
    lines = batch_script("night-1", INVITATION).splitlines()
    assert {line for line in lines if line.startswith("#SBATCH")} >= {
        "#SBATCH --job-name=manyply-night-1",
        "#SBATCH --requeue",
    }
