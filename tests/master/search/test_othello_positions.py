import pytest

from engine_ext.othello.solving import solve
from master.search.othello_positions import DEFAULT_NAMES, POSITIONS
from tests.engine_ext.othello.ffo import LARGE, SMALL


def test_rows_are_those_of_the_suite() -> None:
    for row in [*SMALL, *LARGE]:
        if row.name in POSITIONS:
            ours = POSITIONS[row.name]
            assert (ours.board, ours.score) == (row.board, row.score)
    assert set(DEFAULT_NAMES) <= set(POSITIONS)


@pytest.mark.slow
def test_scores_are_exact() -> None:
    for position in POSITIONS.values():
        if position.board.empties <= 20:
            assert solve(position.board).score == position.score
