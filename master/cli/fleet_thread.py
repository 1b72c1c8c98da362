"""A master in a thread of its own, for a command whose main thread waits for a person.

Knows threads and event loops; decides nothing about work.  The main thread reads lines and hears
Ctrl-C; the loop's thread keeps the links alive and analyses meanwhile.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self, TypeVar

from master.cli.place import Place
from master.cli.session import Master, open_master
from master.cli.watching import new_runner
from master.views import Notice

T = TypeVar("T")

START_S_MAX = 120.0
"""Engines load within seconds; the first analyser of a fleet may answer at a later call."""

LEAVE_S_MAX = 30.0
"""What is computed is stored and the links are closed within moments; then the process ends."""


class FleetThread:
    """A master and its analysers. Use it as a context manager."""

    def __init__(self, place: Place, on_notice: Callable[[Notice], None] | None = None) -> None:
        """Prepare a master at `place`; see open_master."""
        self._place = place
        self._on_notice = on_notice
        self._opened: Future[Master] = Future()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leaving: asyncio.Event | None = None
        self._begun: set[Future[Any]] = set()
        self._thread = threading.Thread(target=self._run, name="fleet", daemon=True)

    def __enter__(self) -> Self:
        """Open the master.

        Raises:
            CommandError: no analyser can be used.
            MasterError: no master answers, or the state directory cannot be used.
        """
        self._thread.start()
        self._opened.result(START_S_MAX)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close it; what was asked is given up, what was answered is kept."""
        for future in tuple(self._begun):
            future.cancel()
        if self._loop is not None and self._leaving is not None:
            self._loop.call_soon_threadsafe(self._leaving.set)
        self._thread.join(LEAVE_S_MAX)

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

    def _run(self) -> None:
        try:
            with new_runner() as runner:
                runner.run(self._serve())
        except BaseException as error:  # it is raised again where the master is waited for
            if self._opened.done():
                raise
            self._opened.set_exception(error)

    async def _serve(self) -> None:
        self._loop, self._leaving = asyncio.get_running_loop(), asyncio.Event()
        async with open_master(self._place, self._on_notice) as master:
            self._opened.set_result(master)
            await self._leaving.wait()
