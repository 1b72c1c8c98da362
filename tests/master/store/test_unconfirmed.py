"""What may not count is marked and taken out, to the trial; all else stays as it was written."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.store.runs import TrialRun, insert_run, read_runs, read_snapshot, write_snapshot
from master.store.schema import open_database
from master.store.unconfirmed import (
    AttemptKey,
    SeqSpan,
    Withdrawal,
    cut_trials,
    drop_unconfirmed,
    read_withdrawals,
    without,
    write_marks,
    write_withdrawals,
)

JOB = 7
OTHER = 8
SPANS = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 9)).map(lambda each: (each[0], sum(each)))
)
RUNS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)))


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    database = open_database(tmp_path / "jobs.sqlite3")
    database.execute("PRAGMA foreign_keys = OFF")
    yield database
    database.close()


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    database = open_database(tmp_path_factory.mktemp("empty") / "jobs.sqlite3")
    yield database
    database.close()


def memory(empty: sqlite3.Connection) -> sqlite3.Connection:
    """Return a database in memory with the tables of an empty one: one for each example."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    empty.backup(database)
    return database


def run_of(first: int, count: int) -> TrialRun:
    return TrialRun(first, [(float(seq), -0.0) for seq in range(first, first + count)])


def seqs_of(spans: list[SeqSpan]) -> set[int]:
    return {seq for first, end in spans for seq in range(first, end)}


def trials(database: sqlite3.Connection, job: int = JOB) -> dict[int, Any]:
    """Return what is stored of a job, by trial."""
    found: dict[int, Any] = {}
    for run in read_runs(lambda text, *v: database.execute(text, v).fetchall(), job):
        assert isinstance(run, TrialRun), "no row is damaged"
        found |= dict(enumerate(run.values, run.first_seq))
    return found


def marked(database: sqlite3.Connection) -> set[tuple[int, ...]]:
    return set(database.execute("SELECT * FROM unconfirmed"))


@given(st.integers(0, 40), st.integers(0, 20), SPANS)
def test_without_leaves_the_other_trials_as_they_were(
    first: int, count: int, spans: list[SeqSpan]
) -> None:
    run = run_of(first, count)
    pieces = without(run, spans)
    left = {seq: v for piece in pieces for seq, v in enumerate(piece.values, piece.first_seq)}
    kept = set(range(first, first + count)) - seqs_of(spans)
    assert left == {seq: (float(seq), -0.0) for seq in kept}
    assert sum(len(piece.values) for piece in pieces) == len(kept)
    if count:
        assert all(piece.values for piece in pieces)
        assert [piece.first_seq for piece in pieces] == sorted(piece.first_seq for piece in pieces)


@given(RUNS, SPANS)
def test_cut_takes_out_just_the_trials_of_one_job(
    empty: sqlite3.Connection, runs: list[tuple[int, int]], spans: list[SeqSpan]
) -> None:
    with closing(memory(empty)) as database:
        for first, count in runs:
            insert_run(database, JOB, run_of(first, count))
            insert_run(database, OTHER, run_of(first, count))
        before = trials(database)
        cut_trials(database, JOB, spans)
        taken = seqs_of(spans)
        assert trials(database) == {k: v for k, v in before.items() if k not in taken}
        assert trials(database, OTHER) == before


def test_cut_drops_the_snapshot_that_may_have_counted_them(database: sqlite3.Connection) -> None:
    write_snapshot(database, JOB, 2, "text")
    write_snapshot(database, OTHER, 2, "text")
    cut_trials(database, JOB, [])

    def select(text: str, *values: Any) -> list[tuple[Any, ...]]:
        return database.execute(text, values).fetchall()

    assert read_snapshot(select, JOB) is None
    assert read_snapshot(select, OTHER) == (2, "text")


def test_cut_blesses_no_damaged_row(database: sqlite3.Connection) -> None:
    for first in (0, 10, 20):
        insert_run(database, JOB, run_of(first, 4))
    database.execute("UPDATE trial_run SET trial_values = zeroblob(64) WHERE first_seq = 10")
    cut_trials(database, JOB, [(12, 22)])
    assert sorted(trials(database)) == [0, 1, 2, 3, 22, 23]


@given(st.lists(st.tuples(st.integers(1, 2), st.integers(1, 2), st.none() | st.just((3, 9)))))
def test_attempt_is_marked_with_its_latest_span_until_it_has_none(
    empty: sqlite3.Connection, writes: list[tuple[int, int, SeqSpan | None]]
) -> None:
    spans: dict[AttemptKey, SeqSpan] = {}
    with closing(memory(empty)) as database:
        for number, (part, attempt, span) in enumerate(writes):
            mark = None if span is None else (span[0], span[1] + number)
            write_marks(database, {AttemptKey(JOB, part, attempt): mark})
            spans.pop(AttemptKey(JOB, part, attempt), None)
            spans |= {} if mark is None else {AttemptKey(JOB, part, attempt): mark}
        assert marked(database) == {(*attempt, *span) for attempt, span in spans.items()}


def test_marked_trials_go_with_their_marks_and_those_of_other_jobs_stay(
    database: sqlite3.Connection,
) -> None:
    for job in (JOB, OTHER):
        insert_run(database, job, run_of(0, 10))
    mine: dict[AttemptKey, SeqSpan | None] = {
        AttemptKey(JOB, 1, 1): (2, 4),
        AttemptKey(JOB, 2, 3): (3, 6),
    }
    theirs: dict[AttemptKey, SeqSpan | None] = {AttemptKey(OTHER, 1, 1): (0, 9)}
    write_marks(database, mine | theirs)
    assert drop_unconfirmed(database, JOB) == 2
    assert sorted(trials(database)) == [0, 1, 6, 7, 8, 9]
    assert len(trials(database, OTHER)) == 10
    assert marked(database) == {(OTHER, 1, 1, 0, 9)}


def test_job_whose_attempts_have_all_ended_keeps_its_snapshot(database: sqlite3.Connection) -> None:
    write_snapshot(database, JOB, 2, "text")
    write_marks(database, {AttemptKey(JOB, 1, 1): (0, 5)})
    write_marks(database, {AttemptKey(JOB, 1, 1): None})
    assert drop_unconfirmed(database, JOB) == 0
    assert database.execute("SELECT count(*) FROM fold_snapshot").fetchone() == (1,)


def test_who_was_caught_is_read_back_by_job_in_order_and_damaged_rows_are_left_out(
    database: sqlite3.Connection,
) -> None:
    caught = [Withdrawal(JOB, name, count, "why") for name, count in (("b", 3), ("a", 0), ("b", 3))]
    write_withdrawals(database, [*caught, Withdrawal(OTHER, "c", 1, "")])

    def select(text: str, *values: Any) -> list[tuple[Any, ...]]:
        return database.execute(text, values).fetchall()

    assert read_withdrawals(select, JOB) == tuple(caught)
    assert read_withdrawals(select, OTHER) == (Withdrawal(OTHER, "c", 1, ""),)
    database.execute("UPDATE withdrawal SET trial_count = 1 WHERE analyser = 'a'")
    assert read_withdrawals(select, JOB) == (caught[0], caught[2])
