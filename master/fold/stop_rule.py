"""Rules that say when a job has enough trials: they use the folded prefix only, at stated rounds.

They do not depend on arrival order, analysers or time, so an adaptive stop ends at the same trial
for any fleet.

An alternative is settled by the standard error of paired differences, as the trials of one round
have the same dice.  (GNU Backgammon's "joint standard deviations" are of unpaired ones: larger.)
"""

from collections.abc import Sequence
from dataclasses import dataclass

from master.contract.commands import StoppedBy
from master.contract.goals import Goal
from master.fold.sums import FoldSummary

ROUNDS_MIN = 144
"""Fewer games make a poor estimate of a standard error (gnubg's default)."""

ROUNDS_STEP = 36
"""One pass through the first roll's 36 dice."""


@dataclass(frozen=True, slots=True)
class StopRule:
    """A job's rules.

    Args:
        goal: when it has enough.
        caps: the most that each alternative is worth, since the opponent may end the game for it;
            the job ends when it is settled, too, whether he does.  Empty: no caps.  Only jobs of
            two alternatives have any.
    """

    goal: Goal
    caps: Sequence[float | None] = ()

    def next_check(self, rounds: int) -> int | None:
        """Return the first number of rounds above `rounds` at which rules apply; None: none."""
        if self.goal.stop_se is None and self.goal.stop_settled is None:
            return self.goal.trials
        check = max(ROUNDS_MIN, (rounds // ROUNDS_STEP + 1) * ROUNDS_STEP)
        return check if self.goal.trials is None else min(check, self.goal.trials)

    def verdict(self, summary: FoldSummary) -> StoppedBy | None:
        """Return why a job ends at a number of rounds `next_check` gave; None: it goes on."""
        if self.goal.trials is not None and summary.rounds >= self.goal.trials:
            return StoppedBy.TRIALS
        if summary.rounds < ROUNDS_MIN:
            return None
        if self.goal.stop_se is not None:
            errors = [_std_error(summary, each) for each in summary.staying]
            if all(error is not None and error <= self.goal.stop_se for error in errors):
                return StoppedBy.STOP_SE
        if self.goal.stop_settled is not None and self._is_settled(summary):
            return StoppedBy.SETTLED
        return None

    def beaten(self, summary: FoldSummary) -> list[int]:
        """Return alternatives that get no more trials, at a number of rounds that the rules use."""
        if self.goal.stop_settled is None or summary.rounds < ROUNDS_MIN:
            return []
        best = self._best(summary)
        return [each for each in summary.staying if self._is_beaten(summary, each, best)]

    def _is_settled(self, summary: FoldSummary) -> bool:
        best, beaten = self._best(summary), self.beaten(summary)
        return len(beaten) == len(summary.staying) - 1 and not self._is_open(summary, best)

    def _best(self, summary: FoldSummary) -> int:
        worth = {each: self._worth(summary, each) for each in summary.staying}
        return max(summary.staying, key=lambda each: (worth[each], -each))

    def _is_beaten(self, summary: FoldSummary, one: int, best: int) -> bool:
        if one == best or self._is_open(summary, one):
            return False
        lead = self._worth(summary, best) - self._worth(summary, one)
        return self._is_sure(lead, self._lead_error(summary, one, best))

    def _worth(self, summary: FoldSummary, one: int) -> float:
        mean, cap = _mean(summary, one), self._cap(one)
        return mean if cap is None else min(mean, cap)

    def _cap(self, one: int) -> float | None:
        return self.caps[one] if self.caps else None

    def _is_capped(self, summary: FoldSummary, one: int) -> bool:
        cap = self._cap(one)
        return cap is not None and _mean(summary, one) > cap

    def _is_open(self, summary: FoldSummary, one: int) -> bool:
        """Return whether it is still uncertain if the opponent ends the game."""
        cap = self._cap(one)
        if cap is None:
            return False
        return not self._is_sure(abs(_mean(summary, one) - cap), _std_error(summary, one))

    def _lead_error(self, summary: FoldSummary, one: int, best: int) -> float | None:
        """Return the standard error of a lead; a cap has none."""
        assert not self.caps or len(summary.alternatives) == 2, "leads are told of the best"
        varying = [each for each in (one, best) if not self._is_capped(summary, each)]
        if len(varying) == 2:
            trailing = best if one == summary.best else one
            return summary.alternatives[trailing].diff_std_error
        return _std_error(summary, varying[0]) if varying else 0.0

    def _is_sure(self, difference: float, error: float | None) -> bool:
        assert self.goal.stop_settled is not None, "asked by that rule alone"
        return error is not None and difference >= self.goal.stop_settled * error


def _mean(summary: FoldSummary, one: int) -> float:
    return summary.alternatives[one].means[summary.ranking_value]


def _std_error(summary: FoldSummary, one: int) -> float | None:
    return summary.alternatives[one].std_errors[summary.ranking_value]
