import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from master.contract.commands import JobEnded, StoppedBy, Unsuited
from master.contract.events import JobHalted, JobSpec, JobSubmitted
from master.contract.views import Notice
from master.scheduler import SchedulerOptions
from master.service.analysers.sessions import SessionTable
from master.service.core import Core
from master.store.errors import StoreError
from master.store.records import NewJob
from master.store.store import Store

SPEC = JobSpec(1, "noop/1", "noop", "e", 1, 1, trials=2)
KNOWN = [(0, (0.5,)), (1, (0.25,))]


class Bench:
    def __init__(self, directory: Path) -> None:
        self.store = Store(directory)
        self.store.create_job(NewJob("noop/1", "d", "noop", "e", ("a",), ("v",), 2, None))
        self.ended: list[JobEnded] = []
        self.failed: list[StoreError] = []
        self.noticed: list[Notice] = []
        self.core = Core(
            self.store.path,
            SessionTable("bench"),
            SchedulerOptions(),
            self.ended.append,
            self.failed.append,
            self.noticed.append,
        )


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    await bench.core.close()
    bench.store.close()


async def test_job_that_has_all_its_trials_ends_at_once(bench: Bench) -> None:
    bench.core.feed(JobSubmitted(SPEC, KNOWN))
    assert bench.ended == [JobEnded(1, StoppedBy.TRIALS, "")]


async def test_events_of_one_feed_are_worked_off_in_order(bench: Bench) -> None:
    bench.core.feed(JobSubmitted(SPEC), JobHalted(1))
    assert bench.ended == [JobEnded(1, StoppedBy.HALTED, "")]


async def test_snapshot_is_durable_when_the_wait_for_it_ends(bench: Bench) -> None:
    assert await bench.core.store_snapshot(1, 2, "text")
    assert bench.store.snapshot(1) == (2, "text")
    assert bench.core.stored_ticket() == bench.core._writer.last_ticket == 1


async def test_failing_store_halts_every_job_and_ends_every_wait(bench: Bench) -> None:
    bench.core.feed(JobSubmitted(SPEC))
    bench.core._writer.database.execute("PRAGMA max_page_count = 1")
    assert not await bench.core.store_snapshot(1, 2, "text" * 20_000)
    assert [str(error).endswith("the disk is full") for error in bench.failed] == [True]
    assert bench.ended == [JobEnded(1, StoppedBy.HALTED, "")]


async def test_what_the_scheduler_says_is_shown(bench: Bench) -> None:
    bench.core._actions[Unsuited](Unsuited(1, 1, "another engine"))
    assert [notice.text for notice in bench.noticed] == ["another engine"]
    await asyncio.sleep(0)
