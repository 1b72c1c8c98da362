"""Jobs that run in this process: started, refused, drained, waited for."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from master.contract.errors import MasterError
from master.contract.goals import Goal
from master.contract.job_words import JobState, Priority
from master.contract.views import JobRequest, JobView
from master.service.listed_jobs import to_view
from master.service.running_job import RunningJob
from master.service.running_jobs import end_line
from master.service.service import MasterService
from master.store.errors import JobBusyError
from master.store.lock import JobLock
from master.store.records import JobEnd, JobRecord, NewJob, RunsIn
from tests.master.api.fake_master import VIEW
from tests.master.service.watching import CONTEXT, REQUEST, watch


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (JobRequest("go/1", 5), "unknown kind of context"),
        (JobRequest("noop/1 x", 5), "expected 'noop/1"),
        (JobRequest(CONTEXT, None), "needs a number of trials"),
        (JobRequest(CONTEXT, 0), "at least one trial"),
        (JobRequest(CONTEXT, 5, stop_se=0.0), "greater than 0"),
        (JobRequest(CONTEXT, 5, stop_se=float("nan")), "greater than 0"),
    ],
)
async def test_bad_job_is_refused_with_its_reason(
    service: MasterService, request_: JobRequest, reason: str
) -> None:
    with pytest.raises(MasterError, match=reason):
        await service.submit(request_)
    assert await service.jobs() == []


async def test_unknown_and_idle_jobs_are_named(service: MasterService, fake_analyser: Any) -> None:
    wishes = (service.show(9), service.resume(9), service.halt(9), service.extend(9, 1))
    for wish in (*wishes, service.prioritise(9, Priority.BACKGROUND)):
        with pytest.raises(MasterError, match="no job 9"):
            await wish
    fake_analyser().join(service)
    job = await service.submit(REQUEST)
    await watch(service, job)
    for wish in (service.halt(job), service.prioritise(job, Priority.BACKGROUND)):
        with pytest.raises(MasterError, match="is not running"):
            await wish
    with pytest.raises(MasterError, match="at least one trial"):
        await service.extend(job, 0)


async def test_job_goes_into_the_background_and_stays_there(service: MasterService) -> None:
    job = await service.submit(REQUEST)
    assert (await service.show(job)).priority is Priority.NORMAL
    await service.prioritise(job, Priority.BACKGROUND)
    assert [view.priority for view in await service.jobs()] == [Priority.BACKGROUND]
    with pytest.raises(MasterError, match="the priority of a job is background or normal"):
        await service.prioritise(job, Priority.ASKED)
    await service.halt(job)
    assert (await service.show(job)).priority is Priority.BACKGROUND
    await service.resume(job)
    assert service._core.scheduler._state.jobs[job].priority is Priority.BACKGROUND
    await service.prioritise(job, Priority.NORMAL)
    assert service._core.scheduler._state.jobs[job].priority is Priority.NORMAL
    assert (await service.show(job)).priority is Priority.NORMAL


async def test_job_of_another_process_is_left_alone(tmp_path: Path, fake_analyser: Any) -> None:
    async with MasterService(tmp_path) as one, MasterService(tmp_path) as other:
        job = await one.submit(REQUEST)
        for wish in (other.resume(job), other.extend(job, 5)):
            with pytest.raises(JobBusyError):
                await wish
        assert (await other.show(job)).state is JobState.RUNNING


async def test_job_that_another_process_runs_is_not_called_idle(tmp_path: Path) -> None:
    async with MasterService(tmp_path) as service, MasterService(tmp_path) as other:
        job = await service.submit(REQUEST)
        with pytest.raises(MasterError, match=r"by another process \(process \d+\): Ctrl-C there"):
            await other.halt(job)
        await service.halt(job)
        await watch(service, job)
        with pytest.raises(MasterError, match=f"job {job} is not running$"):
            await other.halt(job)


async def test_drained_jobs_of_a_daemon_go_on_when_it_starts_again(
    tmp_path: Path, fake_analyser: Any
) -> None:
    async with MasterService(tmp_path, runs_in=RunsIn.DAEMON) as service:
        job = await service.submit(REQUEST)
    async with MasterService(tmp_path, runs_in=RunsIn.DAEMON) as service:
        assert (await service.show(job)).stopped_by == "drained"
        fake_analyser().join(service)
        assert await service.own_jobs() == [job]
        await service.resume(job)
        assert (await watch(service, job)).job.state is JobState.DONE
        assert await service.own_jobs() == []


async def test_jobs_of_a_command_that_ends_are_halted_not_drained(tmp_path: Path) -> None:
    async with MasterService(tmp_path) as service:
        job = await service.submit(REQUEST)
    async with MasterService(tmp_path) as service:
        assert (await service.show(job)).stopped_by == "halted"


async def test_draining_master_starts_no_job(service: MasterService) -> None:
    await service.drain()
    with pytest.raises(MasterError, match="ending"):
        await service.submit(REQUEST)


async def test_wish_for_a_job_that_is_ending_waits_for_its_end(
    service: MasterService, fake_analyser: Any
) -> None:
    job = await service.submit(REQUEST)
    await asyncio.gather(service.halt(job), service.extend(job, 10))
    fake_analyser().join(service)
    final = await watch(service, job)
    assert (final.job.state, final.job.trials, final.job.folded) == (JobState.DONE, 50, 150)


RECORD = JobRecord(
    3, NewJob("noop/1", "d", "noop", "e", (), (), Goal()), JobState.RUNNING, JobEnd(),
    RunsIn.COMMAND, "2026-01-01T00:00:00+00:00",
)  # fmt: skip


class Idle(RunningJob):
    """A job that does nothing."""

    def halt(self) -> None:
        self.is_ending = True

    def view(self, is_summed: bool = True) -> JobView:
        return to_view(self.record, None)


async def test_end_reaches_all_waiting_calls_and_gives_the_job_back(tmp_path: Path) -> None:
    running = Idle(RECORD, JobLock(tmp_path, 3))
    waiting = [asyncio.create_task(running.ended.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    assert running.final is None
    running.end(running.view())
    await asyncio.gather(*waiting)
    assert running.final == running.view()
    JobLock(tmp_path, 3).release()


async def test_job_that_is_no_search_has_no_tree(tmp_path: Path) -> None:
    running = Idle(RECORD, JobLock(tmp_path, 3))
    assert running.tree() is None
    running.end(running.view())


@pytest.mark.parametrize(
    ("changes", "end"),
    [
        ({"state": JobState.DONE, "stopped_by": "trials"}, "done, 10 trials"),
        ({"state": JobState.DONE, "stopped_by": "trials", "folded": 1}, "done, 1 trial"),
        ({"state": JobState.HALTED, "stopped_by": "halted"}, "halted, 10 trials"),
        ({"state": JobState.HALTED, "stopped_by": "drained"}, "halted, 10 trials, drained"),
        (
            {"state": JobState.HALTED, "stopped_by": "failed", "error": "no"},
            "halted, 10 trials, no",
        ),
    ],
)
def test_log_says_once_how_a_job_ended(changes: dict[str, Any], end: str) -> None:
    assert end_line(replace(VIEW, **changes)) == f"job 1 ends: {end}"
