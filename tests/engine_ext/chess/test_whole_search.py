"""Whole searches in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.parts.answer import DEPTH_MAX, DEPTH_MIN, ExactAnswer, ExactQuestion
from engine_ext.chess.whole_search import WholeSearch, answer_text, describe, read_answer
from engine_ext.services import ContextError
from tests.engine_ext.chess.parts.questions import ENGINE, befores
from tests.engine_ext.chess.positions import boards

playable = boards.filter(lambda board: board.move_count > 0)
TEXT = (
    f"chess/1 engine={ENGINE} "
    "position=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0;rb;-; "
    "depth=12 strategy=manyply trust=0"
)


@given(playable, befores, st.integers(DEPTH_MIN, DEPTH_MAX), st.booleans())
@pytest.mark.when_changed
def test_searches_are_read_as_they_were_written(
    board: ChessBoard, before: GameBefore, depth: int, is_trusting: bool
) -> None:
    whole = WholeSearch(ENGINE, ExactQuestion(board, before, depth), "manyply", is_trusting)
    read = WholeSearch.from_text(whole.to_text())
    assert read.to_text() == whole.to_text()
    assert read.question.before == before


def test_a_search_in_words() -> None:
    board = read_fen(START)
    whole = WholeSearch(ENGINE, ExactQuestion(board, GameBefore(), 12), "manyply")
    assert whole.to_text() == TEXT
    assert describe(TEXT).line == "White to move, depth 12"
    assert describe(TEXT).facts["fen"] == START


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("depth=12", "depth=3"),
        ("depth=12", "depth=41"),
        (";rb;", ";b;"),
        (";rb;-;", ";rb;5;"),
        ("trust=0", "trust=2"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0", "7k/5Q2/8/8/8/8/8/K7_b_-_-_0"),
    ],
)
def test_what_makes_no_sense_is_refused(old: str, new: str) -> None:
    assert old in TEXT
    with pytest.raises(ContextError, match="expected"):
        WholeSearch.from_text(TEXT.replace(old, new))


def test_answers_are_read_as_they_were_written() -> None:
    found = ExactAnswer(-48, 12, ("e2e4", "e7e5"), 77)
    assert read_answer(answer_text(found), 77) == found
