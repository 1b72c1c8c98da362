"""No task of a master dies unnoticed, and none is left behind."""

import asyncio
import logging

import pytest

from master.service.background_tasks import BackgroundTasks


class Work:
    """A task that can be seen to begin, and is ended from outside."""

    def __init__(self, error: Exception | None = None) -> None:
        self.may_end = asyncio.Event()
        self.has_begun = asyncio.Event()
        self.was_cancelled = False
        self.error = error

    async def run(self) -> None:
        self.has_begun.set()
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            if self.error is not None:
                raise self.error from None
            raise
        if self.error is not None:
            raise self.error


async def run_through(*works: Work) -> list[str]:
    """Run tasks to their ends; return what was told of those that died."""
    died: list[str] = []
    tasks = BackgroundTasks(died.append)
    for work in works:
        tasks.spawn(work.run())
    for work in works:
        await work.has_begun.wait()
        work.may_end.set()
    while tasks._tasks:
        await asyncio.gather(*tasks._tasks, return_exceptions=True)
    return died


async def test_task_that_ends_is_nobodys_business(caplog: pytest.LogCaptureFixture) -> None:
    assert await run_through(Work()) == []
    assert caplog.records == []


async def test_task_that_dies_is_told_in_words_and_logged_with_its_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    error = KeyError("part")
    assert await run_through(Work(error)) == ["internal error: KeyError: 'part'"]
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("manyply.master", logging.ERROR)
    assert record.exc_info is not None
    assert record.exc_info[1] is error


@pytest.mark.parametrize("count", [0, 1, 5])
async def test_each_death_is_told_once_and_the_others_go_on(count: int) -> None:
    works = [Work(ValueError(str(number))) for number in range(count)]
    died = await run_through(Work(), *works, Work())
    assert sorted(died) == [f"internal error: ValueError: {number}" for number in range(count)]


async def test_all_tasks_have_ended_when_cancelling_has() -> None:
    died: list[str] = []
    tasks, works = BackgroundTasks(died.append), [Work() for _ in range(3)]
    for work in works:
        tasks.spawn(work.run())
    for work in works:
        await work.has_begun.wait()
    await tasks.cancel()
    assert all(work.was_cancelled for work in works)
    assert died == []
    await tasks.cancel()  # there is none any more


async def test_task_that_dies_of_being_cancelled_is_told_and_stops_no_other() -> None:
    died: list[str] = []
    tasks, works = BackgroundTasks(died.append), [Work(OSError("full")), Work()]
    for work in works:
        tasks.spawn(work.run())
    for work in works:
        await work.has_begun.wait()
    await tasks.cancel()
    assert works[1].was_cancelled
    assert died == ["internal error: OSError: full"]


async def test_task_may_start_another() -> None:
    died: list[str] = []
    tasks, inner = BackgroundTasks(died.append), Work(ValueError("inner"))

    async def outer() -> None:
        tasks.spawn(inner.run())

    tasks.spawn(outer())
    await inner.has_begun.wait()
    inner.may_end.set()
    while tasks._tasks:
        await asyncio.gather(*tasks._tasks, return_exceptions=True)
    assert died == ["internal error: ValueError: inner"]
