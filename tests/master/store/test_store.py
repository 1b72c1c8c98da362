import re
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from master.config.paths import database_path
from master.contract.goals import Goal
from master.contract.job_words import JOB_MAX, JobState, Priority
from master.store import runs
from master.store.errors import DamagedError, JobBusyError, StoreError, UnknownJobError
from master.store.records import JobEnd, NewJob, RunsIn
from master.store.runs import TrialRun, to_blob
from master.store.store import Store

REQUEST = NewJob("noop/1", "d1", "noop", "e1", ("only",), ("value",), Goal(5), "label")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path)
    yield store
    store.close()


def insert_run(state_dir: Path, job: int, first_seq: int, values: list[float]) -> None:
    database = sqlite3.connect(database_path(state_dir))
    runs.insert_run(database, job, TrialRun(first_seq, [(value,) for value in values]))
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
    store.set_goal(job, Goal(None, 0.01, 2.0))
    record = store.job(job)
    assert (record.state, record.end) == (JobState.DONE, JobEnd("trials", "why", 5))
    assert record.request.goal == Goal(None, 0.01, 2.0)


def test_priority_is_kept(store: Store) -> None:
    job = store.create_job(REQUEST)
    assert store.job(job).priority is Priority.NORMAL
    store.set_priority(job, Priority.BACKGROUND)
    assert [record.priority for record in store.jobs()] == [Priority.BACKGROUND]


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
    store._database.execute("BEGIN")
    for seq in reversed(range(0, 700, 2)):
        run = TrialRun(seq, [(float(seq),), (seq + 1.0,)])
        runs.insert_run(store._database, job, run)
    store._database.execute("COMMIT")
    assert flat(store, job, cut) == [(seq, float(seq)) for seq in range(cut, 700)]


def set_column(store: Store, table: str, column: str, value: object, where: str = "1") -> None:
    store._database.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value,))


@pytest.mark.parametrize(
    ("column", "value"),
    [("trial_values", to_blob([(2.0,), (3.5,)])), ("trial_values", None), ("trial_values", b"123"),
     ("trial_count", 1), ("trial_count", "two"), ("checksum", b"12345678")],
)  # fmt: skip
def test_damaged_run_is_an_error_and_never_a_result(
    store: Store, tmp_path: Path, column: str, value: object
) -> None:
    job = store.create_job(REQUEST)
    for first in (0, 2, 4):
        insert_run(tmp_path, job, first, [first + 0.0, first + 1.0])
    store._database.execute("PRAGMA writable_schema = 1")
    store._database.execute("UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '')")
    store._database.execute("PRAGMA writable_schema = RESET")
    set_column(store, "trial_run", column, value, "first_seq = 2")
    with pytest.raises(StoreError, match=f"trials of job {job} are damaged from 2 on; `manyply"):
        flat(store, job)
    damaged: list[runs.DamagedRun] = []
    kept = [run.first_seq for run in store.trial_runs(job, on_damaged=damaged.append)]
    assert (kept, [run.first_seq for run in damaged]) == ([0, 4], [2])
    store.drop_damaged(job, damaged)
    insert_run(tmp_path, job, 2, [2.0, 3.0])
    assert flat(store, job) == [(seq, float(seq)) for seq in range(6)]


def test_run_found_in_another_place_is_damaged(store: Store, tmp_path: Path) -> None:
    job = store.create_job(REQUEST)
    insert_run(tmp_path, job, 0, [0.0])
    set_column(store, "trial_run", "first_seq", 1)
    with pytest.raises(DamagedError):
        flat(store, job)


def test_damaged_snapshot_is_none(store: Store) -> None:
    job = store.create_job(REQUEST)
    runs.write_snapshot(store._database, job, 3, "text")
    assert store.snapshot(job) == (3, "text")
    set_column(store, "fold_snapshot", "folded", 4)
    assert store.snapshot(job) is None


def test_damaged_job_is_named_and_the_others_are_listed(store: Store) -> None:
    first, second = store.create_job(REQUEST), store.create_job(REQUEST)
    set_column(store, "job", "context", b"\xff\xfe", f"job = {first}")
    with pytest.raises(DamagedError, match=f"the record of job {first} is damaged; `manyply"):
        store.job(first)
    assert [record.state for record in store.jobs()] == [JobState.DAMAGED, JobState.HALTED]
    assert store.job(second).request == REQUEST


def test_job_whose_status_is_damaged_was_interrupted(store: Store) -> None:
    job = store.create_job(REQUEST)
    store.set_ended(job, JobState.DONE, JobEnd("trials", "", 5))
    set_column(store, "job", "folded", 4)
    record = store.job(job)
    assert (record.state, record.end.stopped_by) == (JobState.HALTED, "interrupted")
    store.set_running(job, RunsIn.COMMAND)
    store.set_ended(job, JobState.DONE, JobEnd("trials", "", 5))
    assert store.job(job).end == JobEnd("trials", "", 5)


def test_prefix_ends_at_the_first_gap(store: Store, tmp_path: Path) -> None:
    job = store.create_job(REQUEST)
    assert store.stored_prefix(store.job(job)) == 0
    insert_run(tmp_path, job, 0, [0.0, 1.0, 2.0])
    insert_run(tmp_path, job, 1, [1.0, 2.0])
    insert_run(tmp_path, job, 3, [3.0])
    insert_run(tmp_path, job, 5, [5.0])
    assert store.stored_prefix(store.job(job)) == 4
    set_column(store, "trial_run", "trial_count", 9, "first_seq = 3")
    assert store.stored_prefix(store.job(job)) == 3


@pytest.mark.parametrize("job", [0, -1, 2**53, 2**63, 10**30])
def test_number_that_no_job_can_have_is_named(store: Store, job: int) -> None:
    with pytest.raises(UnknownJobError, match=f"there is no job {job}"):
        store.job(job)


@pytest.mark.parametrize("number", [-3, 2**60])
def test_damaged_numbers_of_jobs_are_named(store: Store, number: int) -> None:
    store.create_job(REQUEST)
    set_column(store, "job", "job", number)
    named = re.escape(f"{store.path}: the numbers of its jobs are damaged")
    with pytest.raises(DamagedError, match=named):
        store.jobs()


def test_largest_number_is_that_of_a_job(store: Store) -> None:
    store.create_job(REQUEST)
    set_column(store, "job", "job", JOB_MAX)
    assert [record.job for record in store.jobs()] == [JOB_MAX]


def test_trials_cut_out_are_gone(store: Store, tmp_path: Path) -> None:
    job = store.create_job(REQUEST)
    insert_run(tmp_path, job, 0, [0.0, 1.0, 2.0, 3.0])
    store.cut_trials(job, [(1, 3)])
    assert flat(store, job) == [(0, 0.0), (3, 3.0)]


def test_full_disk_is_one_line(store: Store) -> None:
    store._database.execute("PRAGMA max_page_count = 1")
    with pytest.raises(StoreError, match="the disk is full"):
        store.create_job(replace(REQUEST, label="long" * 100_000))


@pytest.mark.slow
@settings(max_examples=12)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=9), st.integers(0, 40))
def test_what_is_read_on_is_what_is_read_at_once(
    spans: list[tuple[int, int]], from_seq: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        job = store.create_job(REQUEST)
        for first, count in spans:
            insert_run(Path(folder), job, first, [float(first + i) for i in range(count)])
        damaged: list[runs.DamagedRun] = []
        later = list(store.later_runs(job, from_seq, damaged.append))
        assert later == list(store.trial_runs(job, from_seq))
        assert damaged == []
        store.close()
