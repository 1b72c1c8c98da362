"""The database of a state directory, with its answers; jobs in it are deleted here."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from engine_ext.validation import answer_fault
from master.config.paths import database_path
from master.contract.questions import question_digest
from master.store.answers import (
    DAY_S,
    drop_answers,
    forget_answers,
    read_answers,
    sources,
    write_answers,
)
from master.store.errors import DATABASE_ERRORS, StoreError, to_store_error
from master.store.schema import (
    BUSY_TIMEOUT_S,
    FILE_MODE,
    SCHEMA_VERSION,
    check_origin,
    check_tables,
    open_database,
    prepare,
    transaction,
    version_of,
)
from protocol.guards.file_errors import file_error_text

FREE_PAGES_MIN = 256
"""1 MB: less is soon used again, and not worth writing the file anew."""

FREE_SHARE_MIN = 0.25
"""Of the file; to write it anew costs time for the rest, not for the free space."""


def delete_job(database: sqlite3.Connection, job: int) -> None:
    """Delete a job and all that is stored of it: all of it or, after a power cut, nothing."""
    with transaction(database):
        for table in ("trial_run", "fold_snapshot", "unconfirmed", "withdrawal", "search", "job"):
            database.execute(f"DELETE FROM {table} WHERE job = ?", (job,))


def reclaim_space(database: sqlite3.Connection) -> None:
    """Write the file anew without its free pages, if they are many.

    While another process is writing this waits for the next time: free pages are used again.
    """
    (free,) = database.execute("PRAGMA freelist_count").fetchone()
    (pages,) = database.execute("PRAGMA page_count").fetchone()
    if free < FREE_PAGES_MIN or free < FREE_SHARE_MIN * pages:
        return
    try:
        database.execute("VACUUM")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise


class KnownAnswers(NamedTuple):
    """The kept answers to some questions.

    Args:
        answers: by question.
        to_note: digests of those whose use is to be noted.
        faults: the reasons why other kept texts cannot be answers; they were deleted.
        sources: names of the analysers that gave these; an empty one is not known.
    """

    answers: dict[str, str]
    to_note: list[bytes]
    faults: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    @property
    def warning(self) -> str:
        """A line about deleted answers for people; empty: there were none."""
        if not self.faults:
            return ""
        names = ", ".join(name for name in self.sources if name)
        count = len(self.faults)
        what = "1 kept answer" if count == 1 else f"{count} kept answers"
        return (
            f"{what}{f' of {names}' * bool(names)} cannot be, and will be asked again: "
            + (self.faults[0])
        )


class AnswerStore:
    """The answers that one state directory keeps; several processes may have it open."""

    def __init__(
        self, state_dir: Path, path: Path | None = None, *, is_read_only: bool = False
    ) -> None:
        """Open the store, creating it if it is not there.

        Args:
            state_dir: where the locks of jobs are.
            path: of the database; None: the one of the directory.
            is_read_only: nothing will be written: it may be where nothing can be.

        Raises:
            StoreError: it cannot be opened, or a newer manyply wrote it.
        """
        self.state_dir = state_dir
        self.path = path or database_path(state_dir)
        self._database = (open_for_reading if is_read_only else open_database)(self.path)
        self._mutex = threading.Lock()

    def close(self) -> None:
        """Close the database file."""
        with self._mutex:
            self._database.close()

    def copy_to(self, new: Path) -> None:
        """Write all of it to a new file, durably, even if the name of the old one is gone.

        Raises:
            StoreError: it cannot be read, or the new file cannot be written, or is there already.
        """
        try:
            os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE))
            with self._cursor() as database:
                database.execute("VACUUM INTO ?", (str(new),))
            for written in (new, new.parent):
                descriptor = os.open(written, os.O_RDONLY | os.O_CLOEXEC)
                os.fsync(descriptor)
                os.close(descriptor)
        except OSError as error:
            raise StoreError(f"cannot write {new}: {file_error_text(error)}") from None

    @contextmanager
    def _cursor(self) -> Iterator[sqlite3.Connection]:
        with self._mutex:
            try:
                yield self._database
            except DATABASE_ERRORS as error:
                raise to_store_error(error, self.path) from None

    def answers(self, digests: Sequence[bytes]) -> tuple[dict[bytes, str], list[bytes]]:
        """Return the answers kept to questions, by digest, and whose use is to be noted."""
        with self._cursor() as database:
            return read_answers(database, digests, int(time.time()) // DAY_S)

    def known(self, questions: Sequence[str]) -> KnownAnswers:
        """Return the kept answers to questions; invalid ones are deleted, to be asked again.

        The check takes about a millisecond for each: the process that stored them may have checked
        less.
        """
        digests = {question_digest(text): text for text in questions}
        found, to_note = self.answers(list(digests))
        faults = {
            digest: fault
            for digest, answer in found.items()
            if (fault := answer_fault(digests[digest], answer))
        }
        sources = self._drop(list(faults)) if faults else []
        answers = {
            digests[digest]: answer for digest, answer in found.items() if digest not in faults
        }
        to_note = [digest for digest in to_note if digest not in faults]
        return KnownAnswers(answers, to_note, tuple(faults.values()), tuple(sources))

    def _drop(self, digests: Sequence[bytes]) -> list[str]:
        """Delete answers; return the names of the analysers that gave them."""
        with self._cursor() as database, transaction(database):
            names = sources(database, digests)
            drop_answers(database, digests)
        return names

    def forget_answers(self, of: str | None = None, engine: str | None = None) -> int:
        """Delete answers of an analyser's name, or of an engine, or all; return how many."""
        with self._cursor() as database:
            with transaction(database):
                count = forget_answers(database, of, engine)
            reclaim_space(database)
        return count

    def note_used(self, digests: Sequence[bytes]) -> None:
        """Write that kept answers were used today; those not used for longest go first."""
        if digests:
            with self._cursor() as database, transaction(database):
                write_answers(database, (), digests, int(time.time()) // DAY_S)


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Return a connection that is only read from; where nothing may be written, too.

    A database whose log or version needs writing is copied for that, and the copy has no name.

    Raises:
        StoreError: as open_database does.
    """
    is_writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    if is_writable or not path.exists():
        return open_database(path)
    try:
        for options in ("mode=ro", "immutable=1"):
            if options == "immutable=1" and _has_log(path):
                continue  # it would be passed over
            with contextlib.suppress(sqlite3.OperationalError):
                return _read_only(path, options)
        return _open_copy(path)
    except DATABASE_ERRORS as error:
        raise to_store_error(error, path) from None


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _read_only(path: Path, options: str) -> sqlite3.Connection:
    """Open a database of this version as it is; raises OperationalError if that cannot be."""
    database = sqlite3.connect(
        f"{path.absolute().as_uri()}?{options}", uri=True, timeout=BUSY_TIMEOUT_S,
        isolation_level=None, check_same_thread=False,
    )  # fmt: skip
    try:
        prepare(database)
        check_origin(database, path)
        if version_of(database) != SCHEMA_VERSION:
            raise sqlite3.OperationalError("another version")
        check_tables(database, path)
    except BaseException:
        database.close()
        raise
    return database


def _open_copy(path: Path) -> sqlite3.Connection:
    with tempfile.TemporaryDirectory(prefix="manyply-") as folder:
        copy = Path(folder) / path.name
        try:
            for end in ("", "-wal"):
                if (file := path.with_name(path.name + end)).exists():
                    shutil.copyfile(file, copy.with_name(copy.name + end))
        except OSError as error:
            raise StoreError(f"cannot copy {path}: {file_error_text(error)}") from None
        database = open_database(copy)
        database.execute("SELECT count(*) FROM job").fetchone()  # all its files are open now
        return database
