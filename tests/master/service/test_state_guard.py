import asyncio
import logging
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from master.config.paths import database_path
from master.contract.errors import MasterError
from master.contract.events import Tick
from master.contract.views import JobView
from master.daemon import Recording
from master.scheduler.event_log import replay
from master.service.background_tasks import BackgroundTasks
from master.service.service import MasterService
from master.service.state_guard import change_of
from master.store.errors import StateLostError
from master.store.store import Store
from tests.master.service.watching import REQUEST, watch


def delete(path: Path) -> None:
    path.unlink()


def move(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


def replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(b"other")
    other.rename(path)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def delete_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


LOSSES: dict[Callable[[Path], None], str] = {
    delete: "was deleted or moved",
    move: "was deleted or moved",
    delete_folder: "was deleted or moved",
    replace: "was replaced by another file",
    empty: "was emptied",
}


@pytest.mark.parametrize("lose", LOSSES)
def test_lost_file_is_distinguished_from_one_that_grew(
    tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    path = tmp_path / "state" / "file"
    path.parent.mkdir()
    path.write_text("x")
    was = (path.stat().st_dev, path.stat().st_ino)
    assert change_of(path, was) == ""
    path.write_text("grown")
    assert change_of(path, was) == ""
    lose(path)
    assert change_of(path, was) == LOSSES[lose]


async def master_that_loses(
    state_dir: Path, fake: Any, lose: Callable[[Path], None], views: list[JobView]
) -> None:
    """Run a job, lose the database, and wait until the master says that it is time to leave."""
    lost = asyncio.Event()
    async with MasterService(state_dir, on_state_lost=lost.set) as service:
        fake().join(service)
        views.append((await watch(service, await service.submit(REQUEST))).job)
        lose(database_path(state_dir))
        await lost.wait()


@pytest.mark.parametrize("lose", LOSSES)
@pytest.mark.slow
async def test_lost_database_halts_all_and_what_it_held_is_kept(
    tmp_path: Path, fake_analyser: Any, lose: Callable[[Path], None]
) -> None:
    state_dir, views = tmp_path / "state", list[JobView]()
    with pytest.raises(StateLostError, match=LOSSES[lose]) as caught:
        await master_that_loses(state_dir, fake_analyser, lose, views)
    kept = database_path(state_dir).with_name("jobs-kept-1.sqlite3")
    assert str(kept) in str(caught.value)
    with closing(Store(tmp_path / "locks", kept)) as store:
        assert store.job(1).end.stopped_by == "trials"
        assert sum(len(run.values) for run in store.trial_runs(1)) == views[0].folded


def lose_log(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


def lose_index(path: Path) -> None:
    path.with_name(f"{path.name}-shm").rename(path.with_name("elsewhere"))


@pytest.mark.parametrize("lose", [lose_log, lose_index])
@pytest.mark.slow
async def test_lost_log_of_the_database_is_noticed_as_well(
    tmp_path: Path, fake_analyser: Any, lose: Callable[[Path], None]
) -> None:
    state_dir, views = tmp_path / "state", list[JobView]()
    with pytest.raises(StateLostError, match=r"sqlite3-(wal|shm) was deleted or moved"):
        await master_that_loses(state_dir, fake_analyser, lose, views)
    with closing(Store(tmp_path / "locks", state_dir / "jobs-kept-1.sqlite3")) as store:
        assert sum(len(run.values) for run in store.trial_runs(1)) == views[0].folded


@pytest.mark.slow
async def test_database_put_in_the_place_of_the_lost_one_is_left_as_it_is(
    tmp_path: Path, fake_analyser: Any
) -> None:
    backup, state_dir = tmp_path / "backup", tmp_path / "state"
    async with MasterService(backup) as service:
        fake_analyser().join(service)
        for _ in range(3):
            await watch(service, await service.submit(REQUEST))
    content = database_path(backup).read_bytes()

    def put_back(path: Path) -> None:
        shutil.copy(database_path(backup), path.with_name("new"))
        path.with_name("new").rename(path)

    with pytest.raises(StateLostError, match="was replaced by another file"):
        await master_that_loses(state_dir, fake_analyser, put_back, [])
    path = database_path(state_dir)
    assert path.read_bytes() == content
    assert not [*state_dir.glob("jobs.sqlite3-*")]
    with closing(Store(tmp_path / "locks", path)) as store:
        assert [record.end.stopped_by for record in store.jobs()] == ["trials"] * 3


async def master_that_loses_at_its_end(state_dir: Path, fake: Any) -> None:
    async with MasterService(state_dir) as service:
        fake().join(service)
        await watch(service, await service.submit(REQUEST))
        database_path(state_dir).unlink()


async def test_loss_in_the_last_moment_is_noticed(tmp_path: Path, fake_analyser: Any) -> None:
    with pytest.raises(StateLostError, match="was deleted"):
        await master_that_loses_at_its_end(tmp_path, fake_analyser)
    assert (tmp_path / "jobs-kept-1.sqlite3").exists()
    assert not (tmp_path / "jobs.sqlite3-wal").exists()


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


async def test_task_that_dies_is_reported_in_words_and_logged_with_its_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    error = KeyError("part")
    assert await run_through(Work(error)) == ["internal error: KeyError: 'part'"]
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("manyply.master", logging.ERROR)
    assert record.exc_info is not None
    assert record.exc_info[1] is error


@pytest.mark.parametrize("count", [0, 1, 5])
async def test_each_death_is_reported_once_and_the_others_go_on(count: int) -> None:
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


async def test_task_that_dies_of_being_cancelled_is_reported_and_stops_no_other() -> None:
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


def test_turns_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "log"
    warned: list[str] = []
    with Recording(path, warned.append) as log:
        for now in range(5):
            log.turn(float(now), [Tick(), Tick()], [])
    with path.open() as lines:
        found = replay(lines)
    assert (found.events, found.commands, found.is_cut, warned) == (10, 0, False, [])
    assert path.stat().st_mode & 0o777 == 0o600


def test_log_ends_at_its_bound_and_says_so_once(tmp_path: Path) -> None:
    path = tmp_path / "log"
    warned: list[str] = []
    with Recording(path, warned.append, bytes_max=400) as log:
        for now in range(100):
            log.turn(float(now), [Tick()], [])
    assert path.stat().st_size <= 400 + len('"cut"\n')
    assert warned == [f"{path} is full: nothing more is recorded"]
    with path.open() as lines:
        found = replay(lines)
    assert found.is_cut
    assert 0 < found.events < 100


def test_full_disk_ends_the_log_with_one_warning(tmp_path: Path) -> None:
    warned: list[str] = []
    with Recording(tmp_path / "log", warned.append) as log:
        log._file.close()
        log._file = open("/dev/full", "w", encoding="ascii")  # noqa: SIM115  # `log` closes it
        for now in range(2_000):
            log.turn(float(now), [Tick()], [])
    assert [text.split(": ", 1)[1] for text in warned] == [
        "the disk is full: nothing more is recorded"
    ]


@pytest.mark.parametrize("name", ["there", "nowhere/log"])
def test_what_is_there_already_is_kept_and_what_cannot_be_made_is_one_line(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "there").write_text("mine")
    with pytest.raises(MasterError, match=f"cannot record to {tmp_path / name}: "):
        Recording(tmp_path / name, print)
    assert (tmp_path / "there").read_text() == "mine"
