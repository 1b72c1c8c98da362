"""A recorded match with the analysis of each of its actions."""

from __future__ import annotations

from dataclasses import dataclass

from engine_ext.backgammon.analysis import ActionAnalysis
from master.games.backgammon.matches.record import Match
from master.games.skipped import SkippedGame


@dataclass(frozen=True)
class AnalysedMatch:
    """A match and, for each game, one entry for each action: its analysis, or None.

    `analyses` may be shorter than the games: missing entries are not analysed.  `warnings` name the
    contradictions in a file, and how they were read.  `skipped` are games that could not be read,
    with the lines of the errors; the match contains each of them without any action.
    """

    match: Match
    analyses: tuple[tuple[ActionAnalysis | None, ...], ...] = ()
    warnings: tuple[str, ...] = ()
    skipped: tuple[SkippedGame, ...] = ()

    @property
    def notices(self) -> tuple[str, ...]:
        """The notices to show beside the figures: the warnings, and the missing games."""
        missing = (f"game {each.number}: {each.reason}; skipped" for each in self.skipped)
        return (*self.warnings, *missing)

    def of(self, game: int, action: int) -> ActionAnalysis | None:
        """Return the analysis of an action, by the indices of its game and itself."""
        if game < len(self.analyses) and action < len(self.analyses[game]):
            return self.analyses[game][action]
        return None
