"""Streams of what a timeline is told, and what must be true of every timeline."""

import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from master.timeline.journal import TimelineRecorder
from master.timeline.spans import COLUMNS, NOT_YET, Ending, Kind
from master.timeline.timeline import News, Part, Timeline


@dataclass(frozen=True)
class Row:
    """A span, by the names of its columns."""

    lane: int
    row: int
    kind: int
    job: int
    part: int
    attempt: int
    first: int
    count: int
    handed: int
    begin: int
    stop: int
    end: int
    ending: int


def rows_of(columns: list[list[int]]) -> list[Row]:
    assert len(columns) == len(COLUMNS)
    return [Row(*each) for each in zip(*columns, strict=True)]


def all_rows(timeline: Timeline) -> list[Row]:
    news = timeline.news()
    return rows_of(news.spans) + rows_of(news.open)


def check_laws(timeline: Timeline, workers_max: int | None = None) -> list[Row]:
    """Assert what is true of every timeline; return its spans."""
    rows = all_rows(timeline)
    keys = [(row.part, row.attempt) for row in rows]
    assert len(set(keys)) == len(keys), "an attempt has one span"
    by_worker: defaultdict[tuple[int, int], list[Row]] = defaultdict(list)
    for row in rows:
        end = timeline.news().now if row.end == NOT_YET else row.end
        assert 0 <= row.handed <= end
        assert (row.end == NOT_YET) == (row.ending == Ending.RUNNING)
        if row.begin != NOT_YET:
            assert row.handed <= row.begin <= end
        if row.stop != NOT_YET:
            assert row.handed <= row.stop <= end
        if row.row != NOT_YET:
            by_worker[row.lane, row.row].append(row)
        assert workers_max is None or row.row < workers_max
    for spans in by_worker.values():
        spans.sort(key=lambda row: (row.begin, row.end == NOT_YET, row.end))
        for one, other in pairwise(spans):
            assert one.end != NOT_YET, "a worker has one part at a time"
            assert one.end <= other.begin, "a worker has one part at a time"
    return rows


def same(one: News, other: News) -> bool:
    """Whether two timelines tell the same; lanes are compared by what they say."""

    def plain(news: News) -> object:
        lanes = [(lane.number, lane.name, lane.workers, lane.stays) for lane in news.lanes]
        return lanes, news.names, news.spans, news.open, news.now

    return plain(one) == plain(other)


def random_timeline(seed: int, steps: int, spans_max: int = 1000) -> Timeline:
    """Return a timeline after random things have happened."""
    timeline = Timeline(spans_max=spans_max)
    walk = Walk(random.Random(seed), timeline)
    for _ in range(steps):
        walk.step()
    return timeline


@dataclass
class Walk:
    """Random things that happen to a timeline, each step one of them."""

    rng: random.Random
    timeline: TimelineRecorder
    now: float = 0.0
    steps: int = 0
    parts: list[tuple[int, int]] = field(default_factory=list)
    sessions: list[int] = field(default_factory=list)

    def step(self) -> None:
        rng = self.rng
        self.now += rng.choice([0.0, rng.uniform(0, 2)])
        self.steps += 1
        self.timeline.advance(self.now)
        acts: list[Callable[[], None]] = [self.come]
        if self.sessions:
            acts += [self.hand_out] * 5 + [self.change]
        if self.parts:
            acts += [self.stop, self.end, self.end]
        rng.choice(acts)()

    def come(self) -> None:
        self.sessions.append(self.steps)
        self.timeline.come(self.steps, f"a{self.rng.randrange(4)}", self.rng.randint(1, 3))

    def hand_out(self) -> None:
        rng, number, attempt = self.rng, self.steps, 1
        if self.parts and rng.random() < 0.2:
            number, attempt = rng.choice(self.parts)
            attempt += 1
        if (number, attempt) in self.parts:
            return
        self.parts.append((number, attempt))
        kind, is_urgent = rng.choice(list(Kind)), rng.random() < 0.2
        part = Part(kind, 1, number, attempt, is_urgent=is_urgent)
        self.timeline.hand_out(rng.choice(self.sessions), part)

    def change(self) -> None:
        timeline, session, workers = self.timeline, self.rng.choice(self.sessions), 2
        acts: list[Callable[[], None]] = [
            lambda: timeline.go(session),
            lambda: timeline.be_away(session, self.now + 1.0),
            lambda: timeline.come(session, "back", workers),
            lambda: timeline.resize(session, self.rng.randint(1, 3)),
        ]
        self.rng.choice(acts)()

    def stop(self) -> None:
        self.timeline.ask_to_stop(*self.rng.choice(self.parts), is_shot=self.rng.random() < 0.3)

    def end(self) -> None:
        ending = self.rng.choice([Ending.DONE, Ending.FAILED, None])
        self.timeline.end(*self.rng.choice(self.parts), ending)
