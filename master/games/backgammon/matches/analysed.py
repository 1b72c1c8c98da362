"""A recorded match with what is known about each of its actions.

Knows records and analyses, side by side.  Must not know who analysed, files or figures.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine_ext.backgammon.analysis import ActionAnalysis
from master.games.backgammon.matches.record import Match
from master.games.skipped import SkippedGame


@dataclass(frozen=True)
class AnalysedMatch:
    """A match and, for each game, one entry for each action: its analysis, or None.

    `analyses` may be shorter than the games: what is missing is not analysed.  `warnings` say what
    a file has of its match that cannot be, and how it was read all the same.  `skipped` are games
    that could not be read, by the lines of what is wrong in them; each stands in the match without
    any action.
    """

    match: Match
    analyses: tuple[tuple[ActionAnalysis | None, ...], ...] = ()
    warnings: tuple[str, ...] = ()
    skipped: tuple[SkippedGame, ...] = ()

    @property
    def notices(self) -> tuple[str, ...]:
        """What is to be known beside the figures: the warnings, and which games are missing."""
        missing = (f"game {each.number}: {each.reason}; skipped" for each in self.skipped)
        return (*self.warnings, *missing)

    def of(self, game: int, action: int) -> ActionAnalysis | None:
        """Return what is known about an action, by the indices of its game and itself."""
        if game < len(self.analyses) and action < len(self.analyses[game]):
            return self.analyses[game][action]
        return None
