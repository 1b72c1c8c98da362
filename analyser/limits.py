"""Limits of this process on its machine: cores, nice value, memory, and its end with its parent."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from analyser.lending import cpu_quota, size_text, worker_count
from protocol.aio import shortages

ENGINES_BYTES = 256 << 20
"""Memory of all engines beside the threads: while they load, and at work.

Measured on x86-64: they load from an empty cache with 195 MiB and one worker, with 330 MiB and
eight (halved down to 8 MiB), so with 176 MiB and 19 MiB a worker.  The first table of an
Othello search takes 32 MiB more; the rest is for the tables and caches of games."""

WORKER_BYTES = 24 << 20
"""Memory of a worker: two stacks of 8 MiB, its own and that of the thread for urgent parts, and
its share of the heap."""

THREAD_ADDRESS_BYTES = 96 << 20
"""Of address space for a worker: WORKER_BYTES, and the 64 MiB that glibc's malloc sets aside for
a thread and does not use."""

LOADED_BYTES = 128 << 20
"""Of address space for Python and its libraries."""

PR_SET_PDEATHSIG = 1
"""See prctl(2)."""


class LimitError(Exception):
    """A limit cannot be set here; the message gives the reason in one line."""


@contextmanager
def _asking(what: str) -> Iterator[None]:
    """Turn a refusal of the kernel into a LimitError, for example under systemd's `~@resources`."""
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: setrlimit's
        raise LimitError(f"{what} may not be asked for here: {error}") from error


def usable_cores() -> list[int]:
    """Return the numbers of the processors that this process may use, in order."""
    return sorted(os.sched_getaffinity(0))


def default_worker_count() -> int:
    """Return how many threads keep all processors of this process busy."""
    quota = cpu_quota(Path("/proc/self/cgroup").read_text(), Path("/sys/fs/cgroup"))
    return worker_count(len(usable_cores()), quota)


def pin_to_cores(count: int) -> None:
    """Keep this thread, and those it begins, to the last `count` of its processors; LimitError.

    The first processors serve most interrupts, and where there are two kinds they are the fast
    ones. They are left to the people who use the machine.
    """
    cores = usable_cores()
    if count > len(cores):
        raise LimitError(f"{count} is more than the {len(cores)} that this process may use")
    with _asking("fewer processors"):
        os.sched_setaffinity(0, cores[-count:])


def be_nice(nice: int) -> None:
    """Raise the nice value to `nice`; a value that is already higher stays; LimitError."""
    if nice > os.getpriority(os.PRIO_PROCESS, 0):
        with _asking("a lower priority"):
            os.setpriority(os.PRIO_PROCESS, 0, nice)


def least_memory(workers: int) -> int:
    """Return the bytes with which all engines load and so many workers run."""
    return ENGINES_BYTES + workers * WORKER_BYTES


def check_address_space(workers: int) -> None:
    """Raise OSError (ENOMEM), in words, if less address space is allowed than the engines need.

    With less some engines do not load, or the process ends at its first work.
    """
    shortages.check_address_space(ENGINES_BYTES + LOADED_BYTES + workers * THREAD_ADDRESS_BYTES)


def limit_memory(byte_count: int, workers: int) -> None:
    """Take no more memory than this; LimitError if that is too little to begin.

    RLIMIT_DATA limits memory that can be written to and is not shared: heap, tables, stacks.
    RLIMIT_AS would count addresses too, and each thread sets aside 64 MiB of them that it never
    uses. The kernel does not limit the pages in use (RLIMIT_RSS).
    """
    least = least_memory(workers)
    if byte_count < least:
        threads = "1 worker" if workers == 1 else f"{workers} workers"
        raise LimitError(
            f"{size_text(byte_count)} is too little: {threads} need {size_text(least)}"
        )
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    others = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    with _asking("less memory"):
        resource.setrlimit(resource.RLIMIT_DATA, (min([byte_count, *others]), hard))


def end_with_parent() -> None:
    """Have SIGTERM sent to this process when its parent ends; LimitError.

    For the kernel the parent is a thread (prctl(2)): this process also ends if the thread that
    started it ends before its process does.
    A process whose parent is process 1 is an orphan. A true child of process 1 needs no signal:
    everything ends with process 1.
    """
    parent = os.getppid()
    prctl = getattr(ctypes.CDLL(None, use_errno=True), "prctl", None)
    if prctl is None:
        raise LimitError("this system cannot tell when the process that started this one ends")
    numbers = map(ctypes.c_ulong, (int(signal.SIGTERM), 0, 0, 0))  # as the kernel reads them
    if prctl(PR_SET_PDEATHSIG, *numbers) != 0:
        raise LimitError(f"it cannot be asked for: {os.strerror(ctypes.get_errno())}")
    # No signal comes for a parent that has already ended; then this process has another parent.
    if parent == 1 or os.getppid() != parent:
        raise LimitError("the process that started this one has ended")
