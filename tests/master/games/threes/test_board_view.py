"""How master.games.threes.board_view draws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.threes.board import ThreesBoard
from master.games.spans import Line
from master.games.threes.board_view import BOARD_COLUMNS, side_by_side, threes_lines, titled
from tests.engine_ext.threes.reference_threes import Cards, board_of, cards_of_boards

BOARD = ThreesBoard.from_text("1230456f0000000f")
WIDTH_MIN = 60


def shown(lines: list[Line]) -> list[str]:
    return ["".join(span.text for span in line) for line in lines]


def test_board_is_drawn_as_on_a_phone() -> None:
    assert shown(threes_lines(BOARD, (3, 8))) == [
        "+-----+-----+-----+-----+",
        "|  1  |  2  |  3  |  +  |",
        "+-----+-----+-----+-----+",
        "|  6  | 12  | 24  |12288|",
        "+-----+-----+-----+-----+",
        "|  +  |     |     |     |",
        "+-----+-----+-----+-----+",
        "|     |     |     |12288|",
        "+-----+-----+-----+-----+",
    ]


@given(cards_of_boards, st.sets(st.integers(0, 15)))
def test_every_board_is_drawn_square_by_square(cards: Cards, entry: set[int]) -> None:
    lines = shown(threes_lines(board_of(cards), entry))
    assert {len(line) for line in lines} == {BOARD_COLUMNS}
    assert all(line.isascii() for line in lines)
    for square, card in enumerate(cards):
        row, column = divmod(square, 4)
        cell = lines[2 * row + 1][6 * column + 1 : 6 * column + 6]
        assert cell.strip() == (str(card) if card else "+" if square in entry else "")


def test_cards_have_the_looks_of_the_game() -> None:
    lookaheads = {span.text.strip(): span.style for line in threes_lines(BOARD) for span in line}
    assert [lookaheads[card] for card in ("1", "2", "3", "24", "12288")] == [
        "blue", "red", "", "", "highest",
    ]  # fmt: skip


@given(st.lists(cards_of_boards, min_size=1, max_size=4), st.integers(20, 200))
def test_boards_stand_beside_each_other_as_far_as_there_is_room(
    boards: list[Cards], width: int
) -> None:
    drawings = [titled(f"board {place}", threes_lines(board_of(cards)))
                for place, cards in enumerate(boards)]  # fmt: skip
    lines = shown(side_by_side(drawings, width))
    assert all(len(line) <= max(width, BOARD_COLUMNS) for line in lines)
    titles = [line.split("board ")[1:] for line in lines if "board" in line]
    assert [title.strip() for row in titles for title in row] == list("0123")[: len(boards)]
    rows = [len(row) for row in titles]
    assert set(rows[:-1]) <= ({1} if width < 53 else {2} if width < 109 else {4})
    assert sum("-----" in line for line in lines) == 5 * len(rows)


@pytest.mark.parametrize(("width", "rows"), [(52, 4), (WIDTH_MIN, 2), (80, 2), (108, 2), (109, 1)])
def test_four_boards_stand_in_even_rows(width: int, rows: int) -> None:
    lines = shown(side_by_side([titled("up", threes_lines(BOARD))] * 4, width))
    assert len(lines) == 10 * rows + rows - 1
    assert [line.rstrip() for line in lines] == lines


def test_title_is_no_wider_than_its_board() -> None:
    assert shown(titled("x" * 100, threes_lines(BOARD)))[0] == "x" * BOARD_COLUMNS
