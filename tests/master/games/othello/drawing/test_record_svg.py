from master.games.othello.drawing.record_svg import record_svg
from master.games.othello.record import read_position
from tests.master.games.othello.drawing.board_reader import read_board


def test_board_is_the_last_of_a_game_with_its_move_marked() -> None:
    seen = read_board(record_svg(read_position("f5d6c3")))
    assert seen.last == {"c3"}
    assert seen.black == {"f5", "e5", "e4", "d4", "c3"}


def test_board_without_moves_has_no_mark() -> None:
    assert read_board(record_svg(read_position("FFO40"))).last == frozenset()
