import pytest

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.whole_search import WholeSearch
from master.games.othello.handlers import HANDLERS, TYPED_CHARACTERS_MAX, read_board, shown_board

OVER = "X" * 64 + " O"


def test_board_has_its_discs_where_its_text_has_them() -> None:
    board = read_board("f5")
    shown = shown_board(board)["board"]
    assert isinstance(shown, dict)
    signs = {"X": ["●", "black"], "O": ["●", "white"], "-": None}
    cells = [signs[sign] for sign in board.to_text().split()[0]]
    assert [cell for row in shown["rows"] for cell in row] == cells
    assert shown["turn"] == "white"


def test_transcripts_boards_and_the_suite_are_read() -> None:
    assert read_board("f5d6c3").to_move == "O"
    assert read_board("FFO40").empties == 20
    assert read_board(OthelloBoard.start().to_text()) == OthelloBoard.start()
    with pytest.raises(ValueError, match=f"at most {TYPED_CHARACTERS_MAX} characters"):
        read_board("f5" * TYPED_CHARACTERS_MAX)


def test_search_goes_as_deep_as_is_said_unless_the_game_is_over() -> None:
    assert HANDLERS.positions is not None
    (search,) = HANDLERS.positions.actions
    assert search.job is not None
    board = read_board("f5")
    context = search.job(board, search.settings({"depth": 7}, board)).context
    assert WholeSearch.from_text(context).question.depth == 7
    assert "the game is over" in search.refusal(read_board(OVER))
