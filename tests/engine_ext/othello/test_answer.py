"""Whole questions: steps change nothing, and standings tell what goes on."""

import pytest

from engine_ext.othello import answer as module
from engine_ext.othello.answer import Answer, Question, Standing, answer
from engine_ext.othello.board import OthelloBoard
from tests.engine_ext.othello.positions import running


def finished(question: Question) -> tuple[Answer, list[Standing]]:
    steps, standings = answer(question), []
    while True:
        try:
            standings.append(next(steps))
        except StopIteration as end:
            return end.value, standings


@pytest.mark.parametrize("question", [
    Question(running(30, 1)[0], 7, is_every_move_asked=True),
    Question(running(30, 1)[0], 7, "mtdf"),
    Question(running(30, 1)[0], 8, mode="fast"),
    Question(running(14, 1)[0], 14, is_every_move_asked=True),
])  # fmt: skip
def test_small_steps_give_the_same_answer(
    question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight, _ = finished(question)
    monkeypatch.setattr(module, "STEP_NODES", 700)
    stepped, standings = finished(question)
    assert stepped == straight
    assert standings
    counts = [standing.nodes for standing in standings]
    assert counts == sorted(counts)
    assert counts[-1] <= stepped.nodes


def test_phases_name_depths_and_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STEP_NODES", 300)
    board = running(30, 1)[0]
    _, standings = finished(Question(board, 6, is_every_move_asked=True))
    phases = {standing.phase for standing in standings}
    assert "depth 6" in phases
    assert any(phase.startswith(f"{board.moves()[-1]}, depth") for phase in phases)


def test_every_moves_value_agrees_with_the_value() -> None:
    for board in running(25, 5):
        found, _ = finished(Question(board, 5, is_every_move_asked=True))
        if board.moves():
            assert found.moves[0] == (found.best_move, found.value)


def test_start_of_the_small_board_is_lost_by_ten() -> None:
    found, _ = finished(Question(OthelloBoard.start(4), 60))
    assert (found.value, found.is_exact, len(found.pv)) == (-10, True, 10)
