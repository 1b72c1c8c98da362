"""The cards to come: the next one, which is shown, and the cards left in the bag.

A bag holds four each of the cards 1, 2 and 3; they are drawn without replacement, and an empty bag
is filled again.  Instead of one of them a bonus card can come, from 6 to an eighth of the largest
card on the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb

from engine_ext.threes.board import ThreesBoard, card_of

Bag = tuple[int, int, int]
"""The numbers of cards 1, 2 and 3 left; an empty bag counts as a full one."""

OF_A_KIND = 4
FULL_BAG = (OF_A_KIND, OF_A_KIND, OF_A_KIND)

BONUS_RANK_MIN = 4
"""The card 6."""

BONUS_BELOW_HIGHEST = 3
"""Ranks: an eighth of the largest card."""


def check_next(board: ThreesBoard, next_ranks: Sequence[int]) -> None:
    """Check that these can be the candidates for a board's next card.

    Args:
        board: before the card enters.
        next_ranks: one of a card from the bag, or up to three of a bonus, in ascending order.

    Raises:
        ValueError: the largest card is too small for such a bonus.
    """
    most = board.highest - BONUS_BELOW_HIGHEST
    if next_ranks[-1] < BONUS_RANK_MIN or next_ranks[-1] <= most:
        return
    largest = f"the largest card is {card_of(board.highest)}" if board.highest else "there is none"
    raise ValueError(
        f"{card_of(next_ranks[-1])} cannot come next: a bonus is at most an eighth of the "
        f"largest card, and {largest}"
    )


def check_bag(bag: Bag, next_ranks: Sequence[int]) -> None:
    """Check that a bag can be left when the next card has been drawn; ValueError otherwise."""
    for card, left in enumerate(bag, start=1):
        if left > OF_A_KIND:
            raise ValueError(f"{left} cards {card} in a bag: it has {OF_A_KIND} of a kind at most")
    card = next_ranks[0]
    if card < BONUS_RANK_MIN and bag != FULL_BAG and bag[card - 1] == OF_A_KIND:
        raise ValueError(
            f"the next card, {card}, came out of the bag: at most {OF_A_KIND - 1} cards {card} "
            "are left in it, unless it is full again"
        )


def likeliest_bag(board: ThreesBoard, next_ranks: Sequence[int]) -> Bag:
    """Return the likeliest bag of all that can have brought these cards.

    As many 1s as 2s were merged, so the board shows how many more 1s than 2s were drawn.  While no
    bonus can have come, it also shows how many 3s were drawn for each number of such merges.  The
    likeliest bag is the one most often left after drawing so many cards from a full bag, the next
    card last; of two equally likely bags it is the fuller one.  An empty bag is returned as the
    full one that it becomes.

    Raises:
        ValueError: no bag can have brought them.
    """
    left = range(OF_A_KIND + 1)
    bags = [bag for bag in product(left, left, left) if _brings(bag, board, next_ranks)]
    chances = [(_chance(bag, next_ranks), sum(bag), bag) for bag in bags]
    chance, _, likeliest = max(chances, default=(0, 0, FULL_BAG))
    if not chance:
        raise ValueError("no bag can have brought these cards and the next one")
    return likeliest if any(likeliest) else FULL_BAG


def _brings(bag: Bag, board: ThreesBoard, next_ranks: Sequence[int]) -> bool:
    """Whether the cards drawn from a bag, given the rest in it, can have led to the board."""
    ones, twos, threes = [
        board.ranks.count(rank) + (next_ranks[0] == rank) for rank in (1, 2, 3)
    ]  # fmt: skip
    if ones - twos != bag[1] - bag[0]:
        return False
    if board.highest >= BONUS_RANK_MIN + BONUS_BELOW_HIGHEST:
        return True
    threes += sum(2 ** (rank - 3) for rank in board.ranks if rank > 3)
    # Of each kind as many were ever put into the bag: the drawn ones and the ones left.
    filled, odd = divmod(ones + threes + bag[0] + bag[2], 2)
    merged = filled - bag[0] - ones
    is_whole = not odd and filled >= OF_A_KIND and filled % OF_A_KIND == 0
    return is_whole and merged >= 0 and filled - bag[2] >= (next_ranks[0] == 3)


def _chance(bag: Bag, next_ranks: Sequence[int]) -> Fraction:
    """Return the probability that draws from a full bag leave this one, the next card last."""
    ways = comb(OF_A_KIND, bag[0]) * comb(OF_A_KIND, bag[1]) * comb(OF_A_KIND, bag[2])
    left = Fraction(ways, comb(3 * OF_A_KIND, sum(bag)))
    rank = next_ranks[0]
    if rank >= BONUS_RANK_MIN:
        return left
    drawn = OF_A_KIND - bag[rank - 1]
    return left * Fraction(drawn, max(1, 3 * OF_A_KIND - sum(bag)))
