"""When a job has enough trials: rules that look at the folded prefix only, at stated rounds.

Knows summaries; must not know arrival order, analysers or time: that is what makes an adaptive
stop end at the same trial for any fleet.
"""

from dataclasses import dataclass

from master.contract.commands import StoppedBy
from master.fold.summary import FoldSummary

STOP_SE_ROUNDS_MIN = 144
"""Fewer games make a poor estimate of a standard error (gnubg's default)."""

STOP_SE_ROUNDS_STEP = 36
"""One pass through the first roll's 36 dice."""


@dataclass(frozen=True, slots=True)
class StopRule:
    """A job's rules.

    Args:
        trials: games for each alternative; None: no such rule.
        stop_se: largest standard error of the ranking value, for every alternative; None: none.
    """

    trials: int | None
    stop_se: float | None

    def next_check(self, rounds: int) -> int | None:
        """Return the first number of rounds above `rounds` that the rules look at; None: never."""
        if self.stop_se is None:
            return self.trials
        step = (rounds // STOP_SE_ROUNDS_STEP + 1) * STOP_SE_ROUNDS_STEP
        check = max(STOP_SE_ROUNDS_MIN, step)
        return check if self.trials is None else min(check, self.trials)

    def verdict(self, summary: FoldSummary) -> StoppedBy | None:
        """Return why a job ends at a number of rounds `next_check` gave; None: it goes on."""
        if self.trials is not None and summary.rounds >= self.trials:
            return StoppedBy.TRIALS
        if self.stop_se is None or summary.rounds < STOP_SE_ROUNDS_MIN:
            return None
        errors = [a.std_errors[summary.ranking_value] for a in summary.alternatives]
        is_met = all(error is not None and error <= self.stop_se for error in errors)
        return StoppedBy.STOP_SE if is_met else None
