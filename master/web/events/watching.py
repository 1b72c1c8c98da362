"""Looks at a master twice a second while it has readers, and wakes those with changes."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from master.contract.errors import MasterError
from master.contract.page_master import PageMaster
from master.contract.views import UPDATE_INTERVAL_S
from master.reports.report import Report
from master.web.events.feed import Feed
from master.web.events.frames import ALIVE, LATER, OPENING, changes_frame
from master.web.openapi import API_VERSION
from master.web.resources import JobRows, analyser_resources, figures_resource

HEARTBEAT_S = 10.0
"""After so long without a change a reader is told that there is none; the page takes three times as
long for a lost connection."""


POLLING_SHARE_MAX = 0.1
"""Of the time: where thousands of jobs are stored a look takes long, and comes less often."""


READERS_MAX = 64
"""Readers at a time: some people with some windows each, half of all connections. For a further one
the oldest reader of the host with the most is ended: a host that opens many cannot displace those
of others."""

FRAMES_MAX = 16
"""Events kept for readers that keep up: while nothing is new they all wait for the same one."""


def pause_s(took_s: float, interval_s: float) -> float:
    """Return how long to wait after a look that took so long."""
    return max(interval_s, took_s / POLLING_SHARE_MAX)


@dataclass(eq=False)
class _Reader:
    """One reader.

    Args:
        host: its address.
    """

    host: str
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    has_to_leave: bool = False


class Watching:
    """Follows one master.

    Args:
        master: the master to follow.
        name: the master's.
        interval_s: between two looks.
        heartbeat_s: between two lines to a reader.
    """

    def __init__(
        self,
        master: PageMaster,
        name: str,
        interval_s: float = UPDATE_INTERVAL_S,
        heartbeat_s: float = HEARTBEAT_S,
    ) -> None:
        self._master = master
        self._name = name
        self._interval_s = interval_s
        self._heartbeat_s = heartbeat_s
        self._feed = Feed(secrets.token_hex(8))
        self._frames: dict[str | None, tuple[str, bytes]] = {}
        self._rows = JobRows()
        self._state: dict[str, dict[str, Report]] = {}
        self._readers: dict[_Reader, None] = {}  # the oldest first
        self._polling: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._is_closed = False

    @property
    def reader_count(self) -> int:
        """How many follow."""
        return len(self._readers)

    async def frames(self, seen: str | None, host: str = "") -> AsyncGenerator[bytes, None]:
        """Yield events for one reader until the endpoint closes, or too many others have come.

        A slow reader skips intermediate states: with its next event it gets the newest one.

        Args:
            seen: the id of its last event; None: none.
            host: its address.
        """
        reader = _Reader(host)
        self._make_room()
        self._readers[reader] = None
        try:
            yield OPENING
            await self._start()
            while not self._is_closed and not reader.has_to_leave:
                reader.wake.clear()
                frame_sent = self._frame_since(seen)
                if frame_sent is not None:
                    seen, frame = frame_sent
                    yield frame
                elif not await self._woken(reader.wake):
                    yield ALIVE
            if reader.has_to_leave:
                yield LATER
        finally:
            self._readers.pop(reader, None)
            if not self._readers:
                await self._stop()

    def _make_room(self) -> None:
        """End the oldest reader of the host with the most, if one more would be too many."""
        if len(self._readers) < READERS_MAX:
            return
        [(most, _)] = Counter(reader.host for reader in self._readers).most_common(1)
        ended = next(reader for reader in self._readers if reader.host == most)
        del self._readers[ended]
        ended.has_to_leave = True
        ended.wake.set()

    async def aclose(self) -> None:
        """End all streams, and look no more."""
        self._is_closed = True
        self._wake()
        await self._stop()

    async def master_resource(self) -> Report:
        """Return the master and its numbers."""
        figures = figures_resource(await self._master.figures())
        return {"name": self._name, "api": API_VERSION, "figures": figures}

    def _frame_since(self, seen: str | None) -> tuple[str, bytes] | None:
        """Return the event from a state to the newest, and its id; made once for all readers."""
        frame_sent = self._frames.get(seen)
        if frame_sent is None and (changes := self._feed.since(seen)) is not None:
            frame_sent = changes.id, changes_frame(changes)
            if len(self._frames) >= FRAMES_MAX:
                self._frames.clear()
            self._frames[seen] = frame_sent
        return frame_sent

    def _record(self, state: dict[str, dict[str, Report]]) -> bool:
        """Receive the state anew; return whether anything changed."""
        is_new = self._feed.record(state)
        if is_new:
            self._frames.clear()
        return is_new

    async def _woken(self, wake: asyncio.Event) -> bool:
        """Whether something may be new before the next heartbeat; raises the last look's error."""
        if self._polling is not None and self._polling.done():
            self._polling.result()
        try:
            async with asyncio.timeout(self._heartbeat_s):
                await wake.wait()
        except TimeoutError:
            return False
        return True

    async def _start(self) -> None:
        """Look once, so that the first event is of now, and go on looking."""
        async with self._starting:
            if self._polling is None and not self._is_closed:
                self._record(await self._poll())
                self._polling = asyncio.create_task(self._observe())
                self._polling.add_done_callback(lambda _: self._wake())

    async def _stop(self) -> None:
        task, self._polling = self._polling, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def _wake(self) -> None:
        for reader in self._readers:
            reader.wake.set()

    async def _observe(self) -> None:
        took_s = 0.0
        while True:
            await asyncio.sleep(pause_s(took_s, self._interval_s))
            began = time.monotonic()
            if self._record(await self._poll()):
                self._wake()
            took_s = time.monotonic() - began

    async def _poll(self) -> dict[str, dict[str, Report]]:
        """Return the state; an unreadable part stays as it was, and the state has the reason."""
        try:
            rows = self._rows.rows(await self._master.jobs())
            analysers = analyser_resources(await self._master.who())
            master = await self.master_resource() | {"trouble": None}
        except MasterError as error:
            old = self._state.get("master", {}).get("master", {"name": self._name})
            self._state = self._state | {"master": {"master": old | {"trouble": str(error)}}}
            return self._state
        self._state = {
            "master": {"master": master},
            "analysers": {str(each["key"]): each for each in analysers},
            "jobs": {str(row["job"]): row for row in rows},
        }
        return self._state
