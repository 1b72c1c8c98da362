import random
from contextlib import closing
from pathlib import Path

import pytest

from master.config.paths import database_path
from master.contract.views import JobView
from master.service.job_records import stored_view
from master.store.errors import SALVAGE, StoreError
from master.store.salvage.pages import read_pages
from master.store.salvage.rows import Found, find_rows
from master.store.salvage.salvaging import free_name, put_in_place, salvage
from master.store.store import Store
from tests.master.store.salvage.databases import DAMAGES, JOBS, make_jobs, pages_of

SINGLE_DAMAGES = 60


def shown(state_dir: Path) -> dict[int, JobView | str]:
    """Return each job that is listed: how it stands, or why it cannot be shown."""
    views: dict[int, JobView | str] = {}
    with closing(Store(state_dir)) as store:
        for record in store.jobs():
            try:
                list(store.trial_runs(record.job))
                views[record.job] = stored_view(store, record.job)
            except StoreError as error:
                views[record.job] = str(error)
    return views


def jobs_on(pages: list[bytes], index: int, whole: Found) -> set[object]:
    """Return the jobs that lose a row with a page."""
    without = find_rows(read_pages(b"".join([*pages[:index], bytes(4096), *pages[index + 1 :]])))
    return {
        row["job"]
        for table, rows in whole.rows.items()
        for key, row in rows.items()
        if "job" in row and key not in without.rows[table]
    }


def salvaged(source: Path, state_dir: Path) -> dict[int, JobView | str]:
    state_dir.mkdir()
    try:
        salvage(database_path(source), database_path(state_dir))
    except StoreError:
        return {}
    return shown(state_dir)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.when_changed
def test_single_damages_cost_no_job_but_those_on_the_page(tmp_path: Path) -> None:
    """Every job is what it was, by the store or after a salvage; none is other than it was."""
    rng, good = random.Random(39), tmp_path / "good"
    make_jobs(good)
    pages, was = pages_of(good), shown(good)
    whole = find_rows(read_pages(b"".join(pages)))
    indices = [0, 0, 0, *(rng.randrange(len(pages)) for _ in range(SINGLE_DAMAGES - 3))]
    for number, index in enumerate(indices):
        name = rng.choice(sorted(DAMAGES))
        damaged = [*pages[:index], DAMAGES[name](pages[index], rng), *pages[index + 1 :]]
        state_dir = tmp_path / f"{number}"
        state_dir.mkdir()
        database_path(state_dir).write_bytes(b"".join(damaged))
        hurt = {0} if index == 0 else jobs_on(pages, index, whole)
        again = salvaged(state_dir, tmp_path / f"{number}-again")
        try:
            now, refusal = shown(state_dir), ""
        except StoreError as error:
            now, refusal = {}, str(error)
        assert not refusal or SALVAGE in refusal
        for job, view in was.items():
            case = f"page {index + 1} {name}: job {job}"
            assert job in hurt or view in (now.get(job), again.get(job)), case
            assert refusal or isinstance(now[job], str) or now[job] == view, case
            assert job not in again or isinstance(again[job], str) or again[job] == view, case


def test_lost_header_costs_nothing(tmp_path: Path) -> None:
    make_jobs(tmp_path / "good")
    was, pages = shown(tmp_path / "good"), pages_of(tmp_path / "good")
    (tmp_path / "bad").mkdir()
    database_path(tmp_path / "bad").write_bytes(b"".join([bytes(4096), *pages[1:]]))
    with pytest.raises(StoreError, match="manyply salvage"):
        Store(tmp_path / "bad")
    assert salvaged(tmp_path / "bad", tmp_path / "new") == was
    with closing(Store(tmp_path / "new")) as store:
        assert store.create_job(store.job(1).request) == JOBS + 1


def test_nothing_is_written_over(tmp_path: Path) -> None:
    make_jobs(tmp_path, 1)
    path = database_path(tmp_path)
    with pytest.raises(StoreError, match="File exists"):
        salvage(path, path)
    assert free_name(path, "salvaged").name == "jobs-salvaged-1.sqlite3"
    (tmp_path / "jobs-salvaged-1.sqlite3").write_text("")
    assert free_name(path, "salvaged").name == "jobs-salvaged-2.sqlite3"


def test_file_without_rows_makes_no_database(tmp_path: Path) -> None:
    (tmp_path / "noise").write_bytes(random.Random(1).randbytes(50_000))
    (tmp_path / "empty").write_bytes(b"")
    for name in ("noise", "empty"):
        with pytest.raises(StoreError, match="no row of a manyply database is found"):
            salvage(tmp_path / name, tmp_path / "new.sqlite3")
    assert not (tmp_path / "new.sqlite3").exists()


def test_file_put_aside_takes_its_log_with_it(tmp_path: Path) -> None:
    path, new = tmp_path / "jobs.sqlite3", tmp_path / "new.sqlite3"
    for file, text in ((path, "old"), (tmp_path / "jobs.sqlite3-wal", "log"), (new, "new")):
        file.write_text(text)
    aside = put_in_place(new, path)
    assert aside == tmp_path / "jobs-damaged-1.sqlite3"
    assert (path.read_text(), aside.read_text()) == ("new", "old")
    assert (tmp_path / "jobs-damaged-1.sqlite3-wal").read_text() == "log"
    assert not (tmp_path / "jobs.sqlite3-wal").exists()
