"""A guard that notices when the database is not in its place any more, and saves a copy of it.

SQLite's connection still reaches a file that was deleted or moved. The file is never opened here:
to close it again would let go of the locks of every connection of this process.
"""

import asyncio
import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from master.store.errors import DATABASE_ERRORS, StateLostError, StoreError
from master.store.salvage.salvaging import free_name, salvage
from master.store.store import Store

CHECK_INTERVAL_S = 0.4
"""A check costs microseconds; a loss is noticed within a second, on a busy machine too."""


GONE, REPLACED = "was deleted or moved", "was replaced by another file"

FileName = tuple[int, int]
"""Device and inode of a file: its name whatever its path."""


def change_of(path: Path, was: FileName) -> str:
    """Return the change of a file of this device and inode; empty: it is still there."""
    try:
        status = path.stat()
    except OSError:
        return GONE
    if (status.st_dev, status.st_ino) != was:
        return REPLACED
    return "" if status.st_size else "was emptied"


def logs_of(path: Path) -> tuple[Path, Path]:
    """Return the paths of a database's write-ahead log and of the log's index."""
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def name_of(path: Path) -> FileName | None:
    """Return the device and inode of a file; None: there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class StateGuard:
    """Watches the database of a store that is open.

    Attributes:
        error: the loss of the database; None: none.
    """

    def __init__(self, store: Store, on_lost: Callable[[StateLostError], None]) -> None:
        """Take note of the file; `on_lost` is called once, in the loop's thread."""
        status = store.path.stat()
        self._was = (status.st_dev, status.st_ino)
        self._logs: dict[Path, FileName] = {}
        self._store = store
        self._on_lost = on_lost
        self.error: StateLostError | None = None

    async def watch(self) -> None:
        """Check now and again, until the file is lost."""
        while not await self.check():  # noqa: ASYNC110  # no event tells
            await asyncio.sleep(CHECK_INTERVAL_S)

    async def check(self) -> bool:
        """Return whether the file is lost; `on_lost` is called by the first check that finds it."""
        if self.error is None:
            change = await asyncio.to_thread(self._change)
            if change and self.error is None:
                self.error = StateLostError(f"{change} while a master was using it")
                self._on_lost(self.error)
        return self.error is not None

    def _change(self) -> str:
        """Return which of the database's files was lost and how; empty: none was. Blocks."""
        path = self._store.path
        if change := change_of(path, self._was):
            if change == REPLACED:
                self._remove_own_logs()
            return f"{path} {change}"
        for log in logs_of(path):
            name = name_of(log)
            was = self._logs.get(log, name)
            if name != was:
                return f"{log} {GONE if name is None else REPLACED}"
            if name is not None:
                self._logs[log] = name
        return ""

    def _remove_own_logs(self) -> None:
        """Delete the lost file's logs, lest SQLite takes them for those of the new one."""
        for log, was in self._logs.items():
            if name_of(log) == was:
                log.unlink(missing_ok=True)

    def save(self) -> StateLostError:
        """Write all its content to a new file beside the lost one; return the error. Blocks.

        No other writer may use the store any more.
        """
        path = self._store.path
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            new = free_name(path, "kept")
            try:
                self._store.copy_to(new)
            except (*DATABASE_ERRORS, StoreError):  # it was emptied: the log beside it may be whole
                with contextlib.suppress(FileNotFoundError):
                    new.unlink()
                salvage(path, new)
        except (OSError, StoreError) as error:
            return StateLostError(f"{self.error}; what it held cannot be written anew: {error}")
        self._remove_log(path)
        return StateLostError(
            f"{self.error}; what it held is kept in {new}: "
            f"`manyply salvage {new} --replace` goes on with it"
        )

    def _remove_log(self, path: Path) -> None:
        """Delete the log left beside a file that is gone, lest a new one is taken for its."""
        if not os.path.lexists(path):
            for log in logs_of(path):
                log.unlink(missing_ok=True)
