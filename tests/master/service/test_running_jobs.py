"""Jobs of trials that run in this process: started, halted, extended, resumed, watched."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine_ext.noop.runner import noop_context
from master.contract.errors import MasterError
from master.contract.views import JobRequest, JobState, JobView, Update
from master.service.service import MasterService
from master.store import JobBusyError, RunsIn
from protocol.messages import Fail, Message, Trials

CONTEXT = noop_context(alternatives=3)
REQUEST = JobRequest(CONTEXT, trials=40, label="mine")


async def watch(service: MasterService, job: int) -> Update:
    """Return a job's last update."""
    async for update in service.subscribe(job, interval_s=0.01):
        last = update
    return last


async def until(is_met: Callable[[], bool]) -> None:
    """Let the loop turn until something holds."""
    async with asyncio.timeout(5):
        while not is_met():  # noqa: ASYNC110  # nobody tells of it
            await asyncio.sleep(0)


def bits(view: JobView) -> Any:
    return [(a.trials, [x.hex() for x in a.means + a.std_errors]) for a in view.alternatives]  # type: ignore[union-attr]


async def straight_run(directory: Path, request: JobRequest, fake: Any) -> JobView:
    async with MasterService(directory) as service:
        fake().join(service)
        return (await watch(service, await service.submit(request))).job


def silent(request: Trials) -> list[Message]:
    return []


async def test_job_runs_to_its_end(service: MasterService, fake_analyser: Any) -> None:
    analyser = fake_analyser().join(service)
    job = await service.submit(REQUEST)
    final = await watch(service, job)
    assert final.is_final
    assert (final.job.state, final.job.stopped_by) == (JobState.DONE, "trials")
    assert (final.job.folded, final.job.label) == (120, "mine")
    assert [a.trials for a in final.job.alternatives] == [40, 40, 40]
    assert [line.name for line in final.analysers] == ["fake"]
    shown = await service.show(job)
    assert bits(shown) == bits(final.job)
    assert [view.job for view in await service.jobs()] == [job]
    await analyser.leave()


async def test_everything_is_acknowledged_in_the_end(
    service: MasterService, fake_analyser: Any
) -> None:
    analyser = fake_analyser().join(service)
    await watch(service, await service.submit(REQUEST))
    await until(lambda: analyser.acked == analyser.sent)


async def test_same_bits_whatever_the_fleet(tmp_path: Path, fake_analyser: Any) -> None:
    straight = await straight_run(tmp_path / "one", REQUEST, fake_analyser)
    async with MasterService(tmp_path / "many") as service:
        for number in range(3):
            fake_analyser(f"fake {number}").join(service)
        dying = fake_analyser("dying", silent).join(service)
        job = await service.submit(REQUEST)
        await dying.request_came.wait()
        dying.die()
        final = await watch(service, job)
    assert bits(final.job) == bits(straight)


@pytest.mark.slow
async def test_halted_job_resumes_to_the_same_bits(tmp_path: Path, fake_analyser: Any) -> None:
    request = JobRequest(CONTEXT, trials=2000)
    straight = await straight_run(tmp_path / "one", request, fake_analyser)
    async with MasterService(tmp_path / "two") as service:
        analyser = fake_analyser().join(service)
        job = await service.submit(request)
        await analyser.request_came.wait()
        await service.halt(job)
        halted = await service.show(job)
        assert (halted.state, halted.stopped_by) == (JobState.HALTED, "halted")
        assert halted.folded < 6000
    async with MasterService(tmp_path / "two") as service:
        assert (await service.show(job)).folded == halted.folded
        fake_analyser().join(service)
        await service.resume(job)
        final = await watch(service, job)
    assert bits(final.job) == bits(straight)


@pytest.mark.slow
async def test_adaptive_stop_is_the_same_for_any_fleet(tmp_path: Path, fake_analyser: Any) -> None:
    request = JobRequest(CONTEXT, trials=None, stop_se=0.02)
    straight = await straight_run(tmp_path / "one", request, fake_analyser)
    assert straight.stopped_by == "stop_se"
    async with MasterService(tmp_path / "two") as service:
        for number in range(4):
            fake_analyser(f"fake {number}").join(service)
        final = await watch(service, await service.submit(request))
    assert bits(final.job) == bits(straight)


async def test_extended_job_equals_the_longer_one(tmp_path: Path, fake_analyser: Any) -> None:
    longer = await straight_run(tmp_path / "one", JobRequest(CONTEXT, 100), fake_analyser)
    async with MasterService(tmp_path / "two") as service:
        fake_analyser().join(service)
        job = await service.submit(JobRequest(CONTEXT, 40))
        await watch(service, job)
        await service.extend(job, 60)
        final = await watch(service, job)
    assert (final.job.trials, bits(final.job)) == (100, bits(longer))


async def test_running_job_is_extended(service: MasterService, fake_analyser: Any) -> None:
    job = await service.submit(JobRequest(CONTEXT, 40))
    await service.extend(job, 10)
    fake_analyser().join(service)
    assert (await watch(service, job)).job.folded == 150


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (JobRequest("chess/1", 5), "unknown kind of context"),
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
    for wish in (service.show(9), service.resume(9), service.halt(9), service.extend(9, 1)):
        with pytest.raises(MasterError, match="no job 9"):
            await wish
    fake_analyser().join(service)
    job = await service.submit(REQUEST)
    await watch(service, job)
    with pytest.raises(MasterError, match="not running here"):
        await service.halt(job)
    with pytest.raises(MasterError, match="at least one trial"):
        await service.extend(job, 0)


async def test_job_of_another_process_is_left_alone(tmp_path: Path, fake_analyser: Any) -> None:
    async with MasterService(tmp_path) as one, MasterService(tmp_path) as other:
        job = await one.submit(REQUEST)
        for wish in (other.resume(job), other.extend(job, 5)):
            with pytest.raises(JobBusyError):
                await wish
        assert (await other.show(job)).state is JobState.RUNNING


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


async def test_draining_master_starts_no_job(service: MasterService) -> None:
    await service.drain()
    with pytest.raises(MasterError, match="ending"):
        await service.submit(REQUEST)


@pytest.mark.slow
async def test_full_disk_halts_the_job_and_acknowledges_nothing_more(
    tmp_path: Path, fake_analyser: Any
) -> None:
    request = JobRequest(CONTEXT, 4000)
    straight = await straight_run(tmp_path / "one", request, fake_analyser)
    async with MasterService(tmp_path / "two") as service:
        analyser = fake_analyser().join(service)
        service._core._writer.database.execute("PRAGMA max_page_count = 1")
        job = await service.submit(request)
        final = await watch(service, job)
        assert (final.job.state, final.job.stopped_by) == (JobState.HALTED, "failed")
        assert final.job.error.endswith("the disk is full")
        assert analyser.acked == 0
        service._core._writer.database.execute("PRAGMA max_page_count = 1000000")
        fake_analyser().join(service)
        await service.resume(job)
        final = await watch(service, job)
    assert bits(final.job) == bits(straight)


async def test_trial_that_cannot_be_computed_fails_the_job(
    service: MasterService, fake_analyser: Any
) -> None:
    def fail(request: Trials) -> list[Message]:
        code, text = "bad-context", "cannot read it"
        return [Fail(part=request.part, attempt=request.attempt, code=code, text=text)]

    fake_analyser("lost", fail).join(service)
    final = await watch(service, await service.submit(REQUEST))
    assert (final.job.state, final.job.stopped_by) == (JobState.HALTED, "failed")
    assert "cannot read it" in final.job.error


async def test_wish_for_a_job_that_is_ending_waits_for_its_end(
    service: MasterService, fake_analyser: Any
) -> None:
    job = await service.submit(REQUEST)
    await asyncio.gather(service.halt(job), service.extend(job, 10))
    fake_analyser().join(service)
    final = await watch(service, job)
    assert (final.job.state, final.job.trials, final.job.folded) == (JobState.DONE, 50, 150)
