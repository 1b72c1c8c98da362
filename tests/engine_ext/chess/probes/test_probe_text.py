"""Looks in words: what is read is what was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.probes.probe_text import (
    LINE_MOVES_MAX,
    LINES_MAX,
    ProbeAnswer,
    ProbeAnswerError,
    ProbeLine,
    ProbeQuestion,
    ProbeValue,
)
from engine_ext.services import ANSWER_CHARACTERS_MAX, CONTEXT_BYTES_MAX, ContextError
from tests.engine_ext.chess.parts.questions import ENGINE

TEXT = (
    f"chess-look/1 engine={ENGINE} start=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_HAha_-_0_1"
    " moves=g1f3,g8f6 nodes=1000 lines=1"
)
words = st.from_regex("[a-h][1-8][a-h][1-8][nbrq]?", fullmatch=True)
values = st.builds(ProbeValue, st.integers(-20_000, 20_000), st.booleans())
lines = st.builds(
    ProbeLine, values, st.lists(words, min_size=1, max_size=LINE_MOVES_MAX).map(tuple)
)


@st.composite
def questions(draw: st.DrawFn) -> ProbeQuestion:
    boards, moves = [read_fen(START)], list[str]()
    for _ in range(draw(st.integers(0, 30))):
        legal = boards[-1].moves(True)
        move = legal[draw(st.integers(0, len(legal) - 1))]
        after: ChessBoard = boards[-1].play(move)
        if not after.move_count:
            break
        boards.append(after)
        moves.append(move)
    return ProbeQuestion(ENGINE, tuple(boards), tuple(moves), draw(st.integers(1, 10**10)))


@given(questions())
@pytest.mark.when_changed
def test_questions_are_read_as_they_were_written(question: ProbeQuestion) -> None:
    read = ProbeQuestion.from_text(question.to_text())
    assert read.to_text() == question.to_text()
    assert read.boards[-1].key == question.boards[-1].key
    keys = [board.key for board in question.boards]
    assert [board.key for board in read.boards] == keys[-len(read.boards) :]
    assert all(board.clock for board in read.boards[1:])


@given(st.builds(ProbeAnswer, st.integers(0, 10**10), st.integers(0, 99),
                 st.lists(lines, min_size=1, max_size=9).map(tuple)))  # fmt: skip
@pytest.mark.when_changed
def test_answers_are_read_as_they_were_written(answer: ProbeAnswer) -> None:
    assert ProbeAnswer.from_text(answer.to_text()) == answer


def test_a_look_in_words() -> None:
    boards = [read_fen(START)]
    for move in ("g1f3", "g8f6"):
        boards.append(boards[-1].play(move))
    assert ProbeQuestion(ENGINE, tuple(boards), ("g1f3", "g8f6"), 1000).to_text() == TEXT
    line = ProbeLine(ProbeValue(-3, is_mate=True), ("e2e4", "e7e5"))
    assert ProbeAnswer(7, 2, (line,)).to_text() == "nodes=7 depth=2 lines=#-3:e2e4.e7e5"


def test_the_longest_texts_fit() -> None:
    line = ProbeLine(ProbeValue(-20_000), ("a7a8q",) * 40)
    answer = ProbeAnswer(10**18, 100, (line,) * LINES_MAX)
    assert len(answer.to_text()) < ANSWER_CHARACTERS_MAX
    assert len(TEXT.replace("g1f3,g8f6", ",".join(["g1f3"] * 1000))) < CONTEXT_BYTES_MAX


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("g1f3,g8f6", "g1f3,g8f5"),
        ("_w_HAha_", "_w_KQkq_"),
        ("nodes=1000", "nodes=0"),
        ("nodes=1000", "nodes=01000"),
        ("lines=1", "lines=0"),
        ("moves=g1f3,g8f6", "moves=f2f3,e7e5,g2g4,d8h4"),
        ("moves=g1f3,g8f6", "moves=e2e4"),
        ("_0_1", ""),
    ],
)
def test_what_makes_no_sense_is_refused(old: str, new: str) -> None:
    assert ProbeQuestion.from_text(TEXT).to_text() == TEXT
    with pytest.raises(ContextError, match=r"expected|no legal|six words"):
        ProbeQuestion.from_text(TEXT.replace(old, new))


@pytest.mark.parametrize(
    "text",
    ["", "nodes=1 depth=1 lines=", "nodes=1 depth=1 lines=5", "nodes=01 depth=1 lines=5:a2a3"],
)
def test_what_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(ProbeAnswerError, match="expected"):
        ProbeAnswer.from_text(text)
