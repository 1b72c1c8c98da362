"""`manyply` as a process, with a state directory of its own."""

import asyncio
import json
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from master.config.paths import APPLICATION, database_path
from master.store.store import Store
from tests.daemons.analyser_programs import ENVIRON, Process, started

MANYPLY = (sys.executable, "-m", "master.cli")
RUN_S_MAX = 150.0
POSITION = "4HPwATDgc/ABMA"


@dataclass(frozen=True)
class Ended:
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> Any:
        """The one JSON object printed."""
        assert self.code == 0, self
        return json.loads(self.out)

    @property
    def complaint(self) -> str:
        """The last of the lines on standard error, none of which belongs to a traceback."""
        assert "Traceback" not in self.err, self.err
        return self.err.splitlines()[-1] if self.err else ""


@dataclass(frozen=True)
class Home:
    """A user's state directory."""

    directory: Path

    @property
    def state(self) -> Path:
        return self.directory / APPLICATION

    @property
    def environ(self) -> dict[str, str]:
        own = {"XDG_STATE_HOME": str(self.directory), "XDG_RUNTIME_DIR": str(self.directory)}
        return ENVIRON | own

    @asynccontextmanager
    async def running(self, *args: str, **options: Any) -> AsyncIterator[Process]:
        """Run a command beside the test; it is killed at the end."""
        pipes = {"stdout": asyncio.subprocess.PIPE, "env": self.environ}
        async with started(*MANYPLY, *args, **(pipes | options)) as process:
            yield process

    async def run(self, *args: str, **options: Any) -> Ended:
        """Run a command to its end."""
        async with self.running(*args, **options) as process:
            return await rest_of(process)

    def has_job(self) -> bool:
        """Whether a job is stored at this moment."""
        if not database_path(self.state).exists():
            return False
        with self._store() as store:
            return bool(store.jobs())

    def stored_trials(self, job: int = 1) -> int:
        """How many trials of a job are stored at this moment."""
        if not self.has_job():
            return 0
        with self._store() as store:
            return sum(len(run.values) for run in store.trial_runs(job))

    def confirmed_trials(self, job: int = 1) -> int:
        """How many trials are stored that a resume keeps: those of attempts that ended rightly."""
        if not self.has_job():
            return 0
        with self._store() as store:
            spans = [
                (run.first_seq, run.first_seq + len(run.values)) for run in store.trial_runs(job)
            ]
        with closing(sqlite3.connect(database_path(self.state))) as database:
            marked = database.execute(
                "SELECT first_seq, end_seq FROM unconfirmed WHERE job = ?", (job,)
            ).fetchall()
        stored = {seq for span in spans for seq in range(*span)}
        return len(stored.difference(*(range(*span) for span in marked)))

    def stored_answers(self) -> int:
        """How many answers to questions are stored at this moment."""
        if not database_path(self.state).exists():
            return 0
        with closing(sqlite3.connect(database_path(self.state))) as database:
            try:
                return int(database.execute("SELECT count(*) FROM answer").fetchone()[0])
            except sqlite3.OperationalError:  # it is about to make its tables
                return 0

    async def has_answers(self, count: int) -> None:
        """Wait until so many answers are stored."""
        async with asyncio.timeout(RUN_S_MAX):
            while self.stored_answers() < count:  # noqa: ASYNC110  # no other process tells
                await asyncio.sleep(0.02)

    @contextmanager
    def _store(self) -> Iterator[Store]:
        store = Store(self.state)
        try:
            yield store
        finally:
            store.close()

    async def has_stored(self, count: int) -> None:
        """Wait until so many trials of the first job are stored."""
        async with asyncio.timeout(RUN_S_MAX):
            while self.stored_trials() < count:  # noqa: ASYNC110  # no other process tells
                await asyncio.sleep(0.05)


async def rest_of(process: Process) -> Ended:
    """Wait for a command's end; return it with what is unread of its output."""
    async with asyncio.timeout(RUN_S_MAX):
        out, err = await process.communicate()
    assert process.returncode is not None
    return Ended(process.returncode, (out or b"").decode(), (err or b"").decode())
