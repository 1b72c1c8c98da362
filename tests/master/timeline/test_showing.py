"""A timeline as it is shown: cursors, clocks, the time of day."""

import pytest

from master.timeline import showing
from master.timeline.showing import ShownTimeline
from master.timeline.spans import Ending, Kind
from master.timeline.timeline import Part, Timeline


def shown(count: int = 0) -> ShownTimeline:
    timeline = Timeline()
    timeline.advance(10.0)
    timeline.come(1, "attic", 1)
    for number in range(count):
        timeline.hand_out(1, Part(Kind.TRIALS, 1, number, 1))
        timeline.end(number, 1, Ending.DONE)
    return ShownTimeline(timeline, "ab", lambda: 12.0, 90.0)


def test_cursors_lead_through_all_spans_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "NEWS_MAX", 3)
    one, cursor, reported, lanes = shown(8), None, [], []
    for _ in range(4):
        news, is_whole = one.since(cursor)
        assert is_whole == (cursor is None)
        reported += news.spans[4]
        lanes += news.lanes
        cursor = one.cursor(news)
    assert reported == list(range(8))
    assert len(lanes) == 1
    assert not news.has_more


@pytest.mark.parametrize("cursor", ["", "x", "cd-1-1", "ab-1", "ab--1-2", "ab-1-2 "])
def test_unknown_cursors_begin_anew(cursor: str) -> None:
    news, is_whole = shown(2).since(cursor)
    assert is_whole
    assert len(news.spans[0]) == 2


def test_time_goes_on_while_nothing_happens() -> None:
    one = shown()
    assert one.since(None)[0].now == 2_000_000
    assert one.began_ms == 100_000
    assert ShownTimeline(one.timeline, "ab").began_ms is None
