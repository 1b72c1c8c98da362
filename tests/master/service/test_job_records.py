import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.contract.goals import Goal
from master.contract.job_words import JobState
from master.contract.views import Notice, NoticeKind
from master.fold.trials import TrialFold
from master.service.job_records import NOTICES_MAX, NoticeBoard, begin_job, stored_view, to_spec
from master.service.listed_jobs import listed_view, to_view
from master.service.stored_folds import stored_fold
from master.store.checksums import checksum
from master.store.errors import StoreError
from master.store.records import JobEnd, JobRecord, NewJob, RunsIn
from master.store.runs import TrialRun, insert_run
from master.store.store import Store
from master.store.writer import GroupWriter

REQUEST = NewJob("noop/1", "d", "noop", "e", ("a", "b"), ("v",), Goal(10))
RECORD = JobRecord(3, REQUEST, JobState.RUNNING, JobEnd(), RunsIn.COMMAND, "now")


def notice(number: int) -> Notice:
    return Notice(NoticeKind.WARNING, str(number))


@given(st.lists(st.booleans(), max_size=100))
def test_each_watcher_reads_each_notice_once(steps: list[bool]) -> None:
    board = NoticeBoard()
    seen, read = 0, list[str]()
    for number, is_read in enumerate(steps):
        board.put(notice(number))
        if is_read:
            read += [n.text for n in board.since(seen)]
            seen = board.count
    read += [n.text for n in board.since(seen)]
    assert read == [str(number) for number in range(len(steps))]


def test_late_watcher_gets_the_last_notices() -> None:
    board = NoticeBoard()
    for number in range(NOTICES_MAX + 5):
        board.put(notice(number))
    texts = [n.text for n in board.since(0)]
    assert texts == [str(number) for number in range(5, NOTICES_MAX + 5)]


def test_log_hears_each_notice() -> None:
    heard: list[Notice] = []
    NoticeBoard(heard.append).put(notice(1))
    assert heard == [notice(1)]


def test_spec_counts_alternatives_and_values() -> None:
    spec = to_spec(RECORD, ((0.0, 1.0),))
    assert spec.value_ranges == ((0.0, 1.0),)
    assert (spec.job, spec.alternative_count, spec.value_count, spec.goal) == (3, 2, 1, Goal(10))


def test_view_of_a_record_alone_tells_what_the_record_tells() -> None:
    view = to_view(replace(RECORD, end=JobEnd("halted", "oops", 7)), None)
    assert (view.folded, view.stopped_by, view.error) == (7, "halted", "oops")
    assert view.alternatives == ()


def test_eta_is_what_is_left_by_the_rate() -> None:
    view = to_view(replace(RECORD, end=JobEnd(folded=4)), None, trials_per_s=2.0)
    assert view.eta_s == (2 * 10 - 4) / 2.0
    halted = replace(RECORD, state=JobState.HALTED)
    assert to_view(halted, None, trials_per_s=2.0).eta_s is None


@pytest.mark.parametrize("cut", [0, 1, 17, 40])
def test_fold_from_a_snapshot_has_the_bits_of_the_fold_from_the_start(
    tmp_path: Path, cut: int
) -> None:
    store = Store(tmp_path)
    record = replace(RECORD, job=store.create_job(REQUEST))
    writer = GroupWriter(store.path, lambda ticket: None, lambda error: None)
    values = [(seq * seq / 2**32,) for seq in range(40)]
    straight, early = TrialFold(2, 1), TrialFold(2, 1)
    for seq, trial in enumerate(values):
        straight.add(seq, trial)
        if seq < cut:
            early.add(seq, trial)
    writer.add_run(record.job, 0, values)
    writer.add_snapshot(record.job, early.folded, early.snapshot())
    writer.close()
    fold = stored_fold(store, record)
    store.close()
    assert fold.snapshot() == straight.snapshot()
    assert fold.summary(has_quantiles=True) == straight.summary(has_quantiles=True)


VALUES = [(seq * seq / 2**32,) for seq in range(40)]


def stored_job(store: Store, *, has_snapshot: bool) -> int:
    """Store a whole job of 20 games, in four runs."""
    job = store.create_job(replace(REQUEST, goal=Goal(20)))
    fold = TrialFold(2, 1)
    for seq, trial in enumerate(VALUES):
        fold.add(seq, trial)
    writer = GroupWriter(store.path, lambda ticket: None, lambda error: None)
    for first in (0, 10, 20, 30):
        insert_run(writer.database, job, TrialRun(first, VALUES[first : first + 10]))
    if has_snapshot:
        writer.add_snapshot(job, fold.folded, fold.snapshot())
    writer.close()
    store.set_ended(job, JobState.DONE, JobEnd("trials", "", 40))
    return job


def spoil(store: Store, statement: str) -> None:
    with closing(sqlite3.connect(store.path)) as database, database:
        database.execute(statement)


def test_damaged_snapshot_is_folded_again_from_the_trials(tmp_path: Path) -> None:
    store = Store(tmp_path)
    job = stored_job(store, has_snapshot=True)
    right = stored_view(store, job)
    spoil(store, "UPDATE fold_snapshot SET snapshot = replace(snapshot, '0', '1')")
    assert stored_view(store, job) == right
    spoil(store, "UPDATE fold_snapshot SET snapshot = 'nonsense'")
    assert stored_view(store, job) == right
    store.close()


def forget_counts(path: Path) -> None:
    """Make the snapshots what a version wrote that kept no counts."""
    with closing(sqlite3.connect(path)) as database, database:
        for job, folded, text in database.execute(
            "SELECT job, folded, snapshot FROM fold_snapshot"
        ).fetchall():
            older = re.sub(r'"counts":.*?]]],', "", text)
            assert older != text
            row = (job, folded, older)
            database.execute(
                "UPDATE fold_snapshot SET snapshot = ?, checksum = ? WHERE job = ?",
                (older, checksum(*row), job),
            )


def test_job_of_an_older_version_is_shown_by_its_trials_or_without_quantiles(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path)
    job = stored_job(store, has_snapshot=True)
    right = stored_view(store, job)
    assert all(len(each.quantiles) == 21 for each in right.alternatives)
    forget_counts(store.path)
    assert stored_view(store, job) == right
    spoil(store, "DELETE FROM trial_run WHERE first_seq = 30")
    bare = tuple(replace(each, quantiles=()) for each in right.alternatives)
    assert stored_view(store, job) == replace(right, alternatives=bare)
    store.close()


@pytest.mark.parametrize(
    "statement",
    ["UPDATE trial_run SET trial_values = zeroblob(80) WHERE first_seq = 20",
     "DELETE FROM trial_run WHERE first_seq = 30"],
)  # fmt: skip
def test_damaged_trials_show_no_other_digits(tmp_path: Path, statement: str) -> None:
    store = Store(tmp_path)
    whole, bare = (stored_job(store, has_snapshot=has) for has in (True, False))
    right = stored_view(store, whole)
    spoil(store, statement)
    assert stored_view(store, whole) == right
    with pytest.raises(StoreError, match=f"`manyply resume {bare}` computes them again"):
        stored_view(store, bare)
    store.close()


def test_job_begins_without_its_damaged_trials_and_says_so(tmp_path: Path) -> None:
    store = Store(tmp_path)
    job = stored_job(store, has_snapshot=True)
    spoil(store, "UPDATE trial_run SET trial_values = zeroblob(80) WHERE first_seq IN (10, 30)")
    begun = begin_job(store, job, RunsIn.COMMAND)
    assert begun.known == [(s, VALUES[s]) for s in (*range(10), *range(20, 30))]
    assert f"trials of job {job} from 10 on are damaged and are computed again" in begun.warning
    again = begin_job(store, job, RunsIn.COMMAND)
    assert (again.known, again.warning) == (begun.known, "")
    store.close()


def test_job_that_was_killed_is_listed_with_what_is_stored(tmp_path: Path) -> None:
    store = Store(tmp_path)
    job = stored_job(store, has_snapshot=False)
    store.set_ended(job, JobState.HALTED, JobEnd("interrupted", "", 0))
    assert listed_view(store, store.job(job)).folded == 40
    spoil(store, "DELETE FROM trial_run WHERE first_seq = 10")
    assert listed_view(store, store.job(job)).folded == 10
    store.close()
