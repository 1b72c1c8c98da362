"""A timeline: lanes of analysers, the parts that each was handed, and how these ended.

Its callers are turns.py and a service. They pass times in the clock's unit,
and these never go back; inside, times are whole ticks since the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from master.timeline.spans import (
    COLUMNS,
    NOT_YET,
    SPANS_MAX,
    Ending,
    Kind,
    Lane,
    OpenSpan,
    SpanRing,
)

KEPT_S = 3_600
"""An hour: to find out why a night's run failed, its last hour is enough."""

LANES_MAX = 1_024
"""As many as a large fleet has; of more those gone longest are forgotten."""

NAMES_MAX = 1_024
"""Jobs and searches whose games are known."""

REHANDED_MAX = 16
"""Earlier attempts of a part that are compared; at most two or three go on at a time."""

Key = tuple[int, int]
"""A part and its attempt."""


@dataclass(frozen=True)
class Unit:
    """The unit of time.

    Args:
        name: of a tick's multiple that people read: `s` or `nodes`.
        ticks: in one of it.
        kept: so many of it are remembered; None: all, as far as there is room.
    """

    name: str
    ticks: int
    kept: int | None


SECONDS = Unit("s", 1_000_000, KEPT_S)
NODES = Unit("nodes", 1, None)
RECORDED = Unit("s", 1_000_000, None)
"""Of a log, which is shown whole as far as there is room."""


class Part(NamedTuple):
    """A part that is handed out; see OpenSpan.  Its kind is one of Kind."""

    kind: int
    job: int
    part: int
    attempt: int
    first: int = 0
    trials: int = 1
    is_urgent: bool = False


@dataclass(frozen=True, slots=True)
class News:
    """News since a cursor.

    Args:
        ended: number behind the last of these spans.
        changes: count of changes of lanes and names up to this news.
        now: the time, in ticks.
        first: number of the oldest span that is kept.
        lanes: those that changed.
        names: of (kind, job) the game, where it is new.
        spans: columns of those that ended.
        open: columns of those that go on, if all that ended are in the news so far.
        open_left_out: how many go on beside them.
        has_more: more spans have ended.
    """

    ended: int
    changes: int
    now: int
    first: int
    lanes: list[Lane]
    names: dict[tuple[int, int], str]
    spans: list[list[int]]
    open: list[list[int]]
    open_left_out: int
    has_more: bool


class Timeline:
    """Lanes and spans, bounded in time and number."""

    def __init__(self, unit: Unit = SECONDS, spans_max: int = SPANS_MAX) -> None:
        self.unit = unit
        self._ring = SpanRing(spans_max)
        self._origin: float | None = None
        self._now = 0
        self._changes = 0
        self._lane_count = 0
        self._lanes: dict[int, Lane] = {}
        self._sessions: dict[int, Lane] = {}
        self._away: dict[int, int] = {}  # until when
        self._open: dict[Key, OpenSpan] = {}
        self._names: dict[tuple[int, int], tuple[str, int]] = {}

    @property
    def origin(self) -> float:
        """The clock's time at tick 0."""
        return self._origin or 0.0

    @property
    def open_count(self) -> int:
        """Attempts that go on."""
        return len(self._open)

    def advance(self, now: float) -> None:
        """Let time pass: end sessions that were away too long, and forget the oldest spans."""
        if self._origin is None:
            self._origin = now
        ticks = max(self._now, round((now - self._origin) * self.unit.ticks))
        if self._away:
            for until, session in sorted((until, each) for each, until in self._away.items()):
                if until <= ticks:
                    self._now = max(self._now, until)
                    self.go(session)
        self._now = ticks
        if self.unit.kept is not None:
            self._ring.forget_before(self._now - self.unit.kept * self.unit.ticks)

    # Analysers.

    def come(self, session: int, name: str, workers: int) -> None:
        """An analyser is ready: a new session, or one that came back with all it has."""
        lane = self._sessions.get(session)
        if lane is None:
            lane = self._lane_of(name)
            self._sessions[session] = lane
            lane.arrive(session, workers, self._now)
        else:
            self._come_back(session, lane)
        self._resize(lane, workers)

    def resize(self, session: int, workers: int) -> None:
        """An analyser has another number of workers."""
        lane = self._sessions.get(session)
        if lane is not None:
            self._resize(lane, workers)

    def be_away(self, session: int, until: float) -> None:
        """A connection is cut, and waited for; its searches do not wait."""
        lane = self._sessions.get(session)
        if lane is None:
            return
        self._away[session] = round((until - self.origin) * self.unit.ticks)
        for span in [span for span in lane.open if span.kind == Kind.SEARCH]:
            self._close(span, Ending.LOST)

    def go(self, session: int) -> None:
        """An analyser is gone, and all that it has is lost."""
        lane = self._sessions.pop(session, None)
        self._away.pop(session, None)
        if lane is None:
            return
        for span in sorted(lane.open, key=lambda span: span.begin):  # waiting parts never begin
            self._close(span, Ending.LOST)
        lane.leave(self._now)
        self._note_change(lane)

    def _lane_of(self, name: str) -> Lane:
        """Return the lane of an analyser: its own again, or a new one."""
        for lane in self._lanes.values():
            if lane.session is None and lane.name == name:
                return lane
        if len(self._lanes) >= LANES_MAX:
            gone = (lane for lane in self._lanes.values() if lane.session is None)
            oldest = min(gone, key=lambda lane: lane.stays[-1][1], default=None)
            if oldest is not None:
                del self._lanes[oldest.number]
        lane = self._lanes[self._lane_count] = Lane(self._lane_count, name, 1)
        self._lane_count += 1
        return lane

    def _come_back(self, session: int, lane: Lane) -> None:
        """Go on with a session.

        A request to stop may have been lost, or its answer: neither is waited for.  A part that
        is asked to stop later may never have arrived.
        """
        self._away.pop(session, None)
        for span in list(lane.open):
            span.is_doubtful = True
            if span.stop != NOT_YET:
                self._close(span, _stopped(span))

    def _resize(self, lane: Lane, workers: int) -> None:
        lane.workers = max(1, workers)
        lane.begin_waiting(self._now)
        self._note_change(lane)

    def _note_change(self, lane: Lane) -> None:
        self._changes += 1
        lane.changed = self._changes

    # Parts.

    def name(self, kind: int, job: int, game: str) -> None:
        """Note the game of a job, or of a search."""
        self._names.pop((kind, job), None)
        while len(self._names) >= NAMES_MAX:
            del self._names[next(iter(self._names))]
        self._changes += 1
        self._names[kind, job] = (game, self._changes)

    def hand_out(self, session: int, part: Part) -> None:
        """An analyser is handed a part; to one that is not there nothing is sent.

        Raises:
            ValueError: this attempt of it goes on already.
        """
        lane = self._sessions.get(session)
        if lane is None:
            return
        key = part.part, part.attempt
        if key in self._open:
            raise ValueError(f"part {part.part}/{part.attempt} is handed out twice")
        span = OpenSpan(
            lane, part.kind, part.job, part.part, part.attempt, part.first, part.trials, self._now,
            part.is_urgent,
        )  # fmt: skip
        self._open[key] = span
        lane.add(span)
        if part.attempt > 1:
            for attempt in range(max(1, part.attempt - REHANDED_MAX), part.attempt):
                earlier = self._open.get((part.part, attempt))
                if earlier is not None:
                    earlier.is_rehanded = True

    def ask_to_stop(self, part: int, attempt: int, *, is_shot: bool = False) -> None:
        """A part is asked to stop."""
        span = self._open.get((part, attempt))
        if span is None:
            return
        span.stop = self._now if span.stop == NOT_YET else span.stop
        span.is_shot |= is_shot
        if span.is_doubtful:
            self._close(span, _stopped(span))

    def end(self, part: int, attempt: int, ending: Ending | None = None) -> None:
        """The final reply of an attempt has come; of one that is over nothing is new.

        Args:
            part: the part.
            attempt: its attempt.
            ending: DONE, STOPPED, FAILED or LOST; None: done, unless it was asked to stop.
        """
        span = self._open.get((part, attempt))
        if span is None:
            return
        if ending is None:
            ending = Ending.DONE if span.stop == NOT_YET else Ending.STOPPED
        self._close(span, _stopped(span) if ending is Ending.STOPPED else ending)

    def _close(self, span: OpenSpan, ending: Ending) -> None:
        del self._open[span.part, span.attempt]
        span.lane.remove(span, self._now)
        self._ring.append(_row(span, self._now, ending))

    # Its readers.

    def news(
        self,
        ended: int = 0,
        changes: int = 0,
        count_max: int = SPANS_MAX,
        *,
        is_behind: bool = False,
    ) -> News:
        """Return the news for a reader that has got so many spans and changes.

        Args:
            ended: spans that the reader has.
            changes: changes that the reader has.
            count_max: return no more spans.
            is_behind: the journal holds events that the timeline has not got yet.
        """
        first = max(ended, self._ring.first)
        spans = self._ring.rows(first, count_max)
        end = first + len(spans[0])
        has_more = is_behind or end < self._ring.end
        shown = [] if has_more else list(self._open.values())[:count_max]
        open_spans = [_row(span, NOT_YET, Ending.RUNNING) for span in shown]
        return News(
            ended=end,
            changes=self._changes,
            now=self._now,
            first=self._ring.first,
            lanes=[lane for lane in self._lanes.values() if lane.changed > changes],
            names={key: name for key, (name, at) in self._names.items() if at > changes},
            spans=spans,
            open=[list(column) for column in zip(*open_spans, strict=True)]
            or [[] for _ in COLUMNS],
            open_left_out=0 if has_more else len(self._open) - len(shown),
            has_more=has_more,
        )


def _stopped(span: OpenSpan) -> Ending:
    """Return how a span ended that did not come to its end."""
    if span.is_shot:
        return Ending.SHOT
    return Ending.REHANDED if span.is_rehanded else Ending.STOPPED


def _row(span: OpenSpan, end: int, ending: Ending) -> tuple[int, ...]:
    """Return a span in the order of COLUMNS."""
    return (
        span.lane.number, span.row, span.kind, span.job, span.part, span.attempt, span.first,
        span.count, span.handed, span.begin, span.stop, end, ending,
    )  # fmt: skip
