"""Whole questions: steps change nothing, and standings tell what goes on."""

import pytest

from engine_ext.othello import answer as module
from engine_ext.othello.answer import (
    BoardAnswer,
    BoardQuestion,
    BoardStatus,
    answer,
    answer_at_once,
    move_so_far,
)
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.transcript import boards_of
from tests.engine_ext.othello.positions import running


def finished(question: BoardQuestion) -> tuple[BoardAnswer, list[BoardStatus]]:
    steps, statuses = answer(question), []
    while True:
        try:
            statuses.append(next(steps))
        except StopIteration as end:
            return end.value, statuses


def in_steps_of(monkeypatch: pytest.MonkeyPatch, nodes: int) -> None:
    for name in ("STEP_NODES", "SOLVE_STEP_NODES"):
        monkeypatch.setattr(module, name, nodes)


@pytest.mark.parametrize("question", [
    BoardQuestion(running(30, 1)[0], 7, is_every_move_asked=True),
    BoardQuestion(running(30, 1)[0], 7, "mtdf"),
    BoardQuestion(running(30, 1)[0], 8, mode="fast"),
    BoardQuestion(running(14, 1)[0], 14, is_every_move_asked=True),
])  # fmt: skip
def test_small_steps_give_the_same_answer(
    question: BoardQuestion, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight, _ = finished(question)
    in_steps_of(monkeypatch, 700)
    stepped, statuses = finished(question)
    assert stepped == straight == answer_at_once(question)
    assert statuses
    counts = [status.nodes for status in statuses]
    assert counts == sorted(counts)
    assert counts[-1] <= stepped.nodes


def test_phases_name_depths_and_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    in_steps_of(monkeypatch, 300)
    board = running(30, 1)[0]
    _, statuses = finished(BoardQuestion(board, 6, is_every_move_asked=True))
    phases = {status.phase for status in statuses}
    assert {phase for phase in phases if "," not in phase} <= {f"depth {d}" for d in range(1, 7)}
    assert "depth 6" in phases
    assert any(phase.startswith(f"{board.moves()[-1]}, depth") for phase in phases)


@pytest.mark.parametrize(("mode", "depths"), [("fast", {6, 8}), ("reproducible", {6, 7, 8})])
def test_phases_name_the_depths_that_are_searched(
    monkeypatch: pytest.MonkeyPatch, mode: str, depths: set[int]
) -> None:
    in_steps_of(monkeypatch, 10)
    _, statuses = finished(BoardQuestion(running(30, 1)[0], 8, mode=mode))
    named = {int(status.phase.removeprefix("depth ")) for status in statuses}
    assert {depth for depth in named if depth > 5} == depths


def test_every_moves_value_agrees_with_the_value() -> None:
    for board in running(25, 5):
        found, _ = finished(BoardQuestion(board, 5, is_every_move_asked=True))
        if board.moves():
            assert found.moves[0] == (found.best_move, found.value)


@pytest.mark.parametrize(("empties", "depth"), [(25, 5), (10, 10)])
def test_every_moves_line_begins_with_it_and_is_legal(empties: int, depth: int) -> None:
    for board in running(empties, 5):
        found, _ = finished(BoardQuestion(board, depth, is_every_move_asked=True))
        assert [line[0] for line in found.lines] == [move for move, _ in found.moves]
        for (_, value), line in zip(found.moves, found.lines, strict=True):
            last = boards_of(line, board)[-1]
            if found.is_exact and board.moves():
                score = last.final_score if last.to_move == board.to_move else -last.final_score
                assert (last.is_over, score) == (True, value)


def test_the_move_so_far_is_the_best_known_or_any_legal_one() -> None:
    board = running(20, 1)[0]
    found, _ = finished(BoardQuestion(board, 3))
    assert move_so_far(board, found) == found.best_move
    assert move_so_far(board, BoardStatus("depth 4", 1, 1.0, ("h8", "a1"))) == "h8"
    assert move_so_far(board, BoardStatus("depth 1", 1, None, ())) in board.moves()


def test_start_of_the_small_board_is_lost_by_ten() -> None:
    found, _ = finished(BoardQuestion(OthelloBoard.start(4), 60))
    assert (found.value, found.is_exact, len(found.pv)) == (-10, True, 10)


def test_best_move_of_a_solved_board_is_the_first_by_square_of_all_best_ones() -> None:
    equals = 0
    for board in running(11, 12):
        found, _ = finished(BoardQuestion(board, 11))
        any_best, _ = finished(BoardQuestion(board, 11, mode="fast"))
        every, _ = finished(BoardQuestion(board, 11, is_every_move_asked=True))
        scores = dict(every.moves)
        assert found.value == any_best.value == every.value == max(scores.values())
        best = [move for move in board.moves() if scores[move] == found.value]
        assert found.best_move == found.pv[0] == every.best_move == best[0]
        assert any_best.best_move in best
        equals += len(best) > 1
    assert equals, "otherwise this tests nothing"


def test_comparison_of_equal_moves_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    in_steps_of(monkeypatch, 10)
    phases = {
        one.phase for board in running(11, 12) for one in finished(BoardQuestion(board, 11))[1]
    }
    assert any(phase.startswith("comparing ") for phase in phases)


def test_first_move_is_best_where_all_lose_everything() -> None:
    squares = "OOOOOOOOOOO-OOOOOOOO-OOOOOOOOOOOOOO-XO-OOOOOOOOOOOO-OOOOOOOOOOOO"
    found, _ = finished(BoardQuestion(OthelloBoard.from_text(f"{squares} X"), 5))
    assert (found.value, found.best_move, found.pv[0]) == (-64, "e3", "e3")
