"""Calls on Parsl: all jobs or none; what is gone is over, and what failed is said.

The programs are stand-ins, see tests/daemons/fleets/batch_stand_ins.py; test_grid_engine.py has a
real system.
"""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from master.fleets.batch import batch_calls
from master.fleets.batch.batch_calls import CALLS, RefusedError
from master.fleets.batch.batch_systems import option_lines
from tests.daemons.fleets.batch_stand_ins import KINDS, StandIns, stand_ins

STATES = SimpleNamespace(
    JobState=SimpleNamespace(
        UNKNOWN=SimpleNamespace(name="UNKNOWN"), COMPLETED=SimpleNamespace(name="COMPLETED")
    ),
    JobStatus=lambda state: SimpleNamespace(state=state),
)
RUNS = SimpleNamespace(state=SimpleNamespace(name="RUNNING"))
ORDER = {"kind": "pbs", "jobs": ["1.s", "2.s", "3.s"]}


class Provider:
    """As much of a provider as is called, and what its commands answer."""

    def __init__(self, *answers: tuple[int, str, str], running: tuple[str, ...] = ()) -> None:
        self.said = (0, "", "")
        self.resources: dict[str, Any] = {}
        self.asked: list[list[str]] = []
        self.cancelled: list[str] = []
        self._answers = [*answers]
        self._running = running

    def _answer(self) -> int:
        self.said = self._answers.pop(0)
        return self.said[0]

    def submit(self, command: str, tasks: int, name: str) -> str | None:
        return None if self._answer() else self.said[1]

    def status(self, jobs: list[str]) -> list[Any]:
        self.asked.append(jobs)
        if self._answer():
            return [self.resources[job]["status"] for job in jobs]
        return [RUNS if job in self._running else self.resources[job]["status"] for job in jobs]

    def cancel(self, jobs: list[str]) -> None:
        self.cancelled += jobs
        self._answer()


def call(name: str, provider: Provider, /, **words: Any) -> dict[str, Any]:
    return CALLS[name](provider, STATES, {**ORDER, **words})


@pytest.fixture
def submitting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "umask", lambda mask: None)
    return {"folder": str(tmp_path), "count": 3, "script": "true", "name": "night"}


def test_jobs_are_all_submitted_or_none(submitting: dict[str, Any]) -> None:
    whole = Provider((0, "1.s", ""), (0, "2.s", ""), (0, "3.s", ""))
    assert call("submit", whole, **submitting) == {"jobs": ["1.s", "2.s", "3.s"]}
    broken = Provider((0, "1.s", ""), (0, "2.s", ""), (1, "", "qsub: too\nmany"), (0, "", ""))
    with pytest.raises(RefusedError, match="qsub: too many"):
        call("submit", broken, **submitting)
    assert broken.cancelled == ["1.s", "2.s"]


def test_what_is_no_number_of_a_job_is_refused(submitting: dict[str, Any]) -> None:
    with pytest.raises(RefusedError, match="qsub: rm -rf /"):
        call("submit", Provider((0, "rm -rf /", "")), **submitting)


def test_jobs_are_taken_back_when_time_is_up(
    submitting: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter((0.0, 1.0, 99.0))
    monkeypatch.setattr(batch_calls, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    slow = Provider((0, "1.s", ""), (0, "", ""))
    with pytest.raises(RefusedError, match="only 1 jobs were submitted in 35 s"):
        call("submit", slow, **submitting)
    assert slow.cancelled == ["1.s"]


def test_what_is_gone_is_over_and_the_others_are_asked_again() -> None:
    gone = (153, "", "qstat: Unknown Job Id 2.s")
    provider = Provider(gone, (0, "", ""), running=("1.s",))
    assert call("states", provider) == {
        "states": {"1.s": "RUNNING", "2.s": "COMPLETED", "3.s": "COMPLETED"}
    }
    assert provider.asked == [["1.s", "2.s", "3.s"], ["1.s", "3.s"]]
    assert call("states", Provider(gone), jobs=["2.s"]) == {"states": {"2.s": "COMPLETED"}}


def test_system_that_gives_no_answer_has_not_ended_its_jobs() -> None:
    with pytest.raises(RefusedError, match="qstat: cannot connect"):
        call("states", Provider((1, "", "cannot connect")))
    with pytest.raises(RefusedError, match="qstat: exit code 1"):
        call("states", Provider((1, "", "")))


def test_cancel_leaves_out_what_is_over_and_says_what_is_refused() -> None:
    provider = Provider((0, "", ""), (0, "", ""), running=("1.s", "3.s"))
    assert call("cancel", provider) == {}
    assert provider.cancelled == ["1.s", "3.s"]
    late = Provider((0, "", ""), (1, "", "qdel: Job has finished 1.s"), running=("1.s",))
    assert call("cancel", late) == {}
    assert call("cancel", Provider((0, "", ""))) == {}, "nothing is left to cancel"
    with pytest.raises(RefusedError, match="qdel: Unauthorized Request"):
        call("cancel", Provider((0, "", ""), (1, "", "Unauthorized Request"), running=("1.s",)))


def ask(system: StandIns, name: str, /, path: str = "", **words: Any) -> dict[str, Any]:
    """Do a call by the program, with Parsl itself."""
    folder = system.folder / "fleet"
    folder.mkdir(exist_ok=True)
    (folder / "secret").write_text("s")
    order = {"call": name, "kind": system.kind, "queue": "", "folder": str(folder), **words}
    ended = subprocess.run(
        [sys.executable, "-P", "-m", "master.fleets.batch.batch_calls"],
        input=json.dumps(order), capture_output=True, text=True, check=True, timeout=25,
        env=os.environ | {"PATH": path or system.path},
    )  # fmt: skip
    answer: dict[str, Any] = json.loads(ended.stdout)
    return answer


@pytest.mark.slow
@pytest.mark.skipif(find_spec("parsl") is None, reason="parsl is not installed")
@pytest.mark.parametrize("kind", KINDS)
def test_stand_in_is_told_options_and_forgets_no_job(kind: str, tmp_path: Path) -> None:
    system = stand_ins(kind, tmp_path)
    wanted = {"pbs": "-A dice", "torque": "-A dice", "lsf": "-P dice", "condor": "+Group = x"}[kind]
    words: dict[str, Any] = {"script": "exec sleep 30", "name": "n", "walltime": "1:00:00"}
    words |= {"count": 1, "options": option_lines(kind, wanted)}
    jobs = ask(system, "submit", **words)["jobs"]
    try:
        options = system.options(1)
        assert wanted in options
        assert kind == "condor" or {"-l walltime=1:00:00", "-W 60"} & {*options}
        lost = jobs[0].replace("1", "99", 1)
        states = ask(system, "states", jobs=[*jobs, lost])["states"]
        assert states == {jobs[0]: "RUNNING", lost: "COMPLETED"}
        if kind != "condor":
            refused = ask(system, "submit", **words, queue="gold")
            assert "queue" in refused["failed"]
    finally:
        assert ask(system, "cancel", jobs=jobs) == {}
    assert ask(system, "cancel", jobs=jobs) == {}


@pytest.mark.slow
@pytest.mark.skipif(find_spec("parsl") is None, reason="parsl is not installed")
def test_program_that_is_missing_is_said(tmp_path: Path) -> None:
    failed = ask(StandIns("sge", tmp_path), "states", jobs=["1"], path="/no/such")
    assert "qstat: " in failed["failed"]


def test_parsl_that_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "parsl.providers", None)
    monkeypatch.setitem(sys.modules, "parsl.jobs.states", None)
    monkeypatch.setitem(sys.modules, "parsl", None)
    assert batch_calls._answer({}) == {"failed": "this takes Parsl: pip install 'manyply[batch]'"}
