import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.patterns import load_patterns
from engine_ext.othello.solving import (
    WIN_LOSS_DRAW,
    SolvingStoppedError,
    best_line,
    move_scores,
    solve,
)
from engine_ext.othello.table import HashTable
from engine_ext.othello.transcript import boards_of
from tests.engine_ext.othello.ffo import ROWS, SMALL, Row
from tests.engine_ext.othello.positions import played

EVERY_MOVE = SMALL + [ROWS[f"FFO{number}"] for number in (22, 23, 24, 25, 30, 31, 32, 34, 40)]
"""Rows that take under a second: tests/benchmarks/othello_ffo_moves.py has all of them."""


@pytest.mark.slow
@pytest.mark.parametrize("row", EVERY_MOVE, ids=lambda row: row.name)
@pytest.mark.when_changed
def test_every_move_has_its_published_score(row: Row) -> None:
    scores = move_scores(row.board, evaluation=load_patterns())
    assert scores == row.moves
    assert list(scores.values()) == sorted(row.moves.values(), reverse=True)


@pytest.mark.slow
def test_win_loss_and_draw_are_told() -> None:
    for row in SMALL[:20]:
        score = solve(row.board, WIN_LOSS_DRAW).score
        assert (score > 0) - (score < 0) == (row.score > 0) - (row.score < 0)


@given(st.integers(0, 10**6), st.integers(0, 11), st.sampled_from([4, 6, 8]))
@settings(max_examples=30, deadline=None)
def test_the_best_line_ends_with_the_score(seed: int, empties: int, size: int) -> None:
    board = played(seed, empties, size)
    table = HashTable(1 << 16)
    score = solve(board, table=table).score
    last = boards_of(best_line(board, score, table=table), board)[-1]
    assert last.is_over
    assert last.final_score == (score if last.to_move == board.to_move else -score)


def test_a_wrong_score_is_told() -> None:
    row = SMALL[0]
    with pytest.raises(ValueError, match=r"the score of .* is not \+20"):
        best_line(row.board, row.score + 2)


def test_a_stopped_search_has_no_answer() -> None:
    control = RunControl()
    control.stop()
    with pytest.raises(SolvingStoppedError):
        solve(SMALL[0].board, control=control)
    with pytest.raises(SolvingStoppedError):
        move_scores(SMALL[0].board, control=control)


def test_a_finished_game_has_no_line() -> None:
    over = OthelloBoard.from_text("X" * 10 + "-" * 54 + "O")
    assert solve(over).best_move is None
    assert best_line(over, -64) == []
    assert move_scores(over) == {}
