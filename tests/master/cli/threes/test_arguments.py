"""Boards, next cards and bags of Threes! as they are typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.cli.threes.arguments import read_bag, read_next, to_threes_board
from master.games.threes.board_view import read_position
from tests.engine_ext.threes.reference_threes import Cards, board_of, cards_of_boards

EMPTY = "0 " * 16


@given(cards_of_boards, st.sampled_from([" ", ",", ", ", "\n", " , "]), st.booleans())
def test_cards_are_read_in_one_word_or_in_many(cards: Cards, between: str, has_dots: bool) -> None:
    texts = ["." if has_dots and not card else str(card) for card in cards]
    board = board_of(cards)
    assert to_threes_board([between.join(texts)]) == board
    assert to_threes_board(texts) == board
    assert to_threes_board([between.join(texts[:8]), between.join(texts[8:])]) == board


@given(cards_of_boards)
def test_digits_are_read_with_a_prefix_or_without(cards: Cards) -> None:
    board = board_of(cards)
    text = board.to_text()
    read = [to_threes_board([text.upper()]), to_threes_board([f"threes:{text}"])]
    assert [*read, read_position(f"threes:{text}")] == [board] * 3


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected 16 hex digits, or the numbers of 16 cards .*; not 0 cards"),
        ("0" * 15, "; not 15 digits"),
        ("0" * 17, "; not 17 digits"),
        ("0" * 15 + "g", "a board is 16 ranks in hex"),
        (EMPTY + "0", "; not 17 cards"),
        (EMPTY[4:], "; not 14 cards"),
        (EMPTY[2:] + "5", "no card has the number 5: expected 1, 2, 3, 6, 12, ... or 12288"),
        (EMPTY[2:] + "24576", "no card has the number 24576"),
        (EMPTY[2:] + "-3", "'-3' is no card: expected 1, 2, 3, 6, 12, ... or 0 or . for none"),
        (EMPTY[2:] + "9" * 5000, "'99999"),
        (EMPTY[2:] + "\u0663", "is no card"),
        (EMPTY[2:] + "a", "'a' is no card"),
    ],
)
def test_what_is_no_board_is_named_in_one_line(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        to_threes_board([text])
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "text", ["", "threes:", "0" * 16, f"threes:{'0' * 17}", f"threes:{'0' * 15}"]
)
def test_position_that_stands_alone_has_a_prefix_and_16_digits(text: str) -> None:
    with pytest.raises(ValueError, match="threes: and 16 hex digits"):
        read_position(text)


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("1", (1,)), ("2", (2,)), ("3", (3,)), ("6", (4,)), ("6,12", (4, 5)),
        ("24 12 6", (4, 5, 6)), (" 384, 768,1536 ", (10, 11, 12)),
    ],
)  # fmt: skip
def test_next_card_or_candidates_are_read_as_ranks(text: str, ranks: tuple[int, ...]) -> None:
    assert read_next(text) == ranks


@pytest.mark.parametrize(
    "text", ["", "1,2", "3,6", "6,24", "6,6", "6,12,24,48", ",", "x", "0", "4"]
)
def test_what_cannot_come_next_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="expected 1, 2"):
        read_next(text)


@given(st.tuples(*[st.integers(0, 9)] * 3), st.sampled_from(["", " ", ",", ", "]))
def test_bag_is_read_as_three_digits(bag: tuple[int, int, int], between: str) -> None:
    assert read_bag(between.join(map(str, bag))) == bag


@pytest.mark.parametrize("text", ["", "21", "2104", "2a0", "-210", "\u0661\u0661\u0661"])
def test_what_is_no_bag_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="is no bag: expected how many 1s, 2s and 3s are left"):
        read_bag(text)
