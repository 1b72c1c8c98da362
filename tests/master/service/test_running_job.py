"""What jobs of every sort have in common: an end that all hear of."""

import asyncio
from pathlib import Path

from master.contract.job_words import JobState
from master.contract.views import JobView
from master.service.job_records import to_view
from master.service.running_job import RunningJob
from master.store.lock import JobLock
from master.store.records import JobEnd, JobRecord, NewJob, RunsIn

RECORD = JobRecord(
    3, NewJob("noop/1", "d", "noop", "e", (), (), None, None), JobState.RUNNING, JobEnd(),
    RunsIn.COMMAND, "2026-01-01T00:00:00+00:00",
)  # fmt: skip


class Idle(RunningJob):
    """A job that does nothing."""

    def halt(self) -> None:
        self.is_ending = True

    def view(self, is_summed: bool = True) -> JobView:
        return to_view(self.record, None)


async def test_end_is_told_to_all_who_wait_and_gives_the_job_back(tmp_path: Path) -> None:
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
