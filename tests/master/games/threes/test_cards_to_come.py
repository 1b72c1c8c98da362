"""What a board tells of the bag, against games whose bag is in sight."""

from itertools import product
from math import comb

import pytest
from hypothesis import given, settings

from engine_ext.threes.board import ThreesBoard, rank_of
from master.games.threes.cards_to_come import FULL_BAG, check_bag, check_next, likeliest_bag
from tests.engine_ext.threes.reference_threes import board_of
from tests.master.games.threes.played_games import Seen, played, seeds

EMPTY = (0, 0, 0)


def ranks_of(seen: Seen) -> tuple[int, ...]:
    return tuple(map(rank_of, seen.candidates))


def chance(left: tuple[int, ...], next_card: int) -> float:
    """How often a full bag comes to this when so many cards are drawn, the next one last."""
    drawn = [4 - each for each in left]
    if next_card > 3:
        return comb(4, left[0]) * comb(4, left[1]) * comb(4, left[2]) / comb(12, sum(left))
    before = [each - (card == next_card) for card, each in enumerate(drawn, start=1)]
    if min(before) < 0:
        return 0.0
    earlier = comb(4, before[0]) * comb(4, before[1]) * comb(4, before[2]) / comb(12, sum(before))
    return earlier * (left[next_card - 1] + 1) / (sum(left) + 1)


@settings(max_examples=15)
@given(seeds)
def test_bag_of_a_game_can_be_and_none_that_fits_is_likelier_than_the_one_found(seed: int) -> None:
    for seen in played(seed):
        board, ranks, card = board_of(seen.cards), ranks_of(seen), seen.candidates[0]
        ones, twos, threes = seen.left
        check_next(board, ranks)
        check_bag((ones, twos, threes), ranks)
        found = likeliest_bag(board, ranks)
        check_bag(found, ranks)
        assert any(found)
        assert found[1] - found[0] == twos - ones
        ends = (found, EMPTY) if found == FULL_BAG else (found,)
        likeliest = max(chance(end, card) for end in ends)
        assert likeliest >= chance(seen.left, card) * (1 - 1e-12)


def test_games_that_are_tried_have_bonus_cards() -> None:
    assert sum(max(seen.candidates) > 3 for seed in range(10) for seen in played(seed)) > 10


@pytest.mark.parametrize(
    ("board", "next_card", "bag"),
    [
        ("1111222230000000", 3, (0, 0, 2)),  # nothing was merged, ten of twelve were drawn
        ("1112223330000000", 1, (0, 1, 1)),
        ("1122333300000000", 1, (0, 1, 1)),
        ("3333330000000000", 1, (0, 1, 1)),  # three of the 3s were 1s and 2s; (1, 2, 0) is rarer
        ("0000000000000000", 2, (4, 3, 4)),
        ("0000000000000007", 6, (4, 4, 4)),
        ("0000000000000007", 3, (4, 4, 3)),
        ("0000000000000007", 1, (3, 4, 4)),
    ],
)
def test_bag_that_was_assumed_is_the_likeliest(
    board: str, next_card: int, bag: tuple[int, int, int]
) -> None:
    assert likeliest_bag(ThreesBoard.from_text(board), (rank_of(next_card),)) == bag


@pytest.mark.parametrize("board", ["1111100000000000", "1111100000000007"])
def test_cards_that_no_bag_can_bring_are_named(board: str) -> None:
    with pytest.raises(ValueError, match="no bag can have brought these cards"):
        likeliest_bag(ThreesBoard.from_text(board), (4,))


@pytest.mark.parametrize("next_rank", [1, 2, 3])
def test_next_card_has_left_the_bag_unless_it_is_full_again(next_rank: int) -> None:
    for bag in product(range(5), range(5), range(5)):
        if bag[next_rank - 1] < 4 or bag == FULL_BAG:
            check_bag(bag, (next_rank,))
            continue
        with pytest.raises(ValueError, match=f"the next card, {next_rank}, came out of the bag"):
            check_bag(bag, (next_rank,))


def test_bag_of_five_of_a_kind_is_named() -> None:
    with pytest.raises(ValueError, match="5 cards 2 in a bag: it has 4 of a kind at most"):
        check_bag((0, 5, 0), (1,))


@pytest.mark.parametrize(
    ("highest", "next_rank", "is_possible"),
    [(0, 3, True), (0, 4, False), (6, 4, False), (7, 4, True), (7, 5, False), (15, 12, True)],
)
def test_bonus_is_at_most_an_eighth_of_the_largest_card(
    highest: int, next_rank: int, is_possible: bool
) -> None:
    board = ThreesBoard(highest)
    if is_possible:
        check_next(board, (next_rank,))
        return
    with pytest.raises(ValueError, match="cannot come next: a bonus is at most an eighth"):
        check_next(board, (next_rank,))
