"""Boards of Threes! against the rules written plainly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.threes.board import DIRECTION_NAMES, ThreesBoard, card_of, rank_of
from tests.engine_ext.threes.reference_threes import (
    CARDS,
    Cards,
    after,
    board_of,
    cards_of_boards,
    entry,
    mirrored,
    score,
    turned,
)

directions = st.sampled_from(DIRECTION_NAMES)

QUARTER = {"up": "right", "right": "down", "down": "left", "left": "up"}
MIRROR = {"up": "up", "down": "down", "left": "right", "right": "left"}


def cards_of(board: ThreesBoard) -> Cards:
    return tuple(card_of(rank) if rank else 0 for rank in board.ranks)


@given(cards_of_boards, directions)
def test_shift_is_that_of_the_rules(cards: Cards, direction: str) -> None:
    assert cards_of(board_of(cards).shifted(direction)) == after(cards, direction)


@given(cards_of_boards)
def test_moves_are_those_that_change_the_board(cards: Cards) -> None:
    changing = [name for name in DIRECTION_NAMES if after(cards, name) != cards]
    assert list(board_of(cards).moves()) == changing


@given(cards_of_boards, directions)
def test_card_enters_at_the_end_of_a_line_that_changed(cards: Cards, direction: str) -> None:
    board = board_of(cards)
    squares = board.entries(direction)
    assert squares == entry(cards, direction)
    assert all(board.shifted(direction).ranks[square] == 0 for square in squares)
    lines = [square // 4 if direction in ("left", "right") else square % 4 for square in squares]
    assert board.changed_lines(direction) == sum(1 << line for line in lines)


@given(cards_of_boards)
def test_score_and_highest_are_those_of_the_cards(cards: Cards) -> None:
    board = board_of(cards)
    assert board.score == score(cards)
    assert board.highest == (rank_of(max(cards)) if any(cards) else 0)


@given(cards_of_boards, directions)
def test_shift_keeps_the_sum_of_the_cards_and_costs_no_points(cards: Cards, direction: str) -> None:
    board = board_of(cards)
    moved = board.shifted(direction)
    assert sum(cards_of(moved)) == sum(cards)
    assert moved.score >= board.score


@given(cards_of_boards, directions)
def test_turned_board_moves_in_the_turned_direction(cards: Cards, direction: str) -> None:
    board = board_of(turned(cards))
    moved = board.shifted(QUARTER[direction])
    assert cards_of(moved) == turned(cards_of(board_of(cards).shifted(direction)))
    assert board.score == score(cards)


@given(cards_of_boards, directions)
def test_mirrored_board_moves_in_the_mirrored_direction(cards: Cards, direction: str) -> None:
    moved = board_of(mirrored(cards)).shifted(MIRROR[direction])
    assert cards_of(moved) == mirrored(cards_of(board_of(cards).shifted(direction)))


@given(cards_of_boards)
def test_text_is_read_back_as_the_same_board(cards: Cards) -> None:
    board = board_of(cards)
    text = board.to_text()
    assert [int(digit, 16) for digit in text] == list(board.ranks)
    read = ThreesBoard.from_text(f" {text[:4]} {text[4:].upper()}\n")
    assert read == board == eval(repr(board))
    assert len({board, read}) == 1
    assert board != text


@pytest.mark.parametrize("text", ["", "0" * 15, "0" * 17, "0" * 15 + "g", "0" * 15 + "\u0660"])
def test_text_that_is_no_board_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="a board is 16 ranks in hex, row by row") as caught:
        ThreesBoard.from_text(text)
    assert str(caught.value).endswith(f"not {text!r}")


@given(cards_of_boards, st.integers(0, 15), st.integers(1, len(CARDS)))
def test_card_is_put_on_an_empty_square_alone(cards: Cards, square: int, rank: int) -> None:
    board = board_of(cards)
    if cards[square]:
        with pytest.raises(ValueError, match=f"square {square} is not empty"):
            board.with_card(square, rank)
        return
    found = board.with_card(square, rank)
    assert cards_of(found) == (*cards[:square], card_of(rank), *cards[square + 1 :])


@pytest.mark.parametrize(("square", "rank"), [(-1, 1), (16, 1), (0, 0), (0, 16)])
def test_square_or_rank_that_is_none_is_named(square: int, rank: int) -> None:
    with pytest.raises(ValueError, match="a square 0 to 15 and a rank 1 to 15"):
        ThreesBoard(0).with_card(square, rank)


def test_direction_that_is_none_is_named() -> None:
    board = ThreesBoard(0)
    for ask in (board.shifted, board.entries, board.changed_lines):
        with pytest.raises(ValueError, match="expected up, down, left, right, not 'north'"):
            ask("north")


def test_ranks_number_the_cards_in_their_order() -> None:
    assert [card_of(rank) for rank in range(1, len(CARDS) + 1)] == list(CARDS)
    assert [rank_of(card) for card in CARDS] == list(range(1, len(CARDS) + 1))


@given(st.integers(-10, 30_000).filter(lambda number: number not in CARDS))
def test_number_of_no_card_is_named(number: int) -> None:
    with pytest.raises(ValueError, match=f"no card has the number {number}: expected 1, 2, 3, 6"):
        rank_of(number)


@pytest.mark.parametrize("rank", [-1, 0, 16])
def test_rank_of_no_card_is_named(rank: int) -> None:
    with pytest.raises(ValueError, match=f"a rank from 1 to 15, not {rank}"):
        card_of(rank)
