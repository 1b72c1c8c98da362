import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from master.config.paths import database_path
from master.service.job_records import StoredJobs
from master.service.service import MasterService
from master.store.store import Store
from tests.master.service.watching import REQUEST, watch


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Have no file written that SQLite is asked for: root may write whatever the modes say."""
    opened: set[str] = set()
    connect = sqlite3.connect

    def refuse(path: Any, **options: Any) -> sqlite3.Connection:
        name = str(path)
        opened.add(name.partition("?")[2] or "copy")
        if name.endswith("mode=ro"):
            raise sqlite3.OperationalError("unable to open database file")  # its log's index
        found: sqlite3.Connection = connect(path, **options)
        return found

    monkeypatch.setattr("master.store.answer_store.os.access", lambda path, mode: False)
    monkeypatch.setattr("master.store.answer_store.sqlite3.connect", refuse)
    return opened


async def made(state_dir: Path, fake: Any) -> Any:
    async with MasterService(state_dir) as service:
        fake().join(service)
        await watch(service, await service.submit(REQUEST))
        return await service.show(1), await service.jobs()


async def test_jobs_are_shown_where_nothing_may_be_written(
    tmp_path: Path, fake_analyser: Any, read_only: set[str]
) -> None:
    state_dir = tmp_path / "state"
    was = await made(state_dir, fake_analyser)
    read_only.clear()
    before = sorted(path.name for path in state_dir.iterdir())
    async with StoredJobs(state_dir) as stored:
        assert (await stored.show(1), await stored.jobs()) == was
    assert read_only == {"mode=ro", "immutable=1"}
    assert sorted(path.name for path in state_dir.iterdir()) == before


async def test_what_only_the_log_has_is_shown_too(
    tmp_path: Path, fake_analyser: Any, read_only: set[str]
) -> None:
    was = await made(tmp_path / "state", fake_analyser)
    killed = tmp_path / "killed"
    killed.mkdir()
    with closing(Store(tmp_path / "state")) as store:
        store.create_job(store.job(1).request)
        for end in ("", "-wal"):  # as a master leaves them that is killed
            path = database_path(tmp_path / "state")
            shutil.copy(path.with_name(path.name + end), killed)
    read_only.clear()
    async with StoredJobs(killed) as stored:
        assert [view.job for view in await stored.jobs()] == [1, 2]
        assert await stored.show(1) == was[0]
    assert read_only == {"mode=ro", "copy"}
    assert sorted(path.name for path in killed.iterdir()) == ["jobs.sqlite3", "jobs.sqlite3-wal"]


async def test_running_job_of_a_live_master_is_shown_as_running(tmp_path: Path) -> None:
    async with MasterService(tmp_path) as service, StoredJobs(tmp_path) as stored:
        job = await service.submit(REQUEST)
        assert (await stored.jobs())[0].state.value == "running"
        assert (await stored.show(job)).state.value == "running"
