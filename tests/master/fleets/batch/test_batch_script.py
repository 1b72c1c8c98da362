"""A job runs an analyser, and whatever signal ends it, the analyser drains."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from master.fleets.batch import batch_script
from master.fleets.batch.batch_script import job_script
from master.fleets.batch.batch_systems import SYSTEMS
from master.fleets.placing import Invitation

INVITATION = Invitation("10.0.0.1", 4700, "night-1", "correct horse battery staple")
NUMBERS = {
    "pbs": {"PBS_JOBID": "12.server"},
    "torque": {"PBS_JOBID": "12.server"},
    "lsf": {"LSB_JOBID": "12"},
    "sge": {"JOB_ID": "12"},
    "condor": {"MANYPLY_JOB": "12"},
}
DRAINING = """\
#!/usr/bin/env python3
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
print(os.getpid(), *sys.argv[1:], flush=True)
signal.sigwait({signal.SIGTERM})
print("drained", flush=True)
"""


def started(
    kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> subprocess.Popen[str]:
    monkeypatch.setattr(batch_script, "OWN", ("/no/such/python", "-m", "analyser"))
    analyser = folder / "manyply-analyser"
    analyser.write_text(program)
    analyser.chmod(0o755)
    script = folder / "script"
    script.write_text(job_script(kind, INVITATION, "/f/secret"))
    environ = {"PATH": f"{folder}:/usr/local/bin:/usr/bin:/bin"} | NUMBERS[kind]
    return subprocess.Popen(
        ["bash", script], env=environ, stdout=subprocess.PIPE, text=True, start_new_session=True
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", SYSTEMS)
def test_analyser_is_told_all_but_the_secret(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with started(kind, tmp_path, monkeypatch, '#!/bin/sh\necho "$$ $@"\nexit 3\n') as job:
        out, _ = job.communicate(timeout=20)
    process, words = out.strip().split(" ", 1)
    arguments = " ".join(INVITATION.arguments("/f/secret"))
    assert words == f"{arguments} --workers 1 --name {kind}-12"
    assert INVITATION.secret not in (tmp_path / "script").read_text()
    assert (int(process) == job.pid) is not SYSTEMS[kind].warns, "exec, not a child"
    assert job.returncode == 3


@pytest.mark.slow
@pytest.mark.parametrize("warning", [signal.SIGUSR1, signal.SIGUSR2])
def test_warning_to_all_of_a_job_has_its_analyser_drain(
    warning: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with started("sge", tmp_path, monkeypatch, DRAINING) as job:
        assert job.stdout is not None
        assert "--connect" in job.stdout.readline()
        os.killpg(job.pid, warning)
        assert job.stdout.read() == "drained\n"
    assert job.returncode == 0
