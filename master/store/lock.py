"""The lock of a job's process: a file lock, which the system lets go when the process dies."""

import fcntl
import os
import time
from pathlib import Path
from typing import Self

from master.config.paths import job_lock_path
from master.store.errors import JobBusyError, StoreError
from protocol.guards.file_errors import file_error_text

_OWNER_BYTES_MAX = 200
_TRIES = 4
"""`is_locked` holds a shared lock for microseconds: that is not an owner."""

_TRY_INTERVAL_S = 0.01


class JobLock:
    """The right to run one job; at most one process in the world of this state directory has it."""

    def __init__(self, state_dir: Path, job: int) -> None:
        """Take the lock.

        Raises:
            JobBusyError: another process, or another lock object of this one, holds it.
            StoreError: the lock file cannot be made.
        """
        self._path = path = job_lock_path(state_dir, job)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreError(f"cannot lock job {job}: {path}: {file_error_text(error)}") from None
        if not self._is_taken():
            owner = os.pread(self._fd, _OWNER_BYTES_MAX, 0).decode("ascii", "replace").strip()
            os.close(self._fd)
            raise JobBusyError(job, owner or "unknown")
        self._write_owner()

    def _is_taken(self) -> bool:
        for attempt in range(_TRIES):
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                time.sleep(_TRY_INTERVAL_S if attempt < _TRIES - 1 else 0.0)
            else:
                return True
        return False

    def _write_owner(self) -> None:
        """Leave the process id for the reader of an error; a full disk must not stop us here."""
        try:
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"process {os.getpid()}\n".encode("ascii"), 0)
        except OSError:
            return  # The lock itself holds; only the name in an error line is lost.

    def remove(self) -> None:
        """Delete the file of a job that is no more; a process that waits for it finds no job."""
        self._path.unlink(missing_ok=True)

    def release(self) -> None:
        """Let the job go; calling it twice is allowed."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *ending: object) -> None:
        self.release()


def is_locked(state_dir: Path, job: int) -> bool:
    """Return whether a process is running the job at this moment."""
    try:
        fd = os.open(job_lock_path(state_dir, job), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(fd)
    return False
