"""A simulated search as lines, and read again."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.search.events import (
    AnalyserCame,
    AnalyserWent,
    BracketNarrowed,
    DropAnalyser,
    HandOutPart,
    SearchAnswered,
    SearchFailed,
    SearchPartEnded,
    SendEntries,
    StopSearchPart,
    TableNews,
)
from master.timeline.reading import SearchLogHead, first_line, read_head, read_turn, turn_line

NUMBER = st.integers(0, 1 << 40)
KEY = (NUMBER, NUMBER, NUMBER)
EVENTS = st.lists(
    st.builds(AnalyserCame, NUMBER)
    | st.builds(AnalyserWent, NUMBER)
    | st.builds(SearchPartEnded, *KEY, st.just(0), st.just(0)),
    min_size=1,
)
COMMANDS = st.lists(
    st.builds(HandOutPart, *KEY, st.just(b""), NUMBER, st.just(0), st.just(0))
    | st.builds(StopSearchPart, *KEY, st.booleans())
    | st.builds(DropAnalyser, NUMBER, st.just(""))
    | st.builds(SearchAnswered, NUMBER, NUMBER, st.none())
    | st.builds(SearchFailed, NUMBER, st.just("")),
)
TIME = st.floats(0, 1e12)


@pytest.mark.slow
@given(TIME, EVENTS, COMMANDS)
def test_what_is_kept_of_a_turn_is_read_as_it_was(
    now: float, events: list[object], commands: list[object]
) -> None:
    line = turn_line(now, events, commands)  # type: ignore[arg-type]
    assert line is not None
    assert line.isascii()
    assert read_turn(line) == (now, events, commands)


def test_what_nobody_looks_at_is_left_out() -> None:
    news, entries = TableNews(1, ()), SendEntries(1, ())
    assert turn_line(1.0, [news], [entries, BracketNarrowed(1, 0, 1, None)]) is None


def test_head_is_read_as_it_was() -> None:
    head = SearchLogHead("FFO40, 8 processors", 4, 69.0)
    assert read_head(json.loads(first_line(head))) == head


@pytest.mark.parametrize(
    "change", [{"workers": 0}, {"workers": True}, {"title": 1}, {"node_ns": "1"}]
)
def test_bad_head_is_refused(change: dict[str, object]) -> None:
    head = json.loads(first_line(SearchLogHead("x"))) | change
    with pytest.raises(ValueError, match="expected a title"):
        read_head(head)


@pytest.mark.parametrize(
    "line",
    [
        "", "{}", "[1]", "[1, 2, 3]", '["a", [], []]', '[1, [["what", 1]], []]',
        '[1, [["came", "x"]], []]', '[1, [["came"]], []]', '[1, [], [["part", 1, 2, 3]]]',
        '[1, [["came", 1e5]], []]', '[1, [["came", 9007199254740992]], []]', '[1, [[]], []]',
    ],
)  # fmt: skip
def test_bad_turns_are_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"expected .nodes, told"):
        read_turn(line)
