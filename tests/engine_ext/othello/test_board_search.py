"""What Othello's searches share: their moves' names."""

import pytest

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.board_search import BoardSearch
from engine_ext.othello.search import DepthSearch
from engine_ext.othello.solver import Solver


@pytest.mark.parametrize("size", [4, 6, 8])
def test_moves_go_by_the_names_of_the_board_s_squares(size: int) -> None:
    board = OthelloBoard.start(size)
    searches: list[BoardSearch] = [DepthSearch(board, 2), Solver(board)]
    for search in searches:
        assert search.board == board
        assert set(search.move_bounds) == set(board.moves())


def test_best_move_of_a_search_of_nothing_is_none() -> None:
    over = OthelloBoard.from_text("XXXXXXXXXXXXXXXX X")
    search = DepthSearch(over, 1)
    search.run()
    assert (search.best_move, search.move_bounds) == (None, {})
