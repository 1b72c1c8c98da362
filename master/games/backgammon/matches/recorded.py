"""A move of a match file, named as reports name it: `move 3.42 of m2.mat`.

The numbers are those that `manyply analyse` prints: the game, and the action in it, from 1.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.match_state import GameState
from engine_ext.kept_digest import kept_engine_digest
from engine_ext.services import engine_digest
from master.games.backgammon.analyse_report import decision_report
from master.games.backgammon.levels import LEVELS
from master.games.backgammon.matches.decisions import ActionQuestion, ask_about_action
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.files import MatchPart, parts_of
from master.games.backgammon.matches.record import AnalysedMatch
from master.games.backgammon.matches.replay import Moment, walk
from master.games.backgammon.play.board_view import SIDE_BY_SIDE_COLUMNS, position_report
from master.games.backgammon.review.plain_text import turn_lines
from master.games.backgammon.review.turns import MatchReview, Turn
from master.games.backgammon.review.wording import asked_state, done
from master.games.errors import RecordError
from master.reports.report import Report
from protocol.guards.home_paths import home_path

_NAMED = re.compile(r"(?:move\s+)?([0-9]{1,4})\.([0-9]{1,4})\s+of\s+(\S.*)", re.IGNORECASE)
_PART = re.compile(r"(.+)#([0-9]{1,5})")

NO_ANALYSIS = "No analysis of it is kept: manyply analyse {file} makes one."


@dataclass(frozen=True)
class RecordedMove:
    """An action of a recorded match; see master.games.front.Recorded.

    Args:
        file: as typed.
        analysed: the match, with its file's analysis.
        moment: the action in its place.
        game: index of its game.
    """

    file: str
    analysed: AnalysedMatch
    moment: Moment
    game: int

    @cached_property
    def position(self) -> GameState:
        """The position that it was decided in, with the roll of a play."""
        return asked_state(self._turn(None))

    @cached_property
    def _asked(self) -> tuple[ActionQuestion, ...]:
        """The questions about it, the deepest level first."""
        engine = kept_engine_digest("backgammon", engine_digest)
        asked = (
            ask_about_action(self.game, self.moment, settings, engine)
            for settings in reversed(LEVELS.values())
        )
        return tuple(one for one in asked if one is not None)

    @property
    def questions(self) -> Sequence[str]:
        """The texts of the questions, of which each level's answer may be kept."""
        return [one.question.to_text() for one in self._asked]

    def lines(self, answers: Mapping[str, str], width: int | None = None) -> list[str]:
        """Return what is known of it: the players, the action, the board, and its analysis."""
        known = self._known(answers)
        *lines, _ = turn_lines(
            self._review(known), self._turn(known), is_drawn=True,
            width=SIDE_BY_SIDE_COLUMNS if width is None else width,
        )  # fmt: skip
        return lines if known is not None else [*lines, "", NO_ANALYSIS.format(file=self._whole)]

    @property
    def _whole(self) -> str:
        """The file, without the number of the match in it, as a shell reads it."""
        part = _PART.fullmatch(self.file)
        is_part = part is not None and not home_path(self.file).exists()
        return shlex.quote(part[1] if part is not None and is_part else self.file)

    def report(self, answers: Mapping[str, str]) -> Report:
        """Return the documented object: that of the position, and the decisions made there."""
        turn = self._turn(self._known(answers))
        return position_report(self.position) | {
            "file": self.file,
            "game": self.game + 1,
            "action": self.moment.index + 1,
            "player": turn.player,
            "name": self.analysed.match.players[turn.player],
            "played": done(turn),
            "decisions": [decision_report(each) for each in turn.decisions],
        }

    def _known(self, answers: Mapping[str, str]) -> ActionAnalysis | None:
        """Return the deepest kept analysis, else the file's; None: there is none."""
        for one in self._asked:
            if (answer := answers.get(one.question.to_text())) is not None:
                return one.analysis(answer)
        return self.analysed.of(self.game, self.moment.index)

    def _review(self, known: ActionAnalysis | None) -> MatchReview:
        """Return a review of its game in which this action alone is analysed."""
        match = self.analysed.match
        alone: list[list[ActionAnalysis | None]] = [[None] * len(g.actions) for g in match.games]
        alone[self.game][self.moment.index] = known
        analysed = AnalysedMatch(match, tuple(map(tuple, alone)))
        return MatchReview(analysed, match_figures(analysed, (self.game,)))

    def _turn(self, known: ActionAnalysis | None) -> Turn:
        (game,) = self._review(known).games
        return game.turns[self.moment.index]


def read_recorded(text: str) -> RecordedMove | None:
    """Return the move that a text names; None: it is no such text.

    Raises:
        RecordError: the file cannot be read, or has no such move; the text says what it has.
    """
    named = _NAMED.fullmatch(text.strip())
    if named is None:
        return None
    game, action, file = int(named[1]) - 1, int(named[2]) - 1, named[3]
    analysed = _part_of(file).read()
    count = len(analysed.match.games)
    if not 0 <= game < count:
        raise RecordError(f"{file} has no game {game + 1}: expected 1 to {count}")
    moments = list(walk(analysed.match, game))
    if not 0 <= action < len(moments):
        raise RecordError(
            f"{file} has no move {game + 1}.{action + 1}: game {game + 1} has 1 to {len(moments)}"
        )
    return RecordedMove(file, analysed, moments[action], game)


def _part_of(file: str) -> MatchPart:
    """Return the match of a file; one of several is named `club.mat#2`."""
    path, number = home_path(file), 0
    part = _PART.fullmatch(file)
    if part is not None and not path.exists():
        path, number = home_path(part[1]), int(part[2])
    parts = parts_of(path)
    if not number and len(parts) > 1:
        raise RecordError(f"{file} has {len(parts)} matches: name one, such as {file}#1")
    if number > len(parts):
        raise RecordError(f"{path} has no match {number}: expected 1 to {len(parts)}")
    return parts[max(number, 1) - 1]
