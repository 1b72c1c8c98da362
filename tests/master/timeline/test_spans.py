"""The ring of spans that have ended."""

from hypothesis import given
from hypothesis import strategies as st

from master.timeline.spans import COLUMNS, END, SpanRing

SIZE = 7


def span(number: int) -> list[int]:
    return [number] * len(COLUMNS)


@given(st.integers(0, 40), st.integers(0, 45), st.integers(1, 45))
def test_what_is_told_is_the_end_of_what_was_added(count: int, start: int, count_max: int) -> None:
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
