"""Changes of a master for its readers: looked up twice a second, sent by numbered states."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field, fields, replace

from master.api.messages import API_VERSION, JobRow, MasterState, StateChanges, StatePart
from master.api.routing import adapter
from master.api.streams import frame
from master.contract.errors import MasterError
from master.contract.master import PageMaster
from master.contract.views import UPDATE_INTERVAL_S, JobView
from master.games.table import position_of
from master.reports.job_table import question_line

State = dict[str, dict[str, StatePart]]
"""By kind, and of a kind by key."""

GONE_MAX = 1_000
"""So many keys of resources that are gone are remembered, a day's forgotten jobs. A reader with an
older state gets everything anew."""

_ID = re.compile(r"([0-9a-f]{1,32})-([0-9]{1,18})")


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes between a reader's state and the newest one.

    Args:
        id: names the newest state; the reader sends it with its next request.
        is_whole: it replaces all that the reader has, else it adds to that.
        changed: of each kind the resources that are new or other, in the order of the state.
        gone: of each kind the keys of those that are no more.
    """

    id: str
    is_whole: bool
    changed: dict[str, list[StatePart]]
    gone: dict[str, list[str]]


class Feed:
    """A state, and when each of its resources changed at last.

    Args:
        epoch: hexadecimal digits that no other feed had: ids of another one mean nothing here.
    """

    def __init__(self, epoch: str) -> None:
        self._epoch = epoch
        self._revision = 0
        self._whole_before = 0  # readers of earlier revisions have missed removals
        self._state: State = {}
        self._changed_at: dict[tuple[str, str], int] = {}
        self._gone: dict[tuple[str, str], int] = {}  # the longest gone first

    @property
    def id(self) -> str:
        """Names the state as it is now."""
        return f"{self._epoch}-{self._revision}"

    def record(self, state: State) -> bool:
        """Receive the state anew.

        Returns:
            Whether anything changed.
        """
        old = _flat(self._state)
        new = _flat(state)
        other = [key for key, resource in new.items() if old.get(key) != resource]
        gone = [key for key in old if key not in new]
        self._state = state
        if not other and not gone:
            return False
        self._revision += 1
        for key in other:
            self._changed_at[key] = self._revision
            self._gone.pop(key, None)
        for key in gone:
            del self._changed_at[key]
            self._gone[key] = self._revision
        while len(self._gone) > GONE_MAX:
            oldest = next(iter(self._gone))
            self._whole_before = self._gone.pop(oldest)
        return True

    def since(self, seen: str | None) -> Changes | None:
        """Return the changes since a state.

        Args:
            seen: the state's id, from the reader; None: it has none.

        Returns:
            None: nothing is new.
        """
        revision = self._revision_of(seen)
        if revision is None:
            whole = {kind: list(of_kind.values()) for kind, of_kind in self._state.items()}
            return Changes(self.id, True, whole, {})
        if revision == self._revision:
            return None
        changed: dict[str, list[StatePart]] = {}
        for kind, of_kind in self._state.items():
            for key, resource in of_kind.items():
                if self._changed_at[kind, key] > revision:
                    changed.setdefault(kind, []).append(resource)
        gone: dict[str, list[str]] = {}
        for (kind, key), at in self._gone.items():
            if at > revision:
                gone.setdefault(kind, []).append(key)
        return Changes(self.id, False, changed, gone)

    def _revision_of(self, seen: str | None) -> int | None:
        """Return the revision of an id from which a reader can go on; None: there is none."""
        match = _ID.fullmatch(seen or "")
        if match is None or match[1] != self._epoch:
            return None
        revision = int(match[2])
        return revision if self._whole_before <= revision <= self._revision else None


def _flat(state: State) -> dict[tuple[str, str], StatePart]:
    return {
        (kind, key): resource
        for kind, of_kind in state.items()
        for key, resource in of_kind.items()
    }


RETRY_MS = 2_000
"""Time that a browser waits before it connects again."""

OPENING = f"retry: {RETRY_MS}\n\n".encode()

LATER_MS = 30_000
"""The same after its stream ended for another reader, so that the two do not take turns."""

LATER = f"retry: {LATER_MS}\n\n".encode()

ALIVE = frame("alive", b"{}")
"""A heartbeat: nothing changed. It is an event and no comment, for scripts do not get comments."""

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
        self.name = name
        self._interval_s = interval_s
        self._heartbeat_s = heartbeat_s
        self._feed = Feed(secrets.token_hex(8))
        self._frames: dict[str | None, tuple[str, bytes]] = {}
        self._rows = JobRows()
        self._state: State = {}
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

    async def master_state(self) -> MasterState:
        """Return the master and its numbers."""
        return MasterState(self.name, API_VERSION, await self._master.figures())

    def _frame_since(self, seen: str | None) -> tuple[str, bytes] | None:
        """Return the event from a state to the newest, and its id; made once for all readers."""
        frame_sent = self._frames.get(seen)
        if frame_sent is None and (changes := self._feed.since(seen)) is not None:
            frame_sent = changes.id, changes_frame(changes)
            if len(self._frames) >= FRAMES_MAX:
                self._frames.clear()
            self._frames[seen] = frame_sent
        return frame_sent

    def _record(self, state: State) -> bool:
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

    async def _poll(self) -> State:
        """Return the state; an unreadable part stays as it was, and the state has the reason."""
        try:
            rows = self._rows.rows(await self._master.jobs())
            analysers = await self._master.who()
            master = await self.master_state()
        except MasterError as error:
            old = self._state.get("master", {}).get("master")
            if not isinstance(old, MasterState):
                old = MasterState(self.name, API_VERSION, None)
            self._state = self._state | {"master": {"master": replace(old, trouble=str(error))}}
            return self._state
        self._state = {
            "master": {"master": master},
            "analysers": {each.key: each for each in analysers},
            "jobs": {str(row.job): row for row in rows},
        }
        return self._state


def changes_frame(changes: Changes) -> bytes:
    """Return changes as one event: `state`, which is the whole, or `changes`."""
    name = "state" if changes.is_whole else "changes"
    content = StateChanges(changes.changed, changes.gone)
    return frame(name, adapter(StateChanges).dump_json(content), changes.id)


class JobRows:
    """Makes jobs' rows, and only those anew of which something changed."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[JobView, JobRow]] = {}

    def rows(self, views: Sequence[JobView]) -> list[JobRow]:
        """Return the rows of all jobs there are, in their order."""
        known = self._known
        self._known = {}
        for view in views:
            old = known.get(view.job)
            row = old[1] if old is not None and old[0] == view else job_row(view)
            self._known[view.job] = (view, row)
        return [row for _, row in self._known.values()]


_JOB_FIELDS = tuple(each.name for each in fields(JobView))


def job_row(view: JobView) -> JobRow:
    """Return a job with its question for people."""
    known = {name: getattr(view, name) for name in _JOB_FIELDS}
    return JobRow(**known, question=question_line(view), position=position_of(view))
