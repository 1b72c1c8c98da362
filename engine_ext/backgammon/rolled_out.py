"""A decision's alternatives rolled out to the last trial, in one go.

These rollouts run on one machine; a rollout on several machines is a separate job.

Bit-exact: the trials are those of the rollout's context, the sums are of integers.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine_ext.backgammon.alternatives import rollout_context
from engine_ext.backgammon.context import Alternative
from engine_ext.backgammon.play import SearchStopped
from engine_ext.backgammon.questions import AnalyseQuestion, RolloutSettings
from engine_ext.backgammon.ranking import Probs
from engine_ext.backgammon.rollout import RolloutPlayer
from engine_ext.backgammon.trials import VALUE_NAMES
from engine_ext.control import RunControl
from engine_ext.exact_means import mean, std_error
from engine_ext.services import VALUE_SCALE

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


def roll_out(
    question: AnalyseQuestion,
    alternatives: tuple[Alternative, ...],
    settings: RolloutSettings,
    control: RunControl,
) -> list[RolledOut]:
    """Roll each alternative of a question's state out, all with the same dice.

    Raises:
        ContextError: `bad-context`: alternatives that the state does not have.
        SearchStopped: `control` was stopped.
    """
    context = rollout_context(
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
    player, count = RolloutPlayer(context), len(alternatives)
    sums = [_Sums() for _ in alternatives]
    for first in range(0, settings.trials, ROUNDS_AT_ONCE_MAX):
        rounds = min(ROUNDS_AT_ONCE_MAX, settings.trials - first)
        trials = player.run(first * count, rounds * count, control)
        if len(trials) < rounds * count:
            raise SearchStopped
        for i, one in enumerate(sums):
            one.add(trials[i::count])
    return [one.means(settings.trials) for one in sums]


@dataclass
class _Sums:
    """Sums of each value of one alternative's trials, and of the squares of the last."""

    totals: list[int] = field(default_factory=lambda: [0] * len(VALUE_NAMES))
    squares: int = 0

    def add(self, trials: list[tuple[float, ...]]) -> None:
        for index, column in enumerate(zip(*trials, strict=True)):
            units = [int(value * VALUE_SCALE) for value in column]
            self.totals[index] += sum(units)
            if index == _CUBEFUL:
                self.squares += sum(unit * unit for unit in units)

    def means(self, count: int) -> RolledOut:
        means = [mean(total, count) for total in self.totals]
        error = std_error(self.totals[_CUBEFUL], self.squares, count)
        return RolledOut(Probs(*means[:_CUBELESS]), means[_CUBELESS], means[_CUBEFUL], error or 0.0)
