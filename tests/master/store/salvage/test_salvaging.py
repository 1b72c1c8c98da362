import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from master.config.paths import database_path
from master.contract.views import JobView
from master.service.job_records import stored_view
from master.store.errors import SALVAGE, StoreError
from master.store.records import StoredSearch
from master.store.salvage.pages import PageFile, Row, free_pages, reachable, read_pages, rows_of
from master.store.salvage.salvaging import (
    KEYS,
    Found,
    find_rows,
    free_name,
    known_tables,
    put_in_place,
    salvage,
)
from master.store.schema import TABLES, open_database
from master.store.store import Store
from master.store.unconfirmed import AttemptKey, Withdrawal
from master.store.writer import GroupWriter
from tests.master.store.salvage.databases import DAMAGES, JOBS, make_jobs, pages_of, refuse

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


def test_every_table_is_known_with_its_columns() -> None:
    assert set(KEYS) == TABLES
    assert known_tables()["job"].rowid == "job"
    assert known_tables()["search"].reals == {"seconds"}
    assert known_tables()["trial_run"].rowid == ""


def test_all_rows_of_a_whole_file_are_found(tmp_path: Path) -> None:
    make_jobs(tmp_path)
    found = find_rows(read_pages(database_path(tmp_path).read_bytes()))
    with closing(open_database(database_path(tmp_path))) as database:
        for table in KEYS:
            (count,) = database.execute(f"SELECT count(*) FROM {table}").fetchone()
            assert len(found.rows[table]) == count, table
    assert found.jobs == list(range(1, JOBS + 1))
    assert (found.last_job, found.damaged_rows, found.damaged_pages) == (JOBS, 0, 0)


def test_searches_withdrawals_and_marks_are_got_out(tmp_path: Path) -> None:
    make_jobs(tmp_path, jobs=2)
    search, caught = StoredSearch(nodes=7, bounds=b"proved"), Withdrawal(1, "barn", 3, "why")
    writer = GroupWriter(database_path(tmp_path), lambda ticket: None, refuse)
    writer.add_search(2, search)
    writer.add_caught(caught)
    writer.add_runs([], {AttemptKey(1, 4, 0): (0, 5), AttemptKey(2, 1, 2): (30, 36)})
    writer.close()
    (tmp_path / "new").mkdir()
    salvage(database_path(tmp_path), database_path(tmp_path / "new"))
    with closing(Store(tmp_path / "new")) as store:
        assert store.search(2) == search
        assert store.job(1).withdrawals == (caught,)
    with closing(open_database(database_path(tmp_path / "new"))) as database:
        marks = "SELECT job, part, attempt, first_seq, end_seq FROM unconfirmed ORDER BY job"
        assert database.execute(marks).fetchall() == [(1, 4, 0, 0, 5), (2, 1, 2, 30, 36)]


def test_changed_row_is_reported_and_not_kept(tmp_path: Path) -> None:
    make_jobs(tmp_path)
    with closing(sqlite3.connect(database_path(tmp_path))) as database:
        database.execute(
            "UPDATE trial_run SET trial_values = zeroblob(length(trial_values)) "
            "WHERE job = 2 AND first_seq = 0"
        )
        database.execute("UPDATE job SET label = 'other' WHERE job = 3")
        (count,) = database.execute(
            "SELECT trial_count FROM trial_run WHERE job = 2 AND first_seq = 0"
        ).fetchone()
        database.commit()
    found = find_rows(read_pages(b"".join(pages_of(tmp_path))))
    assert (2, 0) not in found.rows["trial_run"]
    assert found.damaged_trials == {2: {(0, count)}}
    assert (found.damaged_jobs, 3 in found.jobs) == ({3}, False)


def test_deleted_jobs_do_not_come_back(tmp_path: Path) -> None:
    """Whatever is lost of the header: free pages are known by their list's form."""
    make_jobs(tmp_path)
    with closing(sqlite3.connect(database_path(tmp_path))) as database:
        database.execute("PRAGMA secure_delete = OFF")
        for table in ("trial_run", "fold_snapshot", "job"):
            database.execute(f"DELETE FROM {table} WHERE job >= 3")
        database.commit()
    content = database_path(tmp_path).read_bytes()
    found = find_rows(read_pages(b"\0" * 4096 + content[4096:]))
    assert found.jobs == [1, 2]
    assert {job for job, _ in found.rows["trial_run"]} == {1, 2}


COLUMN = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20),
    st.binary(max_size=20),
    st.integers(1, 20_000).map(bytes),
)


def all_rows(pages: PageFile, number_of_pages: int | None = None) -> list[Row]:
    numbers = range(2, (number_of_pages or pages.page_count) + 1)
    return sorted(row for number in numbers for row in rows_of(pages, number))


def filled(path: Path, rows: list[tuple[int, Any]], page_bytes: int = 4096) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None)
    database.execute(f"PRAGMA page_size = {page_bytes}")
    database.execute("CREATE TABLE a (b)")
    database.execute("BEGIN")
    database.executemany("INSERT INTO a (rowid, b) VALUES (?, ?)", rows)
    database.execute("COMMIT")
    return database


@given(
    rows=st.dictionaries(st.integers(-(2**63), 2**63 - 1), COLUMN, max_size=30),
    page_bytes=st.sampled_from([512, 4096, 65536]),
)
@settings(max_examples=60, deadline=None)
def test_rows_are_those_that_sqlite_stored(
    tmp_path_factory: pytest.TempPathFactory, rows: dict[int, Any], page_bytes: int
) -> None:
    path = tmp_path_factory.mktemp("pages") / "a.sqlite3"
    filled(path, list(rows.items()), page_bytes).close()
    pages = PageFile(path.read_bytes(), {}, page_bytes)
    found = {row.rowid: row.columns for row in all_rows(pages)}
    with closing(sqlite3.connect(path)) as database:
        stored = database.execute("SELECT rowid, b FROM a").fetchall()
    assert found == {rowid: (value,) for rowid, value in stored}


@pytest.mark.parametrize("page_bytes", [512, 1024, 4096, 16384])
def test_page_size_is_found_without_a_header(tmp_path: Path, page_bytes: int) -> None:
    path = tmp_path / "a.sqlite3"
    rows = [(number, bytes([number % 256]) * 60) for number in range(2000)]
    filled(path, rows, page_bytes).close()
    content = path.read_bytes()
    pages = read_pages(b"\xff" * 100 + content[100:])
    assert pages.page_bytes == page_bytes
    assert len(all_rows(pages)) == len(rows)


def with_log(tmp_path: Path) -> tuple[bytes, bytes]:
    """Return a database of which most is in its log, and the log."""
    database = filled(tmp_path / "a.sqlite3", [(1, "old")])
    database.execute("PRAGMA journal_mode = WAL")
    for number in range(2, 50):
        database.execute("INSERT INTO a (rowid, b) VALUES (?, ?)", (number, "x" * 300))
    for end in ("", "-wal"):
        shutil.copy(tmp_path / f"a.sqlite3{end}", tmp_path / f"copy{end}")
    database.close()
    return (tmp_path / "copy").read_bytes(), (tmp_path / "copy-wal").read_bytes()


def test_committed_pages_of_the_log_are_read(tmp_path: Path) -> None:
    content, log = with_log(tmp_path)
    assert [row.rowid for row in all_rows(read_pages(content, log))] == list(range(1, 50))


def test_log_counts_up_to_the_last_whole_commit(tmp_path: Path) -> None:
    content, log = with_log(tmp_path)
    torn = read_pages(content, log[: len(log) * 2 // 3])
    count = len(all_rows(torn))
    assert 1 < count < 49
    (tmp_path / "torn").write_bytes(content)
    (tmp_path / "torn-wal").write_bytes(log[: len(log) * 2 // 3])
    with closing(sqlite3.connect(tmp_path / "torn")) as database:
        assert database.execute("SELECT count(*) FROM a").fetchone() == (count,)


def test_log_of_another_file_is_passed_over(tmp_path: Path) -> None:
    content, log = with_log(tmp_path)
    assert len(all_rows(read_pages(content, b"\0" * len(log)))) == 1
    assert len(all_rows(read_pages(content, log[:32] + b"\0" * 5000))) == 1


def test_free_pages_are_known_without_the_header(tmp_path: Path) -> None:
    rows = [(number, "x" * 1000) for number in range(200)]
    database = filled(tmp_path / "a.sqlite3", rows)
    database.execute("PRAGMA secure_delete = OFF")
    database.execute("DELETE FROM a WHERE rowid > 10")
    (free,) = database.execute("PRAGMA freelist_count").fetchone()
    (root,) = database.execute("SELECT rootpage FROM sqlite_master").fetchone()
    database.close()
    content = (tmp_path / "a.sqlite3").read_bytes()
    pages = read_pages(b"\xff" * 100 + content[100:])
    found = free_pages(pages)
    assert len(found) == free > 0
    assert not found & reachable(pages, [root])


@given(content=st.binary(max_size=3000), start=st.sampled_from([2, 5, 10, 13]))
@settings(max_examples=100, deadline=None)
def test_any_bytes_are_read_without_an_error(content: bytes, start: int) -> None:
    pages = PageFile(bytes([start]) + content * 3, {}, 512)
    for number in range(1, pages.page_count + 1):
        list(rows_of(pages, number))
    reachable(pages, [1, 2])
    free_pages(pages)
    read_pages(content, content)
