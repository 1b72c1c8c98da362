"""The fold of a job's questions: which are answered, and how.

It has the same interface for the scheduler as a fold of trials (trials.py). So questions are handed
out, taken back, compared and settled by the same rules.

The law: two folds that were given the same answers, in any order and any number of times each, are
equal. An answer is a pure function of its question: another text for one is a MISMATCH.
"""

from collections.abc import Sequence

from master.contract.events import ResultValues
from master.fold.sums import FoldSummary
from master.fold.trials import BadValueError, FoldOutcome


class AnswerFold:
    """The answers to the questions of a job; `folded` is the length of the prefix that is there."""

    __slots__ = ("_answers", "_known_count", "folded", "limit")

    def __init__(self, question_count: int) -> None:
        """Start with no answers."""
        self.folded = 0
        self.limit = question_count
        self._answers: list[str | None] = [None] * question_count
        self._known_count = 0

    @property
    def rounds(self) -> int:
        """Answers in the prefix."""
        return self.folded

    @property
    def held_count(self) -> int:
        """Answers behind the first gap."""
        return self._known_count - self.folded

    @property
    def known_end(self) -> int:
        """One more than the largest question answered; 0 when none is."""
        known = (seq for seq in range(len(self._answers) - 1, -1, -1) if self.has(seq))
        return next(known, -1) + 1

    def has(self, seq: int) -> bool:
        """Say whether the question is answered."""
        return self._answers[seq] is not None

    def values_at(self, seq: int) -> ResultValues | None:
        """Return the answer as a result; None when there is none."""
        text = self._answers[seq]
        return None if text is None else (text,)

    def add(self, seq: int, values: ResultValues) -> FoldOutcome:
        """Take one answer in; raises BadValueError."""
        text = _text(values)
        known = self._answers[seq]
        if known is not None:
            return FoldOutcome.DUPLICATE if known == text else FoldOutcome.MISMATCH
        self._answers[seq] = text
        self._known_count += 1
        self._advance()
        return FoldOutcome.NEW

    def retire(self, alternatives: Sequence[int]) -> None:
        """Refuse to: every question has its answer."""
        raise AssertionError(f"questions do not retire: {alternatives}")

    def check(self, run: Sequence[ResultValues]) -> None:
        """Raise BadValueError unless all are answers."""
        for values in run:
            _text(values)

    def add_run(self, first_seq: int, run: Sequence[ResultValues]) -> bool:
        """Take consecutive answers in if they are the next; False: nothing was taken."""
        return False

    def _advance(self) -> None:
        while self.folded < len(self._answers) and self._answers[self.folded] is not None:
            self.folded += 1

    def raise_limit(self, limit: int) -> None:
        """Do nothing: the questions are all there from the start."""

    def withdraw(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Take known answers out, questions first .. end - 1 of each range."""
        for first, end in ranges:
            self._answers[first:end] = [None] * (end - first)
            self._known_count -= end - first
            self.folded = min(self.folded, first)

    def replaced(self, seq: int, values: ResultValues) -> "AnswerFold":
        """Return the same fold with another answer to one question."""
        fold = AnswerFold(len(self._answers))
        fold._answers = list(self._answers)
        fold._answers[seq] = _text(values)
        fold._known_count = sum(text is not None for text in fold._answers)
        fold._advance()
        return fold

    def summary(self) -> FoldSummary:
        """Return how many answers are there: there is nothing else to say of texts."""
        return FoldSummary(self.folded, 0, 0, (), ())

    def answers(self) -> list[str | None]:
        """Return the answer to each question; None: not yet."""
        return list(self._answers)


def _text(values: ResultValues) -> str:
    first = values[0] if len(values) == 1 else None
    if not isinstance(first, str):
        raise BadValueError("values of a trial where the answer to a question is due")
    return first
