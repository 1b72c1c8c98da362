import asyncio
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from master.config.paths import database_path
from master.contract.views import JobView
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
def test_lost_file_is_told_from_one_that_grew(tmp_path: Path, lose: Callable[[Path], None]) -> None:
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
