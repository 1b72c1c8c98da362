"""Answers are read and their use noted by whoever opens the directory's database."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.control import RunControl
from engine_ext.noop.question import noop_question
from engine_ext.services import answer
from master.config.paths import job_lock_path
from master.contract.goals import Goal
from master.contract.questions import question_digest
from master.store.answer_store import AnswerStore, reclaim_space
from master.store.answers import (
    SELECT_MAX,
    AnswerRow,
    drop_oldest,
    read_answers,
    write_answers,
)
from master.store.errors import JobBusyError, StoreError, UnknownJobError
from master.store.records import NewJob
from master.store.runs import TrialRun, insert_run, write_snapshot
from master.store.schema import open_database
from master.store.store import Store

DIGEST = bytes(32)


def keep_answer(store: AnswerStore) -> None:
    with closing(sqlite3.connect(store.path)) as database:
        write_answers(database, [AnswerRow(DIGEST, "e", "text")], [], 20_000)
        database.commit()


def test_noted_use_is_of_today_and_asked_for_once(tmp_path: Path) -> None:
    with closing(AnswerStore(tmp_path)) as store:
        keep_answer(store)
        assert store.answers([DIGEST]) == ({DIGEST: "text"}, [DIGEST])
        store.note_used([DIGEST])
        assert store.answers([DIGEST]) == ({DIGEST: "text"}, [])


def test_answers_are_those_of_the_store(tmp_path: Path) -> None:
    with closing(AnswerStore(tmp_path)) as answers, closing(Store(tmp_path)) as store:
        keep_answer(answers)
        assert store.answers([DIGEST]) == answers.answers([DIGEST])
        store.note_used([DIGEST])
        assert answers.answers([DIGEST]) == ({DIGEST: "text"}, [])


def test_kept_text_that_cannot_be_an_answer_is_deleted_and_the_others_are_known(
    tmp_path: Path,
) -> None:
    good, bad, new = (noop_question(number=number) for number in range(3))
    right = answer(good, RunControl())
    assert right is not None
    rows = [
        AnswerRow(question_digest(good), "e", right, "attic"),
        AnswerRow(question_digest(bad), "e", "no hash", "barn"),
    ]
    with closing(AnswerStore(tmp_path)) as store:
        with closing(sqlite3.connect(store.path)) as database:
            write_answers(database, rows, [], 20_000)
            database.commit()
        known = store.known([good, bad, new])
        assert (known.answers, known.to_note) == ({good: right}, [question_digest(good)])
        assert len(known.faults) == 1
        assert known.warning.startswith("1 kept answer of barn cannot be")
        assert store.known([good, bad]) == known._replace(faults=(), sources=())


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    AnswerStore(tmp_path).close()
    for file in tmp_path.iterdir():
        file.write_bytes(b"rubbish" * 1000)
    with pytest.raises(StoreError):
        AnswerStore(tmp_path)


DAY = 20_000


def row(number: int, text: str = "") -> AnswerRow:
    return AnswerRow(number.to_bytes(32, "big"), "e", text or f"answer {number}")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    database = open_database(tmp_path / "jobs.sqlite3")
    yield database
    database.close()


def texts(database: sqlite3.Connection, *numbers: int) -> dict[int, str]:
    found, _ = read_answers(database, [row(number).digest for number in numbers], DAY)
    return {int.from_bytes(digest, "big"): text for digest, text in found.items()}


def test_answers_come_back_by_their_digests(database: sqlite3.Connection) -> None:
    count = 2 * SELECT_MAX + 7
    write_answers(database, [row(number) for number in range(count)], [], DAY)
    assert texts(database, *range(count + 5)) == {n: f"answer {n}" for n in range(count)}
    assert texts(database) == {}


def test_later_answer_takes_the_place_of_the_first(database: sqlite3.Connection) -> None:
    write_answers(database, [row(1, "wrong")], [], DAY)
    write_answers(database, [row(1, "right")], [], DAY)
    assert texts(database, 1) == {1: "right"}


@pytest.mark.parametrize("column", ["digest", "engine", "text", "checksum"])
def test_damaged_answer_is_none_until_it_is_given_again(
    database: sqlite3.Connection, column: str
) -> None:
    write_answers(database, [row(1), row(2)], [], DAY)
    other = row(3).digest if column == "digest" else "answer 3"
    database.execute(f"UPDATE answer SET {column} = ? WHERE rowid = 1", (other,))
    assert texts(database, 1, 2, 3) == {2: "answer 2"}
    write_answers(database, [row(1), row(3)], [], DAY)
    assert texts(database, 1, 2, 3) == {n: f"answer {n}" for n in (1, 2, 3)}


def test_use_is_noted_once_a_day(database: sqlite3.Connection) -> None:
    write_answers(database, [row(1), row(2)], [], DAY - 1)
    _, stale = read_answers(database, [row(1).digest, row(2).digest], DAY)
    assert sorted(stale) == [row(1).digest, row(2).digest]
    write_answers(database, [], [row(1).digest], DAY)
    _, stale = read_answers(database, [row(1).digest, row(2).digest], DAY)
    assert stale == [row(2).digest]


@given(st.randoms(use_true_random=False), st.integers(0, 12))
def test_those_used_last_are_kept(rng: random.Random, keep: int) -> None:
    database = sqlite3.connect(":memory:")
    database.execute(
        "CREATE TABLE answer (digest BLOB PRIMARY KEY, engine, text, source, used, checksum)"
    )
    days = [rng.randrange(3) for _ in range(10)]
    for number, day in enumerate(days):
        write_answers(database, [row(number)], [], day)
    drop_oldest(database, keep)
    last = sorted(range(10), key=lambda number: (days[number], number))[max(0, 10 - keep) :]
    assert sorted(texts(database, *range(10))) == sorted(last)
    database.close()


REQUEST = NewJob("noop/1", "d1", "noop", "e1", ("only",), ("value",), Goal(5), "label")


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
