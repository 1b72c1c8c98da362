"""Who of an analyser's workers has which part."""

from master.timeline.lanes import NOT_YET, STAYS_MAX, Lane, OpenSpan
from master.timeline.spans import Kind


def span(lane: Lane, handed: int, *, is_urgent: bool = False) -> OpenSpan:
    found = OpenSpan(lane, Kind.TRIALS, 1, handed, 1, 0, 1, handed, is_urgent)
    lane.add(found)
    return found


def test_a_part_waits_for_a_worker_and_begins_when_one_is_free() -> None:
    lane = Lane(0, "attic", 2)
    one, two, three = (span(lane, at) for at in (1, 2, 3))
    assert [(each.begin, each.row) for each in (one, two, three)] == [(1, 0), (2, 1), (-1, -1)]
    lane.remove(one, 9)
    assert (three.begin, three.row) == (9, 0)


def test_an_urgent_part_begins_at_once_and_another_urgent_one_waits_for_it() -> None:
    lane = Lane(0, "attic", 1)
    slow = span(lane, 1)
    urgent, second = span(lane, 2, is_urgent=True), span(lane, 3, is_urgent=True)
    assert (slow.row, urgent.begin, urgent.row, second.begin) == (0, 2, 1, NOT_YET)
    lane.remove(urgent, 5)
    assert (second.begin, second.row) == (5, 1)


def test_a_part_that_nobody_began_ends_as_it_begins() -> None:
    lane = Lane(0, "attic", 1)
    span(lane, 1)
    waiting = span(lane, 2)
    lane.remove(waiting, 7)
    assert (waiting.begin, waiting.row) == (7, NOT_YET)


def test_more_workers_begin_what_waits() -> None:
    lane = Lane(0, "attic", 1)
    spans = [span(lane, at) for at in range(3)]
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
