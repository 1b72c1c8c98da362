"""Who values moves of Threes! by what was asked, so that answers tell of it."""

from __future__ import annotations

from typing import ClassVar, Self

from engine_ext.threes.board import ThreesBoard
from master.cli.place import Place
from master.cli.threes.decider import Valued
from master.games.threes.decisions import Decision, OnPart

DEEPER = 2
"""How much further it looks if there is time."""


def value_of(bag: tuple[int, int, int], next_ranks: tuple[int, ...], plies: int) -> float:
    """Return what the first move is said to be worth."""
    digits = "".join(map(str, (*next_ranks, plies, *bag)))
    return int(digits) + 0.25


class FakeDecider:
    """Holds the last move to be the best, each other worth two points less than the one behind."""

    places: ClassVar[list[Place]] = []
    decisions: ClassVar[list[Decision]] = []
    seconds: ClassVar[list[float]] = []

    def __init__(self, place: Place, on_part: OnPart | None = None) -> None:
        self.places.append(place)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *ending: object) -> None:
        pass

    def value(self, decision: Decision) -> Valued:
        self.decisions.append(decision)
        moves = reversed(ThreesBoard(decision.cells).moves())
        first = value_of(decision.bag, decision.next_ranks, decision.plies)
        values = {name: first - 2 * place for place, name in enumerate(moves)}
        return Valued(decision.plies, values)

    def value_within(self, decision: Decision, seconds: float) -> Valued:
        self.seconds.append(seconds)
        return Valued(decision.plies + DEEPER, self.value(decision).values)
