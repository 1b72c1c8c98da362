import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.store.answers import (
    SELECT_MAX,
    AnswerRow,
    drop_oldest,
    read_answers,
    write_answers,
)
from master.store.schema import open_database

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
