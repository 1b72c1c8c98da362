"""The program in small: proofs of positions near the end, and of what is not true."""

import pytest

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.solving import solve
from engine_ext.othello.table import HashTable
from engine_ext.othello.transcript import boards_of
from tests.benchmarks import othello_6x6
from tests.engine_ext.othello.positions import running

BEST_PLAY = ["c2", "b4", "c5", "d2", "e4", "e3", "d1", "c1", "b1", "d5", "d6", "f4", "b3", "b2"]


@pytest.mark.parametrize("wrong", [-2, 0, 2])
def test_only_the_exact_score_is_proved_both_ways(wrong: int) -> None:
    for board in running(12, 3, 6):
        score = solve(board).score + wrong
        low, high = othello_6x6.halves(board, score, HashTable(1 << 16))
        assert (low.is_proved, high.is_proved) == (wrong <= 0, wrong >= 0)
        assert low.nodes > 0 < high.nodes


@pytest.mark.slow
@pytest.mark.parametrize("known_moves", [8, 9, 10, 14])
def test_from_the_eighth_move_of_best_play_on_white_wins_by_four(known_moves: int) -> None:
    board = boards_of(BEST_PLAY[:known_moves], OthelloBoard.start(6))[-1]
    lead = othello_6x6.WHITE_LEAD if board.to_move == "O" else -othello_6x6.WHITE_LEAD
    assert all(half.is_proved for half in othello_6x6.halves(board, lead, HashTable(1 << 24)))


def test_the_first_move_leaves_thirty_one_empty_squares() -> None:
    assert othello_6x6.after_first_move().empties == 31


def test_the_table_is_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        othello_6x6.main(["--table-mb", "large"])
    assert "invalid int" in capsys.readouterr().err
