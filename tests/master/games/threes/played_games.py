"""Games of Threes! played by chance, by the rules written plainly, with the bag in sight."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import strategies as st

from tests.engine_ext.threes.reference_threes import Cards, after, entry

PREFERRED = ("left", "up", "down", "right")


@dataclass(frozen=True)
class Seen:
    """What a player sees, and what is left in the bag; several candidates are a bonus."""

    cards: Cards
    candidates: tuple[int, ...]
    left: tuple[int, ...]


class Drawing:
    """Draws cards as the rules say, but more bonus cards, so that there are some."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.bag: list[int] = []

    def from_bag(self) -> int:
        self.bag = self.bag or [1, 2, 3] * 4
        self.chance.shuffle(self.bag)
        return self.bag.pop()

    def candidates(self, cards: Cards) -> tuple[int, ...]:
        largest = max(cards)
        if largest < 48 or self.chance.random() < 0.7:
            return (self.from_bag(),)
        bonus = [card for card in (6, 12, 24, 48, 96) if card <= largest // 8]
        first = self.chance.randrange(max(1, len(bonus) - 2))
        return tuple(bonus[first : first + 3])


def played(seed: int) -> Iterator[Seen]:
    """Yield what is seen before each move."""
    chance = random.Random(seed)
    drawing = Drawing(chance)
    cards = tuple(drawing.from_bag() if place < 9 else 0 for place in range(16))
    cards = tuple(chance.sample(cards, 16))
    while True:
        shown = drawing.candidates(cards)
        yield Seen(cards, shown, tuple(drawing.bag.count(card) for card in (1, 2, 3)))
        moves = [name for name in PREFERRED if after(cards, name) != cards]
        if not moves:
            return
        move = moves[0] if chance.random() < 0.8 else chance.choice(moves)
        square = chance.choice(entry(cards, move))
        card = chance.choice(shown)
        moved = after(cards, move)
        cards = (*moved[:square], card, *moved[square + 1 :])


seeds = st.integers(0, 10**6)
