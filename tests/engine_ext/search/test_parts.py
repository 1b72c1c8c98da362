"""Parts of a toy game: their lines of text, what is proved of them at any moment, and learned."""

import struct
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.contexts import ContextError
from engine_ext.search.part_text import (
    ENTRIES_CHARACTERS_MAX,
    Entry,
    PartAnswer,
    PartAnswerError,
    ProvedMove,
    QuestionWords,
    TableWords,
)
from engine_ext.search.running_part import RunningPart
from engine_ext.search.table import BYTES_MIN, KEY_BYTES, KeyedTable
from tests.engine_ext.search import nim
from tests.engine_ext.search.nim import ENTRY_BYTES, FORM, question_text

ENGINE = "0123456789abcdef"
TABLE = TableWords(ENGINE, "solve", "normal")

values = st.integers(-(10**9), 10**9)
windows = (
    st.tuples(values, values)
    .filter(lambda pair: pair[0] != pair[1])
    .map(lambda pair: (min(pair), max(pair)))
)
heaps = st.lists(st.integers(0, 9), min_size=1, max_size=8).map(tuple)


@st.composite
def answers(draw: st.DrawFn) -> PartAnswer:
    (lower, upper), places = draw(windows), draw(st.sets(st.integers(0, 255)))
    estimates = st.none() | st.integers(-6400, 6400)
    moves = tuple(ProvedMove(place, *draw(windows), draw(estimates)) for place in sorted(places))
    best = draw(st.none() | st.integers(0, 255))
    return PartAnswer(lower, upper, draw(st.integers(0, 2**62)), best, moves)


@given(heaps, windows)
def test_question_is_read_as_it_was_written(
    stones: tuple[int, ...], window: tuple[int, int]
) -> None:
    words = FORM.read_question(question_text(ENGINE, stones, window))
    written = ",".join(map(str, stones))
    assert words == QuestionWords(ENGINE, written, "solve", sum(stones), *window)


@given(answers())
@pytest.mark.when_changed
def test_answer_is_read_as_it_was_written(answer: PartAnswer) -> None:
    assert PartAnswer.from_text(answer.to_text()) == answer


def entry(number: int) -> Entry:
    packed = struct.pack("<QQB", number, 0, 7), struct.pack("<hhHQ", -1, 1, number % 128, number)
    return packed[0], 7, packed[1]


@given(st.integers(1, 500))
def test_entries_are_read_as_they_were_written(count: int) -> None:
    entries = [entry(number) for number in range(count)]
    texts = FORM.entries_texts(TABLE, entries)
    assert max(map(len, texts)) <= ENTRIES_CHARACTERS_MAX
    read = [FORM.read_entries(text) for text in texts]
    assert {table for table, _ in read} == {TABLE}
    assert b"".join(packed for _, packed in read) == b"".join(
        key + rest for key, _, rest in entries
    )
    full = FORM.line_entries_max * ENTRY_BYTES
    assert all(len(first) == full for (_, first), _ in pairwise(read))


def test_lines_of_another_game_in_words() -> None:
    assert question_text(ENGINE, (1, 3, 5), (-1, 1)) == (
        "nim-search/1 engine=0123456789abcdef heaps=1,3,5 kind=solve depth=9 alpha=-1 beta=1"
    )
    (text,) = FORM.entries_texts(TABLE, [entry(1)])
    assert text.startswith("nim-entries/1 engine=0123456789abcdef kind=solve rules=normal crc=")


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("nim-search/1", "chess-search/1", "expected a part: nim-search/1"),
        ("heaps=", "board=", "heaps=..."),
        ("kind=solve", "kind=depth", "expected a part"),
        ("beta=1", "beta=-1", "alpha < beta"),
        ("depth=9", "depth=09", "shortest form"),
    ],
)
def test_what_is_no_question_is_refused(old: str, new: str, text: str) -> None:
    with pytest.raises(ContextError, match=text) as caught:
        FORM.read_question(question_text(ENGINE, (1, 3, 5), (-1, 1)).replace(old, new))
    assert caught.value.code == "bad-context"


@given(st.integers(0), st.integers(0x20, 0x7E))
def test_damaged_entries_are_refused(where: int, mark: int) -> None:
    (text,) = FORM.entries_texts(TABLE, [entry(1), entry(2)])
    place = where % len(text)
    damaged = text[:place] + chr(mark) + text[place + 1 :]
    if damaged != text:
        with pytest.raises(ContextError) as caught:
            FORM.read_entries(damaged)
        assert caught.value.code == "bad-context"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "lower=1 upper=0 nodes=1 best=-1 moves=",
        "lower=0 upper=0 nodes=-1 best=-1 moves=",
        "lower=0 upper=0 nodes=1 best=-2 moves=",
        "lower=0 upper=0 nodes=1 best=-1",
        "lower=0 upper=0 nodes=1 best=-1 moves=1",
        "lower=0 upper=0 nodes=1 best=-1 moves=1:1:0",
        "lower=0 upper=0 nodes=1 best=-1 moves=1:0:0,1:0:0",
        "lower=0 upper=0 nodes=1 best=-1 moves=2:0:0,1:0:0",
        "lower=0 upper=0 nodes=1 best=-1 moves=1:0:0,",
        "lower=0 upper=0 nodes=1 best=-1 moves=1:0:0:",
        "lower=0 upper=0 nodes=1 best=-1 moves=1:0:0:+1",
        "lower=0 upper=0 nodes=1 best=-1 moves=1:0:0:1:1",
        "lower=00 upper=0 nodes=1 best=-1 moves=",
        "lower=0 upper=0 nodes=1 best=-1 moves= ",
        "lower=\u0661 upper=2 nodes=1 best=-1 moves=",
    ],
)
def test_what_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(PartAnswerError):
        PartAnswer.from_text(text)


few_heaps = st.lists(st.integers(0, 3), min_size=1, max_size=3).map(tuple).filter(any)


@given(few_heaps, st.integers(0, 9))
def test_what_is_proved_is_true_at_any_moment(stones: nim.Heaps, steps: int) -> None:
    part = nim.NimPart(stones, (-1, 1), KeyedTable(BYTES_MIN))
    nodes = sum(part.step(1) for _ in range(steps))
    answer = part.answer()
    assert PartAnswer.from_text(answer.to_text()) == answer
    assert answer.nodes == nodes
    assert answer.lower <= nim.value(stones) <= answer.upper
    for move in answer.moves:
        after = nim.played(stones, nim.moves(stones)[move.place])
        assert move.lower <= -nim.value(after) <= move.upper
    if part.is_done:
        assert answer.lower == answer.upper
        assert answer.best is not None
        assert len(answer.moves) == len(nim.moves(stones))


@pytest.mark.parametrize("window", [(1, 5), (-7, -1)])
def test_of_a_window_beyond_all_values_nothing_is_searched(window: tuple[int, int]) -> None:
    part = nim.NimPart((1, 2), window, KeyedTable(BYTES_MIN))
    assert part.is_done
    assert part.step(1) == 0
    assert part.answer() == PartAnswer(-1, 1, 0)
    assert (part.proved(), part.best(), part.moves()) == ((-1, 1), None, ())


NAME = TableWords("0123456789abcdef", "solve", "normal")
HEAPS = (3, 2, 2)


def whole(shared: nim.NimTable, news_depth: int = -1) -> tuple[PartAnswer, list[str]]:
    """Search HEAPS to the end; return the answer and the news."""
    ended: list[str] = []
    search = nim.NimPart(HEAPS, (-1, 1), shared.table)
    part = RunningPart(search, shared, news_depth, lambda: ended.append("ended"))
    while not part.step(1):
        assert ended == []
    news = part.news()
    answer = PartAnswer.from_text(part.end())
    assert ended == ["ended"]
    return answer, news


def learn(shared: nim.NimTable, texts: list[str]) -> None:
    for text in texts:
        name, packed = nim.FORM.read_entries(text)
        assert name == shared.name
        size = nim.ENTRY_BYTES
        each = [packed[first : first + size] for first in range(0, len(packed), size)]
        shared.learn([(entry[:KEY_BYTES], entry[16], entry[KEY_BYTES:]) for entry in each])


def test_what_one_part_tells_spares_another_its_work() -> None:
    first, second = nim.shared(NAME), nim.shared(NAME)
    answer, news = whole(first, 0)
    assert answer.lower == answer.upper == nim.value(HEAPS)
    learn(second, news)
    again, none = whole(second)
    assert (again.lower, again.upper, none) == (answer.lower, answer.upper, [])
    assert again.nodes < answer.nodes // 2


def test_a_part_that_nobody_listens_to_tells_nothing() -> None:
    assert whole(nim.shared(NAME))[1] == []
