"""Who values moves of Threes! at the table: hints, the engine's moves, what a move lost.

Knows what to ask of the engine.  Must not know what is done with it.  Ctrl-C ends any of it by
KeyboardInterrupt, with nothing lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from engine_ext.control import RunControl
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.game import ThreesGame
from engine_ext.threes.net_file import shipped_net
from master.cli.interruptible import interruptible

REVIEW_PLIES = 2
"""Some milliseconds a move: a long game is judged within a minute."""


class Judgement(NamedTuple):
    """What a move was worth, and what the best one was, in points of expected final score."""

    value: float
    best: str
    best_value: float

    @property
    def loss(self) -> float:
        """How much less than the best it was."""
        return self.best_value - self.value


class ThreesAdvisor:
    """A search with its memo, by this process alone."""

    def __init__(self) -> None:
        """Begin with an empty memo."""
        self._renew()

    def _renew(self) -> None:
        self._control = RunControl()
        self._adviser = Adviser(shipped_net(), self._control)

    def values(self, game: ThreesGame, plies: int) -> dict[str, float]:
        """Return each legal move's expected final score, best first; of equals the first named."""
        ask = partial(self._adviser.values, game.cells, game.bag, game.next_ranks, plies)
        try:
            found = interruptible(ask)
        except KeyboardInterrupt:
            # The old search may still run for a moment: an adviser is for one thread at a time.
            self._control.stop()
            self._renew()
            raise
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def choose(self, game: ThreesGame, plies: int) -> str:
        """Return the best move of a game that is not over."""
        return next(iter(self.values(game, plies)))

    def shares(self) -> Mapping[str, int]:
        """Return how many parts each analyser computed; empty: all was computed here."""
        return {}

    def judge(self, game: ThreesGame, direction: str) -> Judgement:
        """Return what a legal move loses."""
        values = self.values(game, REVIEW_PLIES)
        best = next(iter(values))
        return Judgement(values[direction], best, values[best])
