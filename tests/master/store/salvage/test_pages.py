import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from master.store.salvage.pages import PageFile, Row, free_pages, reachable, read_pages, rows_of

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
