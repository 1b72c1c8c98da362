"""Parts in words: what is read is what was written, and nothing else is read."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.exact.position import BEFORE, ROOT, GameBefore, Position
from engine_ext.chess.exact.search import LARGEST_VALUE
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.parts.part_words import (
    PartQuestion,
    TableName,
    entries_text,
    position_text,
    read_entries,
    read_position,
)
from engine_ext.search.part_text import Entry
from engine_ext.services import CONTEXT_BYTES_MAX, ContextError
from tests.engine_ext.chess.parts.questions import ENGINE, part_questions

NAME = TableName(ENGINE)

words64 = st.integers(0, 2**64 - 1)
bounds = st.integers(-LARGEST_VALUE, LARGEST_VALUE)


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    lower, upper = sorted((draw(bounds), draw(bounds)))
    depth = draw(st.integers(1, 40))
    key = struct.pack("<QQB", draw(words64), draw(words64), depth)
    return key, depth, struct.pack("<hhHQ", lower, upper, 0xFFFF, draw(words64))


@given(part_questions())
@pytest.mark.when_changed
def test_questions_are_read_as_they_were_written(question: PartQuestion) -> None:
    text = question.to_text()
    read = PartQuestion.from_text(text)
    assert read.to_text() == text
    assert read.position.to_bytes(read.depth) == question.position.to_bytes(question.depth)
    assert read.before == question.before


@given(st.lists(entries(), min_size=1, max_size=250))
def test_entries_are_read_as_they_were_written(each: list[Entry]) -> None:
    texts = entries_text(NAME, each)
    assert [one for text in texts for one in read_entries(text)[1]] == each
    assert {read_entries(text)[0] for text in texts} == {NAME}


def test_a_part_in_words() -> None:
    board = read_fen(START).play("e2e4")
    position = Position(board, BEFORE, 6)
    text = PartQuestion(ENGINE, position, GameBefore([5]), 9, -8, 8).to_text()
    assert text == (
        f"chess-search/1 engine={ENGINE} "
        "position=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b_KQkq_-_0;b;6;"
        "00000000000000000000000000000005 kind=depth depth=9 alpha=-8 beta=8"
    )


def test_the_longest_question_fits() -> None:
    fen = "r1b1k1nr/p1p1p1p1/1p1p1p1p/n1q5/N1Q1B3/1P1P1P1P/P1P1P1P1/R3K1NR w KQkq - 99 1"
    before = GameBefore(range(2**127, 2**127 + 128))
    text = PartQuestion(
        ENGINE, Position(read_fen(fen), ROOT | BEFORE, 39), before, 40, -(2**29), 2**29
    ).to_text()
    assert len(text) < CONTEXT_BYTES_MAX


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("8/8/8/4k3/8/8/3R4/4K3_w_-_-_0", "8/8/8/4k3/8/8/3R4/8_w_-_-_0"),
        ("_w_-_-_0;", "_w_-_-_00;"),
        (";rb;", ";br;"),
        (";rb;", ";;"),
        (";-;", ";9;"),
        (";-;", ";08;"),
        ("depth=9", "depth=41"),
        ("alpha=-8", "alpha=8"),
        (";-; kind", ";-;5 kind"),
    ],
)
def test_what_makes_no_sense_is_refused(old: str, new: str) -> None:
    position = Position(read_fen("8/8/8/4k3/8/8/3R4/4K3 w - - 0 1"), ROOT | BEFORE)
    text = PartQuestion(ENGINE, position, GameBefore(), 9, -8, 8).to_text()
    assert PartQuestion.from_text(text).to_text() == text
    assert old in text
    with pytest.raises(ContextError, match=r"expected|has|is no") as caught:
        PartQuestion.from_text(text.replace(old, new))
    assert caught.value.code == "bad-context"


def test_nobody_passes_in_check() -> None:
    board = read_fen("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1")
    word = position_text(Position(board), GameBefore()).replace(";-;-", ";p;-")
    with pytest.raises(ContextError, match="nobody passes in check"):
        read_position(word)
