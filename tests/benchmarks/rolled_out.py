"""A rollout as the side-by-side programs ask for it, its result, and ours.

A peer's module turns the same settings into the peer's words; both play 0-ply with
stratified dice, to the end or to a bear-off table, by money rules without beavers.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from engine_ext.backgammon.alternatives import rollout_context
from engine_ext.backgammon.context import NO_DOUBLE, POSITION_ITSELF, Alternative
from engine_ext.backgammon.match_state import GameState
from engine_ext.control import RunControl
from engine_ext.services import trial_runner
from master.fold.sums import FoldSummary
from master.fold.trials import TrialFold


@dataclass(frozen=True)
class RolloutSettings:
    """What is asked of each program alike; `trials` for each alternative.

    `truncation_ply` is for ours alone: half-moves after which a game is evaluated, 0 never.
    """

    trials: int
    seed: int = 1
    truncation_ply: int = 0
    is_variance_reduced: bool = True
    is_cubeful: bool = True


@dataclass(frozen=True)
class RolledOut:
    """The result of one position, seen by the player on roll.

    Args:
        trials: games played.
        cpu_s: processor time.
        means: win, win gammon, win backgammon, lose gammon, lose backgammon, cubeless
            equity, cubeful equity (the cubeless one again where the cube is out of play).
        std_errors: of the means.
    """

    trials: int
    cpu_s: float
    means: tuple[float, ...]
    std_errors: tuple[float, ...]

    @property
    def cpu_s_to_hundredth(self) -> float:
        """Processor time until the standard error of the cubeful equity is .01."""
        return self.cpu_s * (self.std_errors[-1] / 0.01) ** 2


def roll_out(state: GameState, settings: RolloutSettings) -> RolledOut:
    """Roll a position out by our engine, in this thread.

    A cubeful rollout begins after the cube decision, no double, as gnubg's `rollout` does.
    """
    alternative = NO_DOUBLE if settings.is_cubeful else POSITION_ITSELF
    started = time.process_time()
    summary = fold_rollout(state, settings, (alternative,), None)
    cpu_s = time.process_time() - started
    [result] = summary.alternatives
    std_errors = tuple(error or 0.0 for error in result.std_errors)
    return RolledOut(result.trials, cpu_s, result.means, std_errors)


def fold_rollout(
    state: GameState,
    settings: RolloutSettings,
    alternatives: tuple[Alternative, ...],
    dice: tuple[int, int] | None,
) -> FoldSummary:
    """Play all trials of our rollout of these alternatives and fold them."""
    context = rollout_context(
        state,
        alternatives,
        dice,
        seed=settings.seed,
        truncation_ply=settings.truncation_ply,
        variance_reduction=settings.is_variance_reduced,
        cubeful=settings.is_cubeful,
    )
    runner = trial_runner(context.to_text())
    values = runner.run(0, settings.trials * len(alternatives), RunControl())
    fold = TrialFold(len(alternatives), len(runner.value_names))
    fold.add_run(0, values)
    return fold.summary()
