import sqlite3
from contextlib import closing
from pathlib import Path

from master.config.paths import database_path
from master.store.salvage.pages import read_pages
from master.store.salvage.rows import KEYS, find_rows, known_tables
from master.store.schema import TABLES, open_database
from tests.master.store.salvage.databases import JOBS, make_jobs, pages_of


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
