"""One analyser below a worker of an engine, started again when it is killed.

Workers of engines import this module, so it uses nothing but the standard library.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum

DRAIN_S = 2.5
"""Time limit for parts at hand at the end, as engines wait no longer: a nanny of Dask kills its
worker after 4 s, `ray stop` kills after 5 s. Unfinished parts are computed elsewhere."""

STOP_S = 3.5
"""A drain, and the time for an analyser to end; then it is killed."""

PAUSE_S_MIN, PAUSE_S_MAX = 1.0, 60.0
"""Between the end of one that was killed and its successor; the pause doubles."""

NAME_CHARACTERS_MAX = 64
"""Of an analyser's name: the protocol's limit."""

_ODD = re.compile(r"[^A-Za-z0-9_.:-]+")
_SCHEME = re.compile(r"[a-z]+://")
_DIGEST_CHARACTERS = 6

log = logging.getLogger("manyply.fleets")


class ChildState(Enum):
    """How an analyser below a worker fares; the values are those of a member of a fleet."""

    PENDING = "pending"
    RUNNING = "running"
    LOST = "lost"


Report = Callable[[ChildState, str], None]
"""Called with each new state, and its reason in one line; in a thread of the child's."""


def analyser_name(prefix: str, worker: str) -> str:
    """Return a valid name, another one for each worker.

    Args:
        worker: the engine's name for it: a name or an address.
    """
    called = _SCHEME.sub("", worker, count=1)
    name = f"{prefix}-{_ODD.sub('-', called)}"
    if len(name) <= NAME_CHARACTERS_MAX and not _ODD.search(called):
        return name
    digest = hashlib.sha256(worker.encode()).hexdigest()[:_DIGEST_CHARACTERS]
    return f"{name[: NAME_CHARACTERS_MAX - _DIGEST_CHARACTERS - 1]}-{digest}"


def analyser_argv(arguments: Sequence[str], name: str, worker_count: int | str) -> tuple[str, ...]:
    """Return the command of an analyser of this Python, which ends with this process.

    Process 1 of a container needs no care of that: with it everything ends.
    """
    guard = () if os.getpid() == 1 else ("--with-parent",)
    return (
        sys.executable, "-P", "-m", "analyser", *arguments, "--workers", str(worker_count),
        "--name", name, "--drain-s", f"{DRAIN_S:g}", *guard,
    )  # fmt: skip


class Child:
    """An analyser, and a thread that starts it, waits for it and starts it again.

    It is started again if a signal killed it.  One that leaves by itself has reason to: its master
    is gone, or refuses it.  To the kernel the thread is its parent, so it lives as long.

    Args:
        argv: the analyser's command; it reads its secret from its standard input.
        report: called with each new state.
    """

    def __init__(self, argv: Sequence[str], secret: str, report: Report) -> None:
        self.state, self.text = ChildState.PENDING, "starts"
        self._argv = tuple(argv)
        self._secret = secret
        self._tell = report
        self._lock = threading.Lock()  # between a start and the order to stop
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name="manyply-child", daemon=True)

    def start(self) -> None:
        """Have it started, without waiting for it."""
        self._thread.start()

    def stop(self, within_s: float = STOP_S) -> None:
        """Have it drain, and wait; kill it if it takes longer.  A second call does nothing."""
        with self._lock:
            self._stopping.set()
            process = self._process
        if process is not None:
            process.terminate()
        self._thread.join(within_s)
        if self._thread.is_alive() and process is not None:
            process.kill()
            self._thread.join()

    def _keep(self) -> None:
        pause_s = PAUSE_S_MIN
        while not self._stopping.is_set():
            began = time.monotonic()
            text, is_killed = self._live()
            if self._stopping.is_set():
                return
            if not is_killed:
                self._report(ChildState.LOST, text)
                return
            if time.monotonic() - began > PAUSE_S_MAX:
                pause_s = PAUSE_S_MIN
            self._report(ChildState.PENDING, f"{text}; starts again in {pause_s:g} s")
            self._stopping.wait(pause_s)
            pause_s = min(2 * pause_s, PAUSE_S_MAX)

    def _live(self) -> tuple[str, bool]:
        """Run one analyser to its end; return why it ended, and whether a signal killed it."""
        try:
            with self._lock:
                if self._stopping.is_set():
                    return "", False
                self._process = process = subprocess.Popen(
                    self._argv, stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                    stdout=subprocess.DEVNULL, start_new_session=True,
                )  # fmt: skip
        except OSError as error:
            return f"cannot start an analyser: {error.strerror}", False
        self._report(ChildState.RUNNING, f"process {process.pid}")
        last = self._talk(process)
        code = process.wait()
        if code < 0:
            return f"killed by {signal.Signals(-code).name}", True
        return last or f"left with exit code {code}", False

    def _talk(self, process: subprocess.Popen[bytes]) -> str:
        """Write the secret to the analyser, and log its lines to the end; return the last."""
        assert process.stdin is not None
        assert process.stderr is not None
        with suppress(BrokenPipeError), process.stdin as stdin:  # it may have ended
            stdin.write(self._secret.encode())
        last = ""
        with process.stderr as said:
            for line in said:
                last = line.decode(errors="replace").strip()
                log.warning("%s", last)
        return last

    def _report(self, state: ChildState, text: str) -> None:
        self.state, self.text = state, text
        self._tell(state, text)
