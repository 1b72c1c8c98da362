import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from master.config.paths import database_path
from master.store import (
    JobBusyError,
    JobEnd,
    JobState,
    NewJob,
    RunsIn,
    Store,
    StoreError,
    UnknownJobError,
)
from master.store.trials import to_blob

REQUEST = NewJob("noop/1", "d1", "noop", "e1", ("only",), ("value",), 5, None, "label")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path)
    yield store
    store.close()


def insert_run(state_dir: Path, job: int, first_seq: int, values: list[float]) -> None:
    database = sqlite3.connect(database_path(state_dir))
    row = (job, first_seq, len(values), to_blob([(value,) for value in values]))
    database.execute("INSERT INTO trial_run VALUES (?, ?, ?, ?)", row)
    database.commit()
    database.close()


def flat(store: Store, job: int, from_seq: int = 0) -> list[tuple[int, float]]:
    return [
        (run.first_seq + i, trial[0])
        for run in store.trial_runs(job, from_seq)
        for i, trial in enumerate(run.values)
    ]


def test_job_reads_back_as_submitted(store: Store) -> None:
    job = store.create_job(REQUEST)
    record = store.job(job)
    assert (record.job, record.request) == (job, REQUEST)
    assert (record.state, record.end) == (JobState.HALTED, JobEnd())
    assert record.created.endswith("+00:00")
    assert store.jobs() == [record]


def test_unknown_job_is_named(store: Store) -> None:
    with pytest.raises(UnknownJobError, match="there is no job 9"):
        store.job(9)


def test_job_numbers_are_never_reused(tmp_path: Path) -> None:
    first = Store(tmp_path)
    numbers = [first.create_job(REQUEST) for _ in range(2)]
    first.close()
    second = Store(tmp_path)
    assert second.create_job(REQUEST) == numbers[-1] + 1
    second.close()


def test_state_and_goal_are_kept(store: Store) -> None:
    job = store.create_job(REQUEST)
    store.set_ended(job, JobState.DONE, JobEnd("trials", "why", 5))
    store.set_goal(job, None, 0.01)
    record = store.job(job)
    assert (record.state, record.end) == (JobState.DONE, JobEnd("trials", "why", 5))
    assert (record.request.trials, record.request.stop_se) == (None, 0.01)


def test_running_job_without_its_process_was_interrupted(store: Store) -> None:
    job = store.create_job(REQUEST)
    with store.claim(job):
        store.set_running(job, RunsIn.DAEMON)
        assert store.job(job).state is JobState.RUNNING
        assert store.job(job).runs_in is RunsIn.DAEMON
    record = store.job(job)
    assert (record.state, record.end.stopped_by) == (JobState.HALTED, "interrupted")


def test_job_is_claimed_once(store: Store) -> None:
    job = store.create_job(REQUEST)
    with store.claim(job), pytest.raises(JobBusyError):
        store.claim(job)


def test_no_snapshot_is_none(store: Store) -> None:
    assert store.snapshot(store.create_job(REQUEST)) is None


def test_trials_read_back_in_order_each_once(store: Store, tmp_path: Path) -> None:
    job = store.create_job(REQUEST)
    insert_run(tmp_path, job, 4, [4.0, 5.0])
    insert_run(tmp_path, job, 0, [0.0, 1.0])
    insert_run(tmp_path, job, 1, [1.5, 2.0])
    assert flat(store, job) == [(0, 0.0), (1, 1.0), (2, 2.0), (4, 4.0), (5, 5.0)]
    assert flat(store, job, 5) == [(5, 5.0)]


@pytest.mark.parametrize("cut", [0, 1, 2, 511, 512, 513, 699, 700])
def test_many_runs_are_read_from_any_trial(store: Store, cut: int) -> None:
    job = store.create_job(REQUEST)
    rows = [(job, seq, 2, to_blob([(float(seq),), (seq + 1.0,)])) for seq in range(0, 700, 2)]
    store._database.execute("BEGIN")
    store._database.executemany("INSERT INTO trial_run VALUES (?, ?, ?, ?)", rows[::-1])
    store._database.execute("COMMIT")
    assert flat(store, job, cut) == [(seq, float(seq)) for seq in range(cut, 700)]


def test_damaged_run_is_an_error_and_never_a_result(store: Store, tmp_path: Path) -> None:
    job = store.create_job(REQUEST)
    database = sqlite3.connect(database_path(tmp_path))
    database.execute("INSERT INTO trial_run VALUES (?, 0, 2, ?)", (job, b"123"))
    database.commit()
    database.close()
    with pytest.raises(StoreError, match="3 bytes are not 2 trials"):
        flat(store, job)


def test_full_disk_is_one_line(store: Store) -> None:
    store._database.execute("PRAGMA max_page_count = 1")
    with pytest.raises(StoreError, match="the disk is full"):
        store.create_job(replace(REQUEST, label="long" * 100_000))
