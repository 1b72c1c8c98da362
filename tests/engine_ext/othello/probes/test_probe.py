"""A look says of a move what searches of its own say of it and of the best one."""

import pytest

from engine_ext import services
from engine_ext.control import RunControl
from engine_ext.othello.answer import BoardQuestion, answer_at_once
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.engine import engine_digest
from engine_ext.othello.probes.probe import probe
from engine_ext.othello.probes.probe_text import DISC, ProbeAnswer, ProbeQuestion
from engine_ext.othello.solving import move_scores
from engine_ext.services import ContextError
from tests.engine_ext.othello.positions import running

DEPTH = 4


def asked(board: OthelloBoard, move: str, depth: int = DEPTH) -> ProbeQuestion:
    return ProbeQuestion(engine_digest(), board, depth, move)


def test_values_are_those_of_searches_to_that_depth() -> None:
    for board in running(30, 3):
        best = answer_at_once(BoardQuestion(board, DEPTH))
        for move in board.moves():
            behind = answer_at_once(BoardQuestion(board, DEPTH).behind(move))
            found = probe(asked(board, move), RunControl())
            assert found is not None
            assert found.value == round(-DISC * behind.value)
            assert found.best_value == max(round(DISC * best.value), found.value)
            assert found.best == (move if found.value == found.best_value else best.best_move)
            assert not found.is_exact


def test_ends_are_solved_and_the_best_move_is_the_one_made_if_that_is_one() -> None:
    for board in running(8, 4):
        scores = move_scores(board)
        for move, score in scores.items():
            found = probe(asked(board, move, 8), RunControl())
            assert found is not None
            assert (found.value, found.is_exact) == (DISC * score, True)
            assert found.best_value == DISC * max(scores.values())
            assert scores[found.best] == max(scores.values())
            if score == max(scores.values()):
                assert found.best == move


def test_question_is_answered_as_text_and_steps_are_counted() -> None:
    board = running(30, 1)[0]
    question, control = asked(board, board.moves()[-1]), RunControl()
    reported = services.answer(question.to_text(), control)
    assert reported is not None
    found = ProbeAnswer.from_text(reported)
    assert found == probe(question, RunControl())
    assert control.steps >= found.nodes > 0
    assert services.question_kind(question.to_text())[1].service == "looks"


@pytest.mark.parametrize("empties", [9, 30])
def test_stopped_look_says_nothing(empties: int) -> None:
    board, control = running(empties, 1)[0], RunControl()
    control.stop()
    assert probe(asked(board, board.moves()[-1]), control) is None


def test_look_for_another_engine_is_refused() -> None:
    text = asked(OthelloBoard.start(), "f5").to_text().replace(engine_digest(), "0" * 16)
    with pytest.raises(ContextError, match="is of engine 0000000000000000"):
        services.answer(text, RunControl())
