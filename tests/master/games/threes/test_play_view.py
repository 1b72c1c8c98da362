"""How a game of Threes! is drawn: master.games.threes.play_view."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.threes.board import ThreesBoard, card_of
from master.games.spans import Line
from master.games.threes.board_view import BOARD_COLUMNS
from master.games.threes.play_view import (
    SCENE_COLUMNS,
    ThreesScene,
    next_text,
    scene_lines,
)

BOARD = ThreesBoard.from_text("123f" + "0" * 8 + "4567")
SCENE = ThreesScene(BOARD, (4, 5, 6), 1234, "Ann")


def texts(lines: list[Line]) -> list[str]:
    return ["".join(span.text for span in line).rstrip() for line in lines]


def test_the_board_has_numbers_in_boxes_and_the_rest_beside_it() -> None:
    border = "+-----+-----+-----+-----+"
    empty = "|     |     |     |     |"
    assert texts(scene_lines(SCENE)) == [
        border,
        "|  1  |  2  |  3  |12288|   Ann",
        f"{border}   next   6/12/24",
        f"{empty}   score  {BOARD.score:,}",
        f"{border}   moves  1,234",
        empty,
        border,
        "|  6  | 12  | 24  | 48  |",
        border,
    ]


def test_on_a_narrow_terminal_the_rest_stands_below() -> None:
    lines = texts(scene_lines(SCENE, SCENE_COLUMNS - 1))
    assert max(map(len, lines)) == BOARD_COLUMNS
    assert lines[9:] == ["Ann", "next   6/12/24", f"score  {BOARD.score:,}", "moves  1,234"]


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
        scene = ThreesScene(BOARD, (2,), 7, "Ann", ("speed  9 moves/s",))
        lines = texts(scene_lines(scene, width))
        first = next(i for i, line in enumerate(lines) if "moves  7" in line)
        assert "speed  9 moves/s" in lines[first + 1]


def test_the_next_card_has_its_style() -> None:
    spans = [span for line in scene_lines(ThreesScene(BOARD, (2,), 0)) for span in line]
    assert [span.style for span in spans if span.text == "2"] == ["red"]


def test_a_bonus_is_shown_by_its_candidates() -> None:
    assert (next_text((1,)), next_text((4, 5, 6))) == ("1", "6/12/24")
