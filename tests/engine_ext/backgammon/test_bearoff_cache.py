"""The cache of the bear-off tables may fail in any way; the tables never do."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from engine_ext.backgammon.bearoff_cache import (
    CACHE_BYTES_MAX,
    TABLES_DIGEST,
    cache_path,
    load_tables,
)
from engine_ext.backgammon.bearoff_generate import generate_tables


@pytest.fixture(scope="module")
def tables() -> bytes:
    return generate_tables()


class Generator:
    """Counts how often the tables are asked for."""

    def __init__(self, tables: bytes) -> None:
        self.tables = tables
        self.call_count = 0

    def __call__(self) -> bytes:
        self.call_count += 1
        return self.tables


@pytest.fixture
def generator(tables: bytes) -> Generator:
    return Generator(tables)


def test_first_use_generates_and_the_second_reads(generator: Generator, tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "tables.bin"
    assert load_tables(generator, path) == generator.tables
    assert load_tables(generator, path) == generator.tables
    assert generator.call_count == 1
    assert list(path.parent.iterdir()) == [path]


def damage_one_bit(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(damage_one_bit, id="one bit"),
        pytest.param(lambda content: content[:-1], id="truncated"),
        pytest.param(lambda content: b"", id="empty"),
        pytest.param(lambda content: content + b"x", id="longer"),
        pytest.param(lambda content: b"x" * (CACHE_BYTES_MAX + 1), id="far too long"),
    ],
)
def test_damaged_file_is_replaced(
    damage: Callable[[bytes], bytes], generator: Generator, tmp_path: Path
) -> None:
    path = tmp_path / "tables.bin"
    path.write_bytes(damage(generator.tables))
    assert load_tables(generator, path) == generator.tables
    assert generator.call_count == 1
    assert hashlib.sha256(path.read_bytes()).hexdigest() == TABLES_DIGEST
    assert list(tmp_path.iterdir()) == [path]


def test_unwritable_place_keeps_tables_in_memory(generator: Generator, tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("not a folder")
    assert load_tables(generator, blocker / "tables.bin") == generator.tables
    assert blocker.read_text() == "not a folder"


def test_folder_in_the_files_place_is_left_alone(generator: Generator, tmp_path: Path) -> None:
    path = tmp_path / "tables.bin"
    (path / "inside").mkdir(parents=True)
    assert load_tables(generator, path) == generator.tables
    assert list(tmp_path.iterdir()) == [path]
    assert (path / "inside").is_dir()


def test_xdg_cache_home_is_honoured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_path() == tmp_path / "manyply" / f"bearoff-{TABLES_DIGEST[:16]}.bin"
