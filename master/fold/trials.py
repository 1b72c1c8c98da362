"""The fold of a job's trials: exact, in seq order, whatever order results arrive in.

Knows integers and seqs; must not know analysers, the store or time.
"""

from collections.abc import Sequence
from enum import Enum

from master.fold.summary import FoldSummary

Values = tuple[float, ...]


class FoldOutcome(Enum):
    """What became of a result."""

    NEW = "new"
    DUPLICATE = "duplicate"  # the same values as the ones known: counted, not added
    MISMATCH = "mismatch"  # other values than the ones known: not added


class BadValueError(ValueError):
    """A result's values are not ones a trial can have."""


class TrialFold:
    """See the module; the law: equal sets of results give equal folds, bit for bit."""

    folded: int  # trials 0 .. folded - 1 are folded
    duplicate_count: int

    def __init__(self, alternative_count: int, value_count: int, ranking_value: int = -1) -> None:
        raise NotImplementedError

    def add(self, seq: int, values: Values) -> FoldOutcome:
        """Take one trial's values in; raises BadValueError."""
        raise NotImplementedError

    def add_run(self, first_seq: int, run: Sequence[Values]) -> bool:
        """Take consecutive trials in if all are new and next; False: nothing was taken, add each."""
        raise NotImplementedError

    @property
    def held_count(self) -> int:
        """Results that wait for a gap to close."""
        raise NotImplementedError

    def snapshot(self) -> str:
        """Return the whole state as one canonical line of ASCII (JSON)."""
        raise NotImplementedError

    @staticmethod
    def restore(text: str) -> "TrialFold":
        """Return the fold a snapshot was taken of; ValueError when the text is none."""
        raise NotImplementedError

    def summary(self) -> FoldSummary:
        """Return the statistics of the whole rounds folded so far."""
        raise NotImplementedError
