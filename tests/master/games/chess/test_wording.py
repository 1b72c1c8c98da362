"""Chess's parts in words: what is read is what was written."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.exact.position import GameBefore, Position
from engine_ext.chess.exact.search import LARGEST_VALUE
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.parts.part_words import PartQuestion
from engine_ext.search.bounds_tree import VALUE_LIMIT
from engine_ext.search.part_text import PartAnswer, ProvedMove
from engine_ext.search.table import KeyedTable
from master.games.chess.tree import DeepeningEngine, root_position
from master.games.chess.wording import ChessWording
from master.search.events import HandOutPart, MoveBounds
from master.search.running.wording import Proved, WordingError
from tests.engine_ext.broken_answers import broken

ENGINE = "feedfacefeedface"
BOARD = read_fen(START)
BEFORE_IT = GameBefore([BOARD.key])
WORDING = ChessWording(ENGINE, BEFORE_IT)
ROOT = root_position(BOARD)


def test_every_child_can_be_asked_for() -> None:
    children = WORDING.rules.children(ROOT.to_bytes(9), 9)
    assert len(children) == 20
    for child in children:
        part = HandOutPart(1, 2, 3, child.position, child.depth, -VALUE_LIMIT, 8)
        asked = PartQuestion.from_text(WORDING.question(part))
        assert (asked.engine, asked.depth, asked.beta) == (ENGINE, child.depth, 8)
        assert asked.position.to_bytes(child.depth) == child.position
        assert asked.before in (BEFORE_IT, GameBefore())


def test_answer_says_what_is_proved() -> None:
    text = PartAnswer(-40, 16, 77, None, (ProvedMove(1, -40, 8, 3),)).to_text()
    assert WORDING.read_answer(text) == Proved(-40, 16, 77, None, (MoveBounds(1, -40, 8, 3),))
    with pytest.raises(WordingError, match="expected lower=L"):
        WORDING.read_answer("42")
    more = PartAnswer(-LARGEST_VALUE - 1, 0, 1).to_text()
    with pytest.raises(WordingError, match="expected values from"):
        WORDING.read_answer(more)


def test_entries_survive_the_wire() -> None:
    engine = DeepeningEngine(BEFORE_IT, KeyedTable(1 << 20))
    engine.begin(Position(BOARD).to_bytes(7), 7, -100, 100)
    engine.news(0)
    while not engine.is_done:
        engine.step(10_000)
    entries = engine.news(3)
    assert entries
    texts = WORDING.entries_texts(entries)
    assert tuple(one for text in texts for one in WORDING.read_entries(text)) == entries
    (text, *_) = ChessWording("0" * 16, BEFORE_IT).entries_texts(entries)
    assert WORDING.read_entries(text) == ()
    with pytest.raises(WordingError, match="expected"):
        WORDING.read_entries(texts[0][:-4])


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_an_answer_is_read_or_refused_whatever_it_is(text: str, begin: int, end: int) -> None:
    answer = PartAnswer(-40, 16, 77, None, (ProvedMove(1, -40, 8, 3),)).to_text()
    for reported in (text, answer[:begin] + text + answer[end:], *broken(answer).values()):
        with contextlib.suppress(WordingError):
            assert isinstance(WORDING.read_answer(reported), Proved)
        with contextlib.suppress(WordingError):
            assert isinstance(WORDING.read_entries(reported), tuple)
