"""Answering the questions about matches: from stored answers, on this core, or by a fleet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.questions import AnalysisSettings
from engine_ext.kept_digest import kept_engine_digest
from master.cli.backgammon.analysing.analyse_depth import Depth
from master.cli.backgammon.analysing.analyse_here import answer_here, is_shallow
from master.cli.place import Place


@dataclass(frozen=True)
class AnswerOptions:
    """How questions are to be answered.

    Args:
        depth: how deep.
        place: where.
        is_quiet: show no progress but on a terminal.
        table: the match equities; None for the shipped ones.
    """

    depth: Depth
    place: Place
    is_quiet: bool
    table: MatchTable | None = None

    @property
    def settings(self) -> AnalysisSettings:
        """The levels, and the rollout that follows."""
        return self.depth.settings

    @property
    def engine(self) -> str:
        """Digest of the engine that is to answer."""
        return kept_engine_digest("backgammon")

    def answers(self, questions: Sequence[str]) -> list[str]:
        """Return the answers, in the order of the questions; all of them are asked together.

        Stored answers are not computed again, and if all are stored no fleet is started.
        """
        asked = list(dict.fromkeys(questions))
        if is_shallow(self.settings) and self.place == Place():
            known = dict(zip(asked, answer_here(asked), strict=True))
        else:
            known = self._known(asked)
        return [known[question] for question in questions]

    def _known(self, asked: Sequence[str]) -> dict[str, str]:
        # The store's and the master's modules take longer to load than static analysis takes.
        from master.cli.jobs.kept_answers import kept_answers  # noqa: PLC0415

        known = kept_answers(self.place, asked)
        if len(known) == len(asked):
            return known
        from master.cli.jobs.answering import answer_by_fleet  # noqa: PLC0415

        answers = answer_by_fleet(self.place, asked, is_quiet=self.is_quiet)
        return dict(zip(asked, answers, strict=True))
