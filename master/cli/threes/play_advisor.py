"""Values of moves of Threes! in a session: hints, the engine's moves, the loss of a move.

Ctrl-C ends any search by KeyboardInterrupt, with nothing lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine_ext.threes.context import Lookahead
from engine_ext.threes.game import ThreesGame
from master.cli.threes.decider import Decider, Valued
from master.games.threes.decisions import Decision

REVIEW_PLIES = 2
"""Some microseconds a move: a long game is judged at once."""


class Judgement(NamedTuple):
    """Values of a move and of the best one, in points of expected final score."""

    value: float
    best: str
    best_value: float

    @property
    def loss(self) -> float:
        """How much less than the best it was."""
        return self.best_value - self.value


class ThreesAdvisor:
    """Values moves with the player's settings."""

    def __init__(
        self, decider: Decider, lookahead: Lookahead, seconds: float | None = None
    ) -> None:
        """Prepare to value moves.

        Args:
            decider: finds values.
            lookahead: how far hints and the engine look ahead.
            seconds: for a move, in which they look deeper; None: they do not.
        """
        self._decider = decider
        self._lookahead = lookahead
        self._seconds = seconds

    def values(self, game: ThreesGame, plies: int | None = None) -> Valued:
        """Return each legal move's expected final score, best first; of equals the first named.

        Args:
            game: its next move is the question.
            plies: moves to look ahead; None: as the engine does that plays.
        """
        lookahead = self._lookahead if plies is None else Lookahead(plies, plies)
        decision = Decision.of(game.cells, game.bag, game.next_ranks, lookahead)
        if plies is None and self._seconds is not None:
            return self._decider.value_within(decision, self._seconds)
        return self._decider.value(decision)

    def choose(self, game: ThreesGame) -> str:
        """Return the best move of a game that is not over."""
        return next(iter(self.values(game).values))

    def shares(self) -> Mapping[str, int]:
        """Return how many questions each analyser answered; empty: all was computed here."""
        return self._decider.shares()

    def judge(self, game: ThreesGame, direction: str) -> Judgement:
        """Return the values of a legal move and of the best one."""
        values = self.values(game, REVIEW_PLIES).values
        best = next(iter(values))
        return Judgement(values[direction], best, values[best])
