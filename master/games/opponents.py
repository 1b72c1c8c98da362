"""Opponents of every strength: the words of the levels, and the noise that makes them weaker.

A level values moves as the engine does, and adds noise to the values before it takes the best one.
Each game has a table with the noise of its levels. Bit-exact: noise depends on the seed of the
game, the number of the decision and the number of the move; it is made of integers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log10, sqrt
from typing import Any, Final, Protocol

from engine_ext.rng import philox_block

LEVELS: Final = (
    "beginner", "novice", "learner", "casual", "amateur", "intermediate",
    "club", "advanced", "expert", "master", "grandmaster", "world",
)  # fmt: skip
"""From the weakest to the strongest; the same words in every game."""

SEED_MAX: Final = 2**63 - 1

_STREAM: Final = 0x6C6576656C
"""Keeps the noise apart from other numbers of the same seed, such as dice."""

_WORD_SUM_MEAN: Final = 2 * (2**32 - 1)
_WORD_SUM_DEVIATION: Final = 2479700525
"""Of the sum of four 32-bit words: 2^32 / sqrt(3)."""


def noise(seed: int, decision: int, move: int, deviation: int) -> int:
    """Return noise of a mean of 0, with a shape near the normal one and at most 3.5 deviations.

    Args:
        seed: of the game.
        decision: number of the decision in the game.
        move: number of the alternative at that decision.
        deviation: standard deviation of the noise, in units of the game's values.
    """
    if not deviation:
        return 0
    words = philox_block(seed, _STREAM << 64 | decision << 32 | move)
    return (sum(words) - _WORD_SUM_MEAN) * deviation // _WORD_SUM_DEVIATION


class Strength(Protocol):
    """How a level decides; each game has its own settings."""

    @property
    def text(self) -> str:
        """Its settings in words."""


@dataclass(frozen=True)
class LevelGames:
    """Games between the levels of a game.

    Args:
        opponents: the settings of each level.
        pair: takes two settings, a seed and the number of a pair of games that begin alike, the
            sides exchanged; returns the results of both, as the first one sees them.
        has_points: whether a result is points; otherwise it is 1 for a win and 1/2 for a draw.
    """

    opponents: Mapping[str, Strength]
    pair: Callable[[Any, Any, int, int], tuple[float, float]]
    has_points: bool = False


NORMAL_95: Final = 1.96
"""Standard errors either side of a mean that hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Duel:
    """The result of games between two levels, as the weaker one sees it.

    Args:
        games: how many.
        mean: of a game.
        std_error: of the mean.
    """

    games: int
    mean: float
    std_error: float

    @property
    def elo(self) -> tuple[float, float, float]:
        """The difference of Elo that the mean score stands for, and its interval of 95 %."""
        reach = NORMAL_95 * self.std_error
        return _elo(self.mean), _elo(self.mean - reach), _elo(self.mean + reach)


def duel_of(pairs: Sequence[tuple[float, float]]) -> Duel:
    """Return the result of pairs of games; both of a pair begin alike, with the sides exchanged.

    The error is that of the pairs.
    """
    means = [(first + second) / 2 for first, second in pairs]
    mean = sum(means) / len(means)
    variance = sum((value - mean) ** 2 for value in means) / max(len(means) - 1, 1)
    return Duel(2 * len(pairs), mean, sqrt(variance / len(means)))


def _elo(score: float) -> float:
    if not 0 < score < 1:
        return -inf if score <= 0 else inf
    return 400 * log10(score / (1 - score))
