"""A timeline: laws of every one, and what becomes of parts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.timeline import timeline as module
from master.timeline.spans import NOT_YET, Ending, Kind
from master.timeline.timeline import KEPT_S, NAMES_MAX, Part, Timeline
from tests.master.timeline.streams import all_rows, check_laws, random_timeline, rows_of

SECOND = 1_000_000


@given(st.integers(0, 1 << 32), st.integers(0, 120))
def test_laws_hold_whatever_happens(seed: int, steps: int) -> None:
    check_laws(random_timeline(seed, steps))


@given(st.integers(0, 1 << 32), st.integers(0, 120), st.integers(1, 9))
def test_news_bit_by_bit_is_the_whole(seed: int, steps: int, count_max: int) -> None:
    timeline = random_timeline(seed, steps)
    whole, ended, reported = timeline.news(), 0, []
    while True:
        news = timeline.news(ended, 0, count_max)
        reported += rows_of(news.spans)
        ended = news.ended
        if not news.has_more:
            break
        assert news.open == [[]] * len(news.open)
    assert reported == rows_of(whole.spans)
    assert news.open_left_out + len(news.open[0]) == timeline.open_count


@pytest.mark.slow
@given(st.integers(0, 1 << 32), st.integers(20, 200))
def test_only_the_newest_are_kept(seed: int, steps: int) -> None:
    few, all_of_them = random_timeline(seed, steps, 5), random_timeline(seed, steps)
    assert few.news().spans == [column[-5:] for column in all_of_them.news().spans]


def one_analyser() -> Timeline:
    timeline = Timeline()
    timeline.advance(100.0)
    timeline.come(7, "attic", 1)
    return timeline


def part(number: int = 1, attempt: int = 1) -> Part:
    return Part(Kind.TRIALS, 3, number, attempt, 10, 5)


def test_a_span_says_who_had_what_from_when_to_when() -> None:
    timeline = one_analyser()
    timeline.hand_out(7, part())
    timeline.advance(101.5)
    timeline.end(1, 1, Ending.DONE)
    (row,) = all_rows(timeline)
    assert (row.lane, row.row, row.job, row.first, row.count) == (0, 0, 3, 10, 5)
    assert (row.handed, row.begin, row.end, row.ending) == (0, 0, 1.5 * SECOND, Ending.DONE)
    assert timeline.origin == 100.0


@pytest.mark.parametrize(
    ("is_shot", "is_rehanded", "ending"),
    [
        (False, False, Ending.STOPPED),
        (False, True, Ending.REHANDED),
        (True, True, Ending.SHOT),
    ],
)
def test_a_stop_says_why(is_shot: bool, is_rehanded: bool, ending: Ending) -> None:
    timeline = one_analyser()
    timeline.come(8, "barn", 1)
    timeline.hand_out(7, part())
    if is_rehanded:
        timeline.hand_out(8, part(attempt=2))
    timeline.ask_to_stop(1, 1, is_shot=is_shot)
    timeline.advance(100.5)
    timeline.end(1, 1, Ending.STOPPED)
    row = all_rows(timeline)[0]
    assert (row.ending, row.stop, row.end) == (ending, 0, SECOND // 2)


def test_who_goes_loses_what_it_has_and_its_lane_waits_for_it() -> None:
    timeline = one_analyser()
    timeline.hand_out(7, part())
    timeline.advance(102.0)
    timeline.go(7)
    timeline.advance(103.0)
    timeline.come(8, "attic", 2)
    (lane,) = timeline.news().lanes
    assert lane.stays == [[0, 2 * SECOND], [3 * SECOND, NOT_YET]]
    assert (lane.number, lane.workers) == (0, 2)
    assert [row.ending for row in all_rows(timeline)] == [Ending.LOST]


def test_who_is_away_too_long_is_gone_and_its_searches_at_once() -> None:
    timeline = one_analyser()
    timeline.resize(7, 2)
    timeline.hand_out(7, part())
    timeline.hand_out(7, Part(Kind.SEARCH, 1, 1 << 52, 1))
    timeline.be_away(7, 101.0)
    assert {row.kind: row.ending for row in all_rows(timeline)} == {
        Kind.TRIALS: Ending.RUNNING,
        Kind.SEARCH: Ending.LOST,
    }
    timeline.advance(101.0)
    assert timeline.open_count == 0


def test_who_comes_back_goes_on_but_with_what_was_to_be_stopped() -> None:
    timeline = one_analyser()
    for number in (1, 2, 3):
        timeline.hand_out(7, part(number))
    timeline.ask_to_stop(1, 1)
    timeline.be_away(7, 101.0)
    timeline.come(7, "attic", 1)
    timeline.advance(105.0)
    timeline.ask_to_stop(2, 1)
    assert [row.ending for row in all_rows(timeline)] == [Ending.STOPPED, Ending.STOPPED, 0]


def test_nothing_is_sent_to_who_is_not_there_and_nothing_twice() -> None:
    timeline = one_analyser()
    timeline.hand_out(9, part())
    assert all_rows(timeline) == []
    timeline.hand_out(7, part())
    with pytest.raises(ValueError, match="1/1 is handed out twice"):
        timeline.hand_out(7, part())


def test_an_hour_is_kept() -> None:
    timeline = one_analyser()
    for number, now in enumerate((100.0, 200.0)):
        timeline.advance(now)
        timeline.hand_out(7, part(number))
        timeline.end(number, 1, Ending.DONE)
    timeline.advance(150.0 + KEPT_S)
    assert [row.part for row in all_rows(timeline)] == [1]


def test_lanes_and_names_are_sent_once_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LANES_MAX", 3)
    timeline = Timeline()
    timeline.advance(0.0)
    for number in range(1, 6):
        timeline.come(number, f"a{number}", 1)
        if number > 1:
            timeline.go(number)
    for job in range(NAMES_MAX + 5):
        timeline.name(Kind.TRIALS, job, "noop")
    news = timeline.news()
    assert [lane.name for lane in news.lanes] == ["a1", "a4", "a5"]
    assert len(news.names) == NAMES_MAX
    again = timeline.news(news.ended, news.changes)
    assert (again.lanes, again.names) == ([], {})
