"""The database of a state directory, and of what it has the answers: all that many a command needs.

Knows how the database is opened and shared by threads.  Must not know jobs (see store).
"""

from __future__ import annotations

import sqlite3
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
from master.store.errors import DATABASE_ERRORS, to_store_error
from master.store.forgetting import reclaim_space
from master.store.schema import open_database, transaction


class KnownAnswers(NamedTuple):
    """What is kept of the answers to questions.

    Args:
        answers: by question.
        to_note: digests of those whose use is to be noted.
        faults: why others could not be answers; they were deleted.
        sources: names of the analysers that gave these; an empty one is not known.
    """

    answers: dict[str, str]
    to_note: list[bytes]
    faults: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    @property
    def warning(self) -> str:
        """What people should know of it; empty: nothing."""
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

    def __init__(self, state_dir: Path) -> None:
        """Open the store, creating it if it is not there.

        Raises:
            StoreError: it cannot be opened, or a newer manyply wrote it.
        """
        self.state_dir = state_dir
        self.path = database_path(state_dir)
        self._database = open_database(self.path)
        self._mutex = threading.Lock()

    def close(self) -> None:
        """Close the database file."""
        with self._mutex:
            self._database.close()

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
        """Return the answers kept to questions; those that cannot be are deleted, and asked again.

        It takes about a millisecond for each: what wrote them may have looked less closely.
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
