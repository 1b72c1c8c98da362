"""What the daemon's process tests cannot see from outside."""

from pathlib import Path

import pytest

from engine_ext.noop.runner import noop_context
from master.contract.job_words import JobState
from master.contract.views import JobRequest
from master.daemon import _log_to, _resume_own
from master.service.service import MasterService
from master.store.records import RunsIn


async def test_job_that_cannot_go_on_holds_no_other_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    request = JobRequest(noop_context(), 20)
    async with MasterService(tmp_path, runs_in=RunsIn.DAEMON) as service:
        jobs = [await service.submit(request) for _ in range(3)]
    log: list[str] = []
    async with MasterService(tmp_path, runs_in=RunsIn.DAEMON, log=log.append) as service:
        with service._store.claim(jobs[0]):
            await _resume_own(service)
        states = [view.state for view in await service.jobs()]
        assert log == [f"job {job} goes on: noop" for job in jobs[1:]]
    assert states == [JobState.HALTED, JobState.RUNNING, JobState.RUNNING]
    assert "job 1 is being run by another process" in capsys.readouterr().err


def test_all_logs_get_each_turn() -> None:
    first: list[object] = []
    second: list[object] = []
    log = _log_to([lambda *turn: first.append(turn), lambda *turn: second.append(turn)])
    assert log is not None
    log(1.0, [], [])
    assert first == second == [(1.0, [], [])]
    assert _log_to([]) is None
