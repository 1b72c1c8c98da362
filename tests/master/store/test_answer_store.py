"""Answers are read and their use noted by whoever opens the directory's database."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from master.store.answer_store import AnswerStore
from master.store.answers import AnswerRow, write_answers
from master.store.errors import StoreError
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


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    AnswerStore(tmp_path).close()
    for file in tmp_path.iterdir():
        file.write_bytes(b"rubbish" * 1000)
    with pytest.raises(StoreError):
        AnswerStore(tmp_path)
