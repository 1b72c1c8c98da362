import sqlite3
from pathlib import Path

import pytest

from master.config.paths import job_lock_path
from master.store.errors import JobBusyError, UnknownJobError
from master.store.forgetting import reclaim_space
from master.store.records import NewJob
from master.store.runs import insert_run, write_snapshot
from master.store.store import Store
from master.store.trials import TrialRun

REQUEST = NewJob("noop/1", "d1", "noop", "e1", ("only",), ("value",), 5, None, "label")


def filled(store: Store, runs: int = 3) -> int:
    job = store.create_job(REQUEST)
    for number in range(runs):
        insert_run(store._database, job, TrialRun(4_000 * number, [(0.5,)] * 4_000))
    write_snapshot(store._database, job, 3, "text")
    return job


def counts(store: Store, job: int) -> list[int]:
    return [
        store._select(f"SELECT count(*) FROM {table} WHERE job = ?", job)[0][0]
        for table in ("job", "trial_run", "fold_snapshot")
    ]


def test_forgotten_job_leaves_nothing_and_no_other_goes(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one, other = filled(store), filled(store)
    store.claim(one).release()
    store.forget(one)
    assert (counts(store, one), counts(store, other)) == ([0, 0, 0], [1, 3, 1])
    assert not job_lock_path(tmp_path, one).exists()
    with pytest.raises(UnknownJobError):
        store.forget(one)
    store.close()


def test_job_that_runs_is_not_forgotten(tmp_path: Path) -> None:
    store = Store(tmp_path)
    job = filled(store)
    with store.claim(job), pytest.raises(JobBusyError):
        store.forget(job)
    assert counts(store, job) == [1, 3, 1]
    store.close()


def test_file_shrinks_when_much_of_it_is_free(tmp_path: Path) -> None:
    store = Store(tmp_path)
    big, small = filled(store, 100), filled(store, 2)
    store._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = store.path.stat().st_size
    store.forget(big)
    assert store.path.stat().st_size < before / 10
    assert counts(store, small) == [1, 2, 1]
    assert [run.first_seq for run in store.trial_runs(small)] == [0, 4_000]
    store.close()


def test_few_free_pages_are_left_to_be_used_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    small, big = filled(store, 2), filled(store, 40)
    store.forget(small)
    (free,) = store._database.execute("PRAGMA freelist_count").fetchone()
    assert free > 0
    assert counts(store, big) == [1, 40, 1]
    store.close()


def test_space_is_given_back_another_time_while_somebody_writes(tmp_path: Path) -> None:
    store = Store(tmp_path)
    filled(store, 100)
    store._database.execute("DELETE FROM trial_run")
    store._database.execute("PRAGMA busy_timeout = 0")
    writing = sqlite3.connect(store.path, isolation_level=None)
    writing.execute("BEGIN IMMEDIATE")
    reclaim_space(store._database)
    writing.execute("ROLLBACK")
    writing.close()
    store.close()
