"""A decision's alternatives rolled out to the last trial, in one go.

Knows which rollout a question's settings mean.  Must not know other machines: a rollout that is
divided among them is a job of its own.

Bit-exact: the trials are those of the rollout's context, the sums are of integers.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine_ext.backgammon.alternatives import rollout_context
from engine_ext.backgammon.context import Alternative
from engine_ext.backgammon.play import Probs, SearchStopped
from engine_ext.backgammon.questions import AnalyseQuestion, RolloutSettings
from engine_ext.backgammon.rollout import RolloutPlayer
from engine_ext.control import RunControl
from engine_ext.exact_means import mean, std_error
from engine_ext.services import VALUE_SCALE

_CUBELESS, _CUBEFUL = 5, 6


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
        seed=settings.seed,
        ply=settings.ply,
        cube_ply=settings.cube_ply,
        truncation_ply=settings.truncation_ply,
        move_filter=question.settings.move_filter,
    )
    count = settings.trials * len(alternatives)
    trials = RolloutPlayer(context).run(0, count, control)
    if len(trials) < count:
        raise SearchStopped
    return [_summed(trials[i :: len(alternatives)]) for i in range(len(alternatives))]


def _summed(trials: list[tuple[float, ...]]) -> RolledOut:
    count = len(trials)
    columns = [
        [int(value * VALUE_SCALE) for value in column] for column in zip(*trials, strict=True)
    ]
    means = [mean(sum(column), count) for column in columns]
    cubeful = columns[_CUBEFUL]
    squares = sum(value * value for value in cubeful)
    error = std_error(sum(cubeful), squares, count)
    return RolledOut(Probs(*means[:_CUBELESS]), means[_CUBELESS], means[_CUBEFUL], error or 0.0)
