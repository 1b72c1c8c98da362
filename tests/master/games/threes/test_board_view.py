"""Positions and games of Threes! as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.threes.board import ThreesBoard, card_of
from master.games.spans import Line
from master.games.threes.board_view import (
    BOARD_COLUMNS,
    SCENE_COLUMNS,
    ThreesScene,
    next_text,
    scene_lines,
    side_by_side,
    threes_lines,
    titled,
)
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


PLAY_BOARD = ThreesBoard.from_text("123f" + "0" * 8 + "4567")
SCENE = ThreesScene(PLAY_BOARD, (4, 5, 6), 1234, "Ann")


def texts(lines: list[Line]) -> list[str]:
    return ["".join(span.text for span in line).rstrip() for line in lines]


def test_the_board_has_numbers_in_boxes_and_the_rest_beside_it() -> None:
    border = "+-----+-----+-----+-----+"
    empty = "|     |     |     |     |"
    assert texts(scene_lines(SCENE)) == [
        border,
        "|  1  |  2  |  3  |12288|   Ann",
        f"{border}   next   6/12/24",
        f"{empty}   score  {PLAY_BOARD.score:,}",
        f"{border}   moves  1,234",
        empty,
        border,
        "|  6  | 12  | 24  | 48  |",
        border,
    ]


def test_on_a_narrow_terminal_the_rest_stands_below() -> None:
    lines = texts(scene_lines(SCENE, SCENE_COLUMNS - 1))
    assert max(map(len, lines)) == BOARD_COLUMNS
    assert lines[9:] == ["Ann", "next   6/12/24", f"score  {PLAY_BOARD.score:,}", "moves  1,234"]


@given(
    st.integers(0, 2**64 - 1),
    st.integers(1, 13),
    st.integers(1, 3),
    st.integers(0, 10**5),
    st.text("abc", max_size=100),
)
def test_no_line_is_wider_than_60_columns(
    cells: int, first: int, count: int, moves: int, name: str
) -> None:
    ranks = tuple(range(first, first + count))
    lines = texts(scene_lines(ThreesScene(ThreesBoard(cells), ranks, moves, name)))
    assert max(map(len, lines)) <= 60
    assert all(line.isascii() for line in lines)
    found = [
        word for line in lines[1::2] for word in line[:BOARD_COLUMNS].replace("|", " ").split()
    ]
    assert found == [str(card_of(rank)) for rank in ThreesBoard(cells).ranks if rank]


@pytest.mark.parametrize(("text", "style"), [("1", "blue"), ("2", "red"), ("12288", "highest")])
def test_cards_have_styles_by_their_kind(text: str, style: str) -> None:
    spans = [span for line in scene_lines(SCENE) for span in line]
    assert {span.style for span in spans if span.text.strip() == text} == {style}


def test_notes_stand_below_the_moves() -> None:
    for width in (SCENE_COLUMNS, 40):
        scene = ThreesScene(PLAY_BOARD, (2,), 7, "Ann", ("speed  9 moves/s",))
        lines = texts(scene_lines(scene, width))
        first = next(i for i, line in enumerate(lines) if "moves  7" in line)
        assert "speed  9 moves/s" in lines[first + 1]


def test_the_next_card_has_its_style() -> None:
    spans = [span for line in scene_lines(ThreesScene(PLAY_BOARD, (2,), 0)) for span in line]
    assert [span.style for span in spans if span.text == "2"] == ["red"]


def test_a_bonus_is_shown_by_its_candidates() -> None:
    assert (next_text((1,)), next_text((4, 5, 6))) == ("1", "6/12/24")
