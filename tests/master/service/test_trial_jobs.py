"""Jobs of trials that run in this process: the same bits, however they were interrupted."""

from pathlib import Path
from typing import Any

import pytest

from master.contract.job_words import JobState
from master.contract.views import JobRequest
from master.service.service import MasterService
from protocol.messages import Fail, Message, Trials
from tests.master.service.watching import CONTEXT, REQUEST, bits, silent, straight_run, until, watch


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
async def test_settled_job_is_the_same_for_any_fleet_and_resumed(
    tmp_path: Path, fake_analyser: Any
) -> None:
    request = JobRequest(CONTEXT, trials=1500, stop_settled=0.6)
    straight = await straight_run(tmp_path / "one", request, fake_analyser)
    assert straight.stopped_by == "settled"
    assert len({each.trials for each in straight.alternatives}) > 1
    async with MasterService(tmp_path / "two") as service:
        analyser = fake_analyser().join(service)
        job = await service.submit(request)
        await analyser.request_came.wait()
        await service.halt(job)
        halted = await service.show(job)
        (listed,) = await service.jobs()
        assert listed.folded == halted.folded
    async with MasterService(tmp_path / "two") as service:
        for number in range(3):
            fake_analyser(f"fake {number}").join(service)
        await service.resume(job)
        final = await watch(service, job)
        assert bits(final.job) == bits(straight)
        assert bits(await service.show(job)) == bits(straight)


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


@pytest.mark.slow
@pytest.mark.when_changed
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
    service: MasterService, fake_analyser: Any, judge: Any
) -> None:
    def fail(request: Trials) -> list[Message]:
        code, text = "bad-context", "cannot read it"
        return [Fail(part=request.part, attempt=request.attempt, code=code, text=text)]

    judge("bad-context")
    fake_analyser("lost", fail).join(service)
    final = await watch(service, await service.submit(REQUEST))
    assert (final.job.state, final.job.stopped_by) == (JobState.HALTED, "failed")
    assert "bad-context: boom (lost)" in final.job.error
