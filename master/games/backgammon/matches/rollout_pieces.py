"""Analyses with rollouts, put together from pieces of these rollouts."""

from __future__ import annotations

from collections.abc import Mapping

from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.analysis_text import analysis_to_text
from engine_ext.backgammon.context import RolloutContext
from engine_ext.backgammon.questions import AnalyseQuestion
from engine_ext.backgammon.rolled_out import Sums
from engine_ext.backgammon.rollout_sums import (
    SumsMissingError,
    analyse_from_sums,
    joined,
    piece_questions,
    sums_from_text,
)
from engine_ext.control import RunControl


class RolloutPieces:
    """Questions about decisions with rollouts: the pieces to ask for, and then the answers.

    Call `missing` and `add` by turns until nothing is missing.
    """

    def __init__(self, questions: Mapping[str, ActionAnalysis]) -> None:
        """Start with no sums.

        Args:
            questions: each with the analysis of its decision by look-ahead alone.
        """
        self.answers: dict[str, str] = {}
        """The answers known so far, by question."""
        self.too_long: list[str] = []
        """Questions whose rollouts cannot be cut: a piece's text would be too long."""
        self._open = {
            text: (AnalyseQuestion.from_text(text), known) for text, known in questions.items()
        }
        self._pieces: dict[str, list[str]] = {}
        self._sums: dict[str, list[Sums]] = {}

    def missing(self) -> list[str]:
        """Analyse as far as possible, and return the pieces that are needed; none: all is known."""
        wanted: dict[str, None] = {}
        for text, (question, known) in list(self._open.items()):
            try:
                analysis = analyse_from_sums(question, known, self._sums, RunControl())
                self.answers[text] = analysis_to_text(analysis)
                del self._open[text]
            except SumsMissingError as error:
                pieces = self._cut(error.context, error.trials)
                if pieces is None:
                    self.too_long.append(text)
                    del self._open[text]
                else:
                    wanted |= dict.fromkeys(pieces)
        return list(wanted)

    def _cut(self, context: RolloutContext, trials: int) -> list[str] | None:
        pieces = piece_questions(context, trials)
        if pieces is not None:
            self._pieces[context.to_text()] = pieces
        return pieces

    def add(self, answers: Mapping[str, str]) -> None:
        """Add the answers to all missing pieces.

        Raises:
            AnswerError: a text that is no answer.
        """
        for context, pieces in self._pieces.items():
            self._sums[context] = joined([sums_from_text(answers[piece]) for piece in pieces])
        self._pieces.clear()
