"""The course of a job: the means of its alternatives at rounds evenly apart.

The law: the points depend on the trials read alone, not on the pieces in which they were read, and
the last one is the job's own summary, bit for bit. Memory is bounded: when there are too many
points, every other one goes, and the rounds between two are twice as many from then on.
"""

from array import array
from collections.abc import Sequence

from master.contract.views import ConvergencePoint
from master.fold.stop_rule import StopRule
from master.fold.sums import FoldSummary, RoundSums, summarise
from master.fold.trials import SEQ_MAX

POINTS_MAX = 256
"""More than a curve as wide as a page shows."""

NUMBERS_MAX = 4096
"""Points times alternatives: a rollout of forty moves takes 200 KB, and not a megabyte."""

ROUNDS_AT_ONCE_MAX = 1024
"""Rounds whose values are held until they are summed."""


def points_max(alternative_count: int) -> int:
    """Return how many points a course of so many alternatives has at most; 2 or more."""
    return max(2, min(POINTS_MAX, NUMBERS_MAX // alternative_count))


class Convergence:
    """A course from the first trial on."""

    def __init__(self, alternative_count: int, rule: StopRule, end: int = SEQ_MAX) -> None:
        """Start with no trials.

        Args:
            alternative_count: seq s is a game of alternative s % alternative_count.
            rule: by which alternatives get no more trials.
            end: trials from here on do not count.
        """
        self._sums = RoundSums(alternative_count, 1, 0)
        self._sums.counts = []  # quantiles are not used
        self._rule = rule
        self._end = end
        self._rows = array("d")  # of the rounds that are not summed yet
        self._step = 1
        self._points: list[ConvergencePoint] = []
        self._aim()

    @property
    def next_seq(self) -> int:
        """The trial that is read next."""
        return self._sums.rounds * self._sums.alternative_count + len(self._rows)

    def add_run(self, first_seq: int, values: Sequence[float]) -> bool:
        """Take the ranking values of consecutive trials in, runs in the order of their seqs.

        Returns:
            Whether all before the end were read: a trial that is missing ends the course.
        """
        self._pass_over(min(first_seq, self._end))
        if self.next_seq < min(first_seq, self._end):
            return False
        place, until = self.next_seq - first_seq, min(len(values), self._end - first_seq)
        while place < until:
            piece = values[place : min(until, place + self._limit - self.next_seq)]
            self._rows.extend(piece)
            place += len(piece)
            if self.next_seq == self._limit:
                self._examine()
        self._pass_over(self._end)
        return True

    def points(self) -> tuple[ConvergencePoint, ...]:
        """Return the points, and one of all whole rounds."""
        self._add_whole()
        points = tuple(self._points)
        if self._sums.rounds and (not points or points[-1].rounds < self._sums.rounds):
            points += (self._point(self.summary()),)
        return points

    def summary(self) -> FoldSummary:
        """Return the statistics of the ranking value over the whole rounds read."""
        self._add_whole()
        return summarise(self._sums)

    def _pass_over(self, seq: int) -> None:
        """Go on to a trial as long as those before it are of alternatives that get none."""
        sums = self._sums
        while self.next_seq < seq and self.next_seq % sums.alternative_count in sums.retired:
            self._rows.append(0.0)
            if self.next_seq == self._limit:
                self._examine()

    def _add_whole(self) -> None:
        whole = len(self._rows) // self._sums.round_size * self._sums.round_size
        if whole:
            self._sums.add(self._rows[:whole])
            del self._rows[:whole]

    def _aim(self) -> None:
        """Set how far trials are read before something is to be done."""
        rounds = self._sums.rounds
        aims = [(rounds // self._step + 1) * self._step, rounds + ROUNDS_AT_ONCE_MAX]
        check = self._next_check(rounds)
        if check is not None and check > rounds:
            aims.append(check)
        self._limit = min(aims) * self._sums.alternative_count

    def _next_check(self, rounds: int) -> int | None:
        if self._rule.goal.stop_settled is None:
            return None
        return self._rule.next_check(rounds)

    def _examine(self) -> None:
        self._add_whole()
        rounds = self._sums.rounds
        is_step, is_check = rounds % self._step == 0, self._next_check(rounds - 1) == rounds
        if is_step or is_check:
            summary = self.summary()
            if is_step:
                self._keep(self._point(summary))
            if is_check:
                self._sums.retire(self._rule.beaten(summary))
        self._aim()

    def _point(self, summary: FoldSummary) -> ConvergencePoint:
        found = [each if each.trials == summary.rounds else None for each in summary.alternatives]
        return ConvergencePoint(
            summary.rounds,
            tuple(None if each is None else each.means[0] for each in found),
            tuple(None if each is None else each.std_errors[0] for each in found),
        )

    def _keep(self, point: ConvergencePoint) -> None:
        self._points.append(point)
        if len(self._points) > points_max(self._sums.alternative_count):
            self._step *= 2
            self._points = [each for each in self._points if each.rounds % self._step == 0]
