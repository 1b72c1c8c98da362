"""The ring of spans that have ended."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.timeline import journal as module
from master.timeline.journal import Journal
from master.timeline.spans import (
    COLUMNS,
    END,
    NOT_YET,
    STAYS_MAX,
    Ending,
    Kind,
    Lane,
    OpenSpan,
    SpanRing,
)
from master.timeline.timeline import Part, Timeline
from tests.master.timeline.streams import Walk, all_rows, check_laws, same

SIZE = 7


def span(number: int) -> list[int]:
    return [number] * len(COLUMNS)


@given(st.integers(0, 40), st.integers(0, 45), st.integers(1, 45))
def test_news_is_the_end_of_what_was_added(count: int, start: int, count_max: int) -> None:
    ring = SpanRing(SIZE)
    for number in range(count):
        ring.append(span(number))
    kept = list(range(count))[-SIZE:] if count else []
    wanted = [number for number in kept if number >= start][:count_max]
    assert ring.rows(start, count_max) == [wanted] * len(COLUMNS)
    assert (ring.first, ring.end) == (kept[0] if kept else 0, count)


@given(st.integers(0, 20), st.integers(0, 25))
def test_what_is_old_is_forgotten(count: int, time: int) -> None:
    ring = SpanRing(SIZE)
    for number in range(count):
        ring.append(span(number))
    ring.forget_before(time)
    ends = ring.rows(0, count + 1)[END]
    assert ends == [number for number in range(count)[-SIZE:] if number >= time]
    ring.append(span(count))
    assert ring.rows(0, count + 1)[END] == [*ends, count][-SIZE:]


def opened(lane: Lane, handed: int, *, is_urgent: bool = False) -> OpenSpan:
    found = OpenSpan(lane, Kind.TRIALS, 1, handed, 1, 0, 1, handed, is_urgent)
    lane.add(found)
    return found


def test_a_part_waits_for_a_worker_and_begins_when_one_is_free() -> None:
    lane = Lane(0, "attic", 2)
    one, two, three = (opened(lane, at) for at in (1, 2, 3))
    assert [(each.begin, each.row) for each in (one, two, three)] == [(1, 0), (2, 1), (-1, -1)]
    lane.remove(one, 9)
    assert (three.begin, three.row) == (9, 0)


def test_an_urgent_part_begins_at_once_and_another_urgent_one_waits_for_it() -> None:
    lane = Lane(0, "attic", 1)
    slow = opened(lane, 1)
    urgent, second = opened(lane, 2, is_urgent=True), opened(lane, 3, is_urgent=True)
    assert (slow.row, urgent.begin, urgent.row, second.begin) == (0, 2, 1, NOT_YET)
    lane.remove(urgent, 5)
    assert (second.begin, second.row) == (5, 1)


def test_a_part_that_nobody_began_ends_as_it_begins() -> None:
    lane = Lane(0, "attic", 1)
    opened(lane, 1)
    waiting = opened(lane, 2)
    lane.remove(waiting, 7)
    assert (waiting.begin, waiting.row) == (7, NOT_YET)


def test_more_workers_begin_what_waits() -> None:
    lane = Lane(0, "attic", 1)
    spans = [opened(lane, at) for at in range(3)]
    lane.workers = 2
    lane.begin_waiting(8)
    assert [each.begin for each in spans] == [0, 8, NOT_YET]


def test_stays_are_bounded() -> None:
    lane = Lane(0, "attic", 1)
    for time in range(STAYS_MAX + 5):
        lane.arrive(time, 1, 2 * time)
        lane.leave(2 * time + 1)
    assert len(lane.stays) == STAYS_MAX
    assert lane.stays[-1] == [2 * time, 2 * time + 1]
    assert lane.session is None


@pytest.mark.slow
@given(st.integers(0, 1 << 32), st.integers(0, 100), st.integers(0, 100))
def test_what_is_read_later_is_what_was_written(seed: int, first: int, rest: int) -> None:
    straight, late = Timeline(), Timeline()
    journal = Journal(late)
    walks = [Walk(random.Random(seed), reported) for reported in (straight, journal)]
    for steps in (first, rest):
        for walk in walks:
            for _ in range(steps):
                walk.step()
        assert journal.read()
        late.advance(walks[0].now)
        straight.advance(walks[0].now)
        assert same(late.news(), straight.news())


def test_it_is_read_a_block_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK_TURNS", 4)
    timeline = Timeline()
    journal = Journal(timeline)
    journal.come(1, "attic", 1)
    for number in range(5):
        journal.advance(float(number))
        journal.hand_out(1, Part(Kind.TRIALS, 1, number, 1))
        journal.end(number, 1, Ending.DONE)
    reads: list[bool] = []
    while not reads or not reads[-1]:
        reads.append(journal.read())
    assert reads == [False, False, True]
    assert [row.part for row in all_rows(timeline)] == [0, 1, 2, 3, 4]


@given(st.integers(0, 1 << 32), st.integers(0, 150))
def test_of_what_is_dropped_the_analysers_are_still_named(seed: int, steps: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK_TURNS", 10)
        straight, late = Timeline(), Timeline()
        journal = Journal(late, blocks_max=3)
        for reported in (straight, journal):
            walk = Walk(random.Random(seed), reported)
            for _ in range(steps):
                walk.step()
        assert len(journal._blocks) <= 3
        while not journal.read():
            continue
        late.advance(walk.now)
        straight.advance(walk.now)
        check_laws(late)
        lanes = [[lane.stays for lane in each.news().lanes] for each in (late, straight)]
        assert lanes[0] == lanes[1]
        known = {(row.part, row.attempt) for row in all_rows(straight)}
        assert {(row.part, row.attempt) for row in all_rows(late)} <= known
