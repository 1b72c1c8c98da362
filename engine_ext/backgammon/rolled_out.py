"""A decision's alternatives rolled out to the last trial, in one go.

These rollouts run on one machine; a rollout on several machines is a separate job.

Bit-exact: the trials are those of the rollout's context, the sums are of integers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine_ext.backgammon.alternatives import rollout_context
from engine_ext.backgammon.context import Alternative, RolloutContext
from engine_ext.backgammon.play import SearchStopped
from engine_ext.backgammon.questions import AnalyseQuestion, RolloutSettings
from engine_ext.backgammon.ranking import Probs
from engine_ext.backgammon.rollout import RolloutPlayer
from engine_ext.backgammon.trials import VALUE_NAMES
from engine_ext.contexts import VALUE_SCALE
from engine_ext.control import RunControl
from engine_ext.exact_means import mean, std_error

_CUBELESS = VALUE_NAMES.index("equity_cubeless")
_CUBEFUL = VALUE_NAMES.index("equity_cubeful")

ROUNDS_AT_ONCE_MAX = 256
"""Trials of each alternative that are in memory at once."""


@dataclass(frozen=True)
class RolledOut:
    """Means of one alternative's trials, to the player on roll at the root.

    `std_error` is that of the cubeful equity, 0.0 for a single trial.
    """

    probs: Probs
    equity_cubeless: float
    equity_cubeful: float
    std_error: float


def rollout_of(
    question: AnalyseQuestion, alternatives: tuple[Alternative, ...], settings: RolloutSettings
) -> RolloutContext:
    """Return the context that rolls out alternatives of a question's state.

    Raises:
        ContextError: `bad-context`: alternatives that the state does not have.
    """
    return rollout_context(
        question.state,
        alternatives,
        question.dice,
        table=question.table,
        seed=settings.seed,
        ply=settings.ply,
        cube_ply=settings.cube_ply,
        truncation_ply=settings.truncation_ply,
        move_filter=question.settings.move_filter,
    )


def roll_out(context: RolloutContext, trials: int, control: RunControl) -> list[RolledOut]:
    """Roll out each alternative of a context so many times, all with the same dice.

    Raises:
        SearchStopped: `control` was stopped.
    """
    sums = [Sums() for _ in context.alternatives]
    add_trials(RolloutPlayer(context), sums, 0, trials, control)
    return [one.means(trials) for one in sums]


def add_trials(
    player: RolloutPlayer, sums: list[Sums], first: int, trials: int, control: RunControl
) -> None:
    """Add so many trials of each alternative, from its trial `first` on.

    Raises:
        SearchStopped: `control` was stopped.
    """
    count, end = len(sums), first + trials
    for start in range(first, end, ROUNDS_AT_ONCE_MAX):
        rounds = min(ROUNDS_AT_ONCE_MAX, end - start)
        values = player.run(start * count, rounds * count, control)
        if len(values) < rounds * count:
            raise SearchStopped
        for i, one in enumerate(sums):
            one.add(values[i::count])


@dataclass
class Sums:
    """Sums of each value of one alternative's trials, and of the squares of the last.

    Args:
        totals: in units of 2**-32.
        squares: in units of 2**-64.
    """

    totals: list[int] = field(default_factory=lambda: [0] * len(VALUE_NAMES))
    squares: int = 0

    def add(self, trials: list[tuple[float, ...]]) -> None:
        """Add the values of trials."""
        for index, column in enumerate(zip(*trials, strict=True)):
            units = [int(value * VALUE_SCALE) for value in column]
            self.totals[index] += sum(units)
            if index == _CUBEFUL:
                self.squares += sum(unit * unit for unit in units)

    @classmethod
    def joined(cls, parts: Iterable[Sums]) -> Sums:
        """Return the sums of the trials of all parts."""
        parts = list(parts)
        totals = [sum(column) for column in zip(*(part.totals for part in parts), strict=True)]
        return cls(totals, sum(part.squares for part in parts))

    def means(self, count: int) -> RolledOut:
        """Return the means of so many trials."""
        means = [mean(total, count) for total in self.totals]
        error = std_error(self.totals[_CUBEFUL], self.squares, count)
        return RolledOut(Probs(*means[:_CUBELESS]), means[_CUBELESS], means[_CUBEFUL], error or 0.0)
