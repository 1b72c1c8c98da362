"""What the engine answers is always taken; what it cannot have answered never is."""

from dataclasses import replace

import pytest

from engine_ext.control import RunControl
from engine_ext.othello.board import SIZES, OthelloBoard
from engine_ext.othello.engine import engine_digest, played
from engine_ext.othello.probes.probe_text import DISC, ProbeAnswer, ProbeQuestion
from engine_ext.services import answer
from engine_ext.validation import answer_fault
from tests.engine_ext.broken_answers import broken
from tests.engine_ext.othello.positions import running


def answered(question: ProbeQuestion) -> ProbeAnswer:
    text = answer(question.to_text(), RunControl())
    assert text is not None, "nobody stops it"
    return ProbeAnswer.from_text(text)


def asked(board: OthelloBoard, depth: int, move: str = "") -> ProbeQuestion:
    return ProbeQuestion(engine_digest(), board, depth, move or board.moves()[-1])


def fault(question: ProbeQuestion, found: ProbeAnswer) -> str:
    return answer_fault(question.to_text(), found.to_text())


MIDGAME = asked(played(8, 30), 3)
ENDGAME = asked(played(8, 8), 8)


@pytest.mark.when_changed
def test_honest_answers_are_taken() -> None:
    boards = [board for empties in (1, 2, 5, 8, 20, 40, 58) for board in running(empties, 4)]
    boards += [played(size, empties) for size in SIZES for empties in (9, 6, 3)]
    count = 0
    for board in boards:
        for move in board.moves()[:3]:
            for depth in {min(board.empties, 9), 2}:
                question = asked(board, depth, move)
                assert fault(question, answered(question)) == ""
                count += 1
    assert count > 100


@pytest.mark.parametrize("question", [MIDGAME, ENDGAME])
def test_broken_texts_are_refused_and_said_in_one_line(question: ProbeQuestion) -> None:
    for how, text in broken(answered(question).to_text()).items():
        said = answer_fault(question.to_text(), text)
        assert said, how
        assert "\n" not in said, how


@pytest.mark.parametrize("discs", [65, -65, 900, -900])
def test_values_beyond_the_board_are_refused(discs: int) -> None:
    found = answered(MIDGAME)
    value, best = sorted((found.value, discs * DISC))
    other = next(x for x in MIDGAME.board.moves() if x != MIDGAME.move)
    wrong = replace(found, value=value, best_value=best, best=other)
    assert "is possible" in fault(MIDGAME, wrong)


def test_scores_are_within_the_discs_that_never_turn_and_even() -> None:
    board = ENDGAME.board
    other = OthelloBoard(board.opponent, board.player, board.to_move)
    lost, kept = other.stable.bit_count(), board.stable.bit_count()
    assert lost or kept, "some discs never turn"
    found = answered(ENDGAME)
    for discs in ((64 - 2 * lost) + 2, (2 * kept - 64) - 2):
        wrong = ProbeAnswer(discs * DISC, ENDGAME.move, discs * DISC, True, found.nodes)
        assert "is possible" in fault(ENDGAME, wrong)
    second = next(x for x in board.moves() if x != ENDGAME.move)
    odd = replace(found, best=second, value=found.best_value - DISC)
    assert "not even" in fault(ENDGAME, odd)


@pytest.mark.parametrize("square", ["a1", "d4", "h8"])
def test_illegal_best_move_is_refused(square: str) -> None:
    assert square not in MIDGAME.board.moves()
    assert "no legal move" in fault(MIDGAME, replace(answered(MIDGAME), best=square))


def test_best_is_best() -> None:
    found = answered(MIDGAME)
    worse = replace(found, best_value=found.value - 1)
    assert "no worse" in fault(MIDGAME, worse)
    same = replace(found, best=MIDGAME.move, best_value=found.value + 100)
    assert "two values" in fault(MIDGAME, same)


def test_what_was_solved_says_so_and_nothing_else_does() -> None:
    for question in (MIDGAME, ENDGAME):
        found = answered(question)
        assert "empty squares" in fault(question, replace(found, is_exact=not found.is_exact))
