"""Databases damaged in every way a disk, a crash or a mistake damages files; a seed tells how."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path
from typing import TypeAlias

from master.config.paths import database_path

Damage: TypeAlias = Callable[[Path, random.Random], None]
HEADER_BYTES = 100
TABLES = ("job", "trial_run", "fold_snapshot", "answer")


def _rewrite(path: Path, change: Callable[[bytearray], None]) -> None:
    content = bytearray(path.read_bytes())
    change(content)
    path.write_bytes(content)


def _flip(content: bytearray, place: int, rng: random.Random) -> None:
    content[place] ^= 1 << rng.randrange(8)


def flip_a_bit(path: Path, rng: random.Random) -> None:
    _rewrite(path, lambda content: _flip(content, rng.randrange(len(content)), rng))


def flip_many_bits(path: Path, rng: random.Random) -> None:
    for _ in range(rng.randrange(2, 200)):
        flip_a_bit(path, rng)


def flip_a_bit_of_the_header(path: Path, rng: random.Random) -> None:
    _rewrite(path, lambda content: _flip(content, rng.randrange(HEADER_BYTES), rng))


def flip_a_bit_of_a_column(path: Path, rng: random.Random) -> None:
    """Flip one where SQLite itself cannot see it: inside what a row holds."""
    with closing(sqlite3.connect(path)) as database:
        table = rng.choice(TABLES)
        names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        name = rng.choice([name for name in names if name != "job"])
        rows = database.execute(f"SELECT rowid, {name} FROM {table} ORDER BY rowid").fetchall()
        number, value = rng.choice(rows)
        database.execute(
            f"UPDATE {table} SET {name} = ? WHERE rowid = ?", (_bent(value, rng), number)
        )
        database.commit()


def _bent(value: int | float | str | bytes | None, rng: random.Random) -> int | float | bytes | str:
    if isinstance(value, int):
        return value ^ (1 << rng.randrange(40))
    if isinstance(value, float | None):
        return 1.5
    content = bytearray(value.encode() if isinstance(value, str) else value) or bytearray(1)
    _flip(content, rng.randrange(len(content)), rng)
    return content.decode("latin-1") if isinstance(value, str) else bytes(content)


def flip_a_bit_of_trials(path: Path, rng: random.Random) -> None:
    """Flip one of a double: the damage that nothing but a checksum finds."""
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT rowid, trial_values FROM trial_run ORDER BY rowid")
        number, value = rng.choice(rows.fetchall())
        content = bytearray(value)
        _flip(content, rng.randrange(len(content)), rng)
        database.execute(
            "UPDATE trial_run SET trial_values = ? WHERE rowid = ?", (bytes(content), number)
        )
        database.commit()


def cut_off(path: Path, rng: random.Random) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.truncate(rng.choice([rng.randrange(size), size - rng.randrange(1, 4096), 0, 50]))


def zero_a_page(path: Path, rng: random.Random) -> None:
    def change(content: bytearray) -> None:
        page = rng.randrange(len(content) // 4096) * 4096
        content[page : page + 4096] = bytes(4096)

    _rewrite(path, change)


def swap_two_pages(path: Path, rng: random.Random) -> None:
    def change(content: bytearray) -> None:
        one, other = (page * 4096 for page in rng.sample(range(1, len(content) // 4096), 2))
        kept = content[one : one + 4096]
        content[one : one + 4096] = content[other : other + 4096]
        content[other : other + 4096] = kept

    _rewrite(path, change)


def overwrite_a_stretch(path: Path, rng: random.Random) -> None:
    def change(content: bytearray) -> None:
        start, length = rng.randrange(len(content)), rng.randrange(1, 2000)
        content[start : start + length] = rng.randbytes(len(content[start : start + length]))

    _rewrite(path, change)


def flip_a_bit_of_the_wal(path: Path, rng: random.Random) -> None:
    flip_a_bit(_with_wal(path), rng)


def cut_off_the_wal(path: Path, rng: random.Random) -> None:
    cut_off(_with_wal(path), rng)


def replace_the_wal(path: Path, rng: random.Random) -> None:
    _with_wal(path).write_bytes(rng.randbytes(10_000))


def _with_wal(path: Path) -> Path:
    """Leave the file as a killed process would, half of it in the log; return the log's path."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_autocheckpoint = 0")
        for statement in (
            "UPDATE trial_run SET trial_values = trial_values || x'' WHERE rowid % 2",
            "UPDATE job SET error = error || ''",
            "UPDATE fold_snapshot SET folded = folded + 0",
        ):
            database.execute(statement)
            database.commit()
        wal = path.with_name(path.name + "-wal")
        copies = [(file, file.with_name("copy-of-" + file.name)) for file in (path, wal)]
        for file, copy in copies:
            shutil.copy(file, copy)
    for file, copy in copies:
        copy.replace(file)
    return wal


def drop_a_table(path: Path, rng: random.Random) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"DROP TABLE {rng.choice(TABLES)}")


def empty_a_table(path: Path, rng: random.Random) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"DELETE FROM {rng.choice(TABLES[1:])}")
        database.commit()


def put_a_foreign_file(path: Path, rng: random.Random) -> None:
    path.write_bytes(
        rng.choice([b"notes\n" * 500, b"\x89PNG\r\n\x1a\n" + rng.randbytes(9000), b""])
    )


def put_another_database(path: Path, rng: random.Random) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE job (name TEXT)")
        database.execute(f"PRAGMA user_version = {rng.choice([0, 1, 2, 3, 9, -1])}")


def put_a_directory(path: Path, rng: random.Random) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: tuple[Damage, ...] = (
    flip_a_bit,
    flip_a_bit_of_trials,
    flip_a_bit_of_a_column,
    flip_many_bits,
    zero_a_page,
    flip_a_bit_of_a_column,
    cut_off,
    flip_a_bit_of_the_header,
    flip_a_bit_of_the_wal,
    swap_two_pages,
    flip_a_bit,
    cut_off_the_wal,
    drop_a_table,
    overwrite_a_stretch,
    empty_a_table,
    put_a_foreign_file,
    flip_a_bit_of_trials,
    put_another_database,
    replace_the_wal,
    put_a_directory,
)


def damage(state_dir: Path, number: int) -> str:
    """Damage the database of a state directory in the way of this number; return its name."""
    way = next(islice(cycle(DAMAGES), number % len(DAMAGES), None))
    way(database_path(state_dir), random.Random(number))
    return way.__name__
