"""The two kinds of jobs: of trials, and of questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from master.contract.commands import (
    Command,
    CorrectAnswer,
    CorrectTrial,
    StoreAnswer,
    StoreTrials,
)
from master.scheduler.jobs import Job, JobLease
from master.scheduler.paces import TimingEstimate

ALL_TRIALS = -1
"""The key of their refusals: they share a context."""


@dataclass(slots=True, eq=False)
class TrialJob(Job):
    """A job of trials, whose results count when their attempts have ended.

    Args:
        waits_for: an unconfirmed attempt that a stop rule waits for, at the last check.
    """

    waits_for: JobLease | None = None

    def context(self, seq: int) -> str:
        """Return the context, which all trials share."""
        return self.spec.context

    def name_of(self, seq: int) -> str:
        """Return a trial's name for people."""
        return f"trial {seq} of job {self.number}"

    def refusal_key(self, seq: int) -> int:
        """Return one key for all trials."""
        return ALL_TRIALS

    def to_store(self, source: int, first: int, values: Sequence[Any]) -> Command:
        """Return the command that keeps a run of trials."""
        return StoreTrials(self.number, source, first, values)

    def to_correct(self, source: int, seq: int, values: Any) -> Command:
        """Return the command that puts another session's trial in the place of a wrong one."""
        return CorrectTrial(self.number, source, seq, values)

    def is_unconfirmed_below(self, limit: int) -> bool:
        """Say whether results below a limit come from attempts that have not ended."""
        known = self.waits_for
        if known is None or known not in self.unconfirmed or not self._is_source(known, limit):
            found = (lease for lease in self.unconfirmed if self._is_source(lease, limit))
            self.waits_for = next(found, None)
        return self.waits_for is not None

    def _is_source(self, lease: JobLease, limit: int) -> bool:
        """Say whether known results below a limit come from an attempt's analyser alone."""
        mark = lease.analyser.number + 1
        return any(source == mark for source in self.sources[lease.first : min(lease.sent, limit)])


@dataclass(slots=True, eq=False)
class QuestionJob(Job):
    """A job of questions: each is a part of its own, timed by itself, and answered at its end.

    Args:
        estimate: when all would be answered, from the last estimate; None: there is none.
    """

    estimate: TimingEstimate | None = None

    @property
    def rank(self) -> tuple[int, int]:
        """Return a sort key behind that of trials of the same priority, and the same for all."""
        return -self.priority, 0

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions, in order."""
        assert self.spec.questions is not None, "a job of questions has some"
        return self.spec.questions

    @property
    def kind(self) -> tuple[str, ...]:
        """Return a key: jobs with the same one share their paces; empty: with none."""
        spec = self.spec
        return (spec.game, spec.engine, spec.service, spec.work) if spec.work else ()

    def context(self, seq: int) -> str:
        """Return a question."""
        return self.questions[seq]

    def name_of(self, seq: int) -> str:
        """Return a question's name for people."""
        return f"question {seq}"

    def refusal_key(self, seq: int) -> int:
        """Return a key for each question."""
        return seq

    def to_store(self, source: int, first: int, values: Sequence[Any]) -> Command:
        """Return the command that passes an answer on and keeps it."""
        ((text,),) = values
        return StoreAnswer(self.number, source, first, text)

    def to_correct(self, source: int, seq: int, values: Any) -> Command:
        """Return the command that puts another answer in the place of a wrong one."""
        return CorrectAnswer(self.number, source, seq, values[0])

    def is_unconfirmed_below(self, limit: int) -> bool:
        """Say that none is: an answer is taken in when its attempt has ended."""
        return False
