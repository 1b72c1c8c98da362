"""A master in a thread of its own, for a command whose main thread waits for a player.

The main thread reads lines and handles Ctrl-C; the loop's thread keeps the links alive and analyses
meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, Self, TypeVar

from master.cli.errors import CommandError, ExitCode
from master.cli.master_access import open_master
from master.cli.output import echo_notice
from master.cli.place import Place
from master.contract.master import Master
from master.contract.views import Notice
from protocol.aio import new_runner

T = TypeVar("T")

START_S_MAX = 120.0
"""Engines load within seconds; the first analyser of a fleet may answer at a later call."""

LEAVE_S_MAX = 30.0
"""Storing results and closing the links takes moments; after so long the process ends."""


def _warn(notice: Notice) -> None:
    echo_notice(f"{notice.kind.value}: {notice.text}")


class FleetThread:
    """A master and its analysers; problems are printed. Use it as a context manager."""

    def __init__(self, place: Place, games: tuple[str, ...] | None = None) -> None:
        """Prepare a master at `place`, whose local workers compute some games; see open_master."""
        self._place = place
        self._games = games
        self._opened: Future[Master] = Future()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._serving: asyncio.Task[None] | None = None
        self._begun: set[Future[Any]] = set()
        self._thread = threading.Thread(target=self._run, name="fleet", daemon=True)

    def __enter__(self) -> Self:
        """Open the master.

        Raises:
            CommandError: no analyser can be used, or none is ready after START_S_MAX.
            MasterError: no master answers, or the state directory cannot be used.
        """
        self._thread.start()
        try:
            self._opened.result(START_S_MAX)
        except TimeoutError:
            self._close()
            text = f"no analyser was ready within {START_S_MAX:g} s"
            raise CommandError(text, ExitCode.JOB_FAILED) from None
        return self

    def __exit__(self, *ending: object) -> None:
        """Close it; open questions are given up, answers are kept."""
        for future in tuple(self._begun):
            future.cancel()
        self._close()

    def start(self, work: Callable[[Master], Coroutine[Any, Any, T]]) -> Future[T]:
        """Begin something in the loop's thread; cancelling the future gives it up."""
        assert self._loop is not None, "the master is open"
        future = asyncio.run_coroutine_threadsafe(work(self._opened.result()), self._loop)
        self._begun.add(future)
        future.add_done_callback(self._begun.discard)
        return future

    def run(self, work: Callable[[Master], Coroutine[Any, Any, T]]) -> T:
        """Do something in the loop's thread and wait for it; Ctrl-C gives it up."""
        future = self.start(work)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise

    def _close(self) -> None:
        if self._loop is not None and self._serving is not None:
            self._loop.call_soon_threadsafe(self._serving.cancel)
        self._thread.join(LEAVE_S_MAX)

    def _run(self) -> None:
        try:
            with new_runner() as runner:
                runner.run(self._serve())
        except BaseException as error:  # it is raised again where the master is waited for
            if self._opened.done():
                raise
            self._opened.set_exception(error)

    async def _serve(self) -> None:
        self._loop, self._serving = asyncio.get_running_loop(), asyncio.current_task()
        place = self._place
        if place.wait_s is None:
            place = replace(place, wait_s=math.inf)  # a player at the table may wait, or leave
        async with open_master(place, _warn, self._games) as master:
            self._opened.set_result(master)
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
