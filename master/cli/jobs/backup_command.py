"""`manyply backup`: copies the database to one file, also while a master uses it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import click

from master.cli.arguments import json_option
from master.cli.drawings import refusal_of
from master.cli.errors import CommandError, ExitCode
from master.cli.interruptible import interruptible
from master.cli.jobs.watching import error_code
from master.cli.output import echo, echo_json, echo_notice
from master.config.paths import database_path, default_state_dir
from master.contract.errors import MasterError
from master.contract.job_words import JobState
from master.reports.texts import counted
from master.store.schema import LOG_ENDS
from master.store.store import Store

SIDE_FILES = (*LOG_ENDS, "-journal")
"""How SQLite names the files beside a database."""


@click.command(
    "backup",
    epilog="""\b
Every night, by cron, and then a look at what the copy holds:
  manyply backup --force ~/backup/jobs.sqlite3
  manyply-master --state-dir ~/backup
""",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@click.option(
    "--state-dir", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
    help="The state directory to copy, such as /var/lib/manyply of the system's master.  [default:"
    " yours]",
)  # fmt: skip
@json_option
def backup_command(file: Path, force: bool, state_dir: Path | None, is_json: bool) -> None:
    """Copy all jobs, trials and answers to FILE, also while a master or a command uses them.

    FILE is a database of its own, with the state of one moment. If FILE is a folder, the copy is
    jobs.sqlite3 in it, and the folder can be used as a state directory: `manyply-master
    --state-dir`. A job that was running is halted in the copy, and `manyply resume` goes on with it
    to the same bits.
    """
    source = database_path(state_dir or default_state_dir())
    try:
        new = database_path(file) if file.is_dir() else file
        _check(source, new, is_forced=force)
        jobs, damaged = _written(source, new)
        size = new.stat().st_size
    except OSError as error:
        raise refusal_of(file, error) from None
    if is_json:
        echo_json({"backup": str(new), "jobs": jobs, "damaged": damaged, "bytes": size})
    else:
        echo(f"{new}: {counted(jobs, 'job')}, {size / 1e6:.1f} MB")
    if damaged:
        echo_notice(f"{counted(damaged, 'job')} of them damaged: see manyply salvage --help")


def _check(source: Path, new: Path, *, is_forced: bool) -> None:
    """Refuse a database that is not there, and a copy that would destroy a file.

    Raises:
        CommandError: nothing can be copied, or not to this file.
    """
    if not source.exists():
        raise CommandError(f"there is no database {source}", ExitCode.STORAGE)
    if not new.exists():
        return
    if new.samefile(source):
        raise CommandError(f"{new} is the database itself: name another file")
    if not new.is_file():
        raise CommandError(f"{new} is no file")
    if not is_forced:
        raise CommandError(f"{new} is there already: --force overwrites it")


def _written(source: Path, new: Path) -> tuple[int, int]:
    """Write the copy beside its place, then there; return its jobs, and how many are damaged.

    Raises:
        CommandError: it cannot be copied, or a process uses the database that it would overwrite.
        OSError: it cannot be written.
    """
    part = new.with_name(f"{new.name}.{os.getpid()}.part")
    try:
        counts = interruptible(lambda: _copy(source, part))
        if new.exists():
            _close_old(new)
        part.replace(new)
    except MasterError as error:
        text = str(error).replace(str(part), str(new))  # the name that the user gave
        raise CommandError(text, error_code(error)) from error
    finally:
        for end in ("", *SIDE_FILES):
            part.with_name(part.name + end).unlink(missing_ok=True)
    return counts


def _close_old(old: Path) -> None:
    """Remove the log beside a database that is overwritten: SQLite would add it to the new one.

    Only a database without other users leaves the log's mode (sqlite.org/wal.html, section 3).
    """
    with closing(sqlite3.connect(old, timeout=0)) as database:
        try:
            database.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.DatabaseError as error:  # any other file may be overwritten as it is
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                text = f"{old} is in use, as by a master: name another file"
                raise CommandError(text, ExitCode.STORAGE) from None
    for end in SIDE_FILES:
        old.with_name(old.name + end).unlink(missing_ok=True)


def _copy(source: Path, new: Path) -> tuple[int, int]:
    """Write the copy and read it again; return how many jobs it has, and how many are damaged.

    Raises:
        StoreError: the database cannot be read, or the copy cannot be written.
    """
    with closing(Store(source.parent, is_read_only=True)) as store:
        store.copy_to(new)
    with closing(Store(new.parent, new)) as copied:
        states = [record.state for record in copied.jobs()]
    return len(states), states.count(JobState.DAMAGED)
