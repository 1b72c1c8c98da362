"""Sums, the baseline and the check of answers; the simulations themselves are in test_othello."""

from dataclasses import replace

import pytest

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.solving import solve
from master.games.othello.speedup import check, guessed, simulate, solve_by_one
from master.laboratory.speedup import UnansweredError
from master.search import STRATEGIES, Costs
from tests.engine_ext.othello.ffo import ROWS, SMALL
from tests.engine_ext.othello.positions import running

COSTS = Costs(100, 20, 0.2, 1024)
BOARD = SMALL[1].board


def test_one_processor_needs_no_more_than_a_full_window() -> None:
    found = solve_by_one(BOARD)
    assert (found.value, found.move) == (SMALL[1].score, "a4")
    assert 0 < found.nodes <= solve(BOARD).nodes * 2


def test_lost_board_has_a_first_best_move_too() -> None:
    for board in running(10, 5):
        found = solve_by_one(board)
        assert found.value == solve(board).score
        assert (found.move is None) == board.must_pass


def test_a_wrong_answer_is_noticed() -> None:
    one, reference = simulate(BOARD, 1, STRATEGIES["par"], COSTS), solve_by_one(BOARD)
    check(BOARD, reference, one.run)
    with pytest.raises(UnansweredError, match=r"answered \+10 a4, not \+12 a4"):
        check(BOARD, replace(reference, value=12), one.run)
    with pytest.raises(UnansweredError, match="without an answer"):
        check(BOARD, reference, replace(one.run, answer=None))


def test_a_board_whose_only_move_is_a_pass_is_answered() -> None:
    board = OthelloBoard.from_text("XO" + 61 * "X" + "- X")
    if board.must_pass and not board.is_over:
        check(board, solve_by_one(board), simulate(board, 2, STRATEGIES["manyply"], COSTS).run)


def test_a_guess_is_even_near_the_score_and_takes_its_nodes() -> None:
    for row in (ROWS["FFO41"], ROWS["FFO43"], ROWS["FFO45"]):
        guess, nodes = guessed(row.board)
        assert guess % 2 == 0
        assert abs(guess - row.score) <= 10
        assert nodes > 1000
    assert guessed(OthelloBoard.start(6)) == (0, 0)
