"""A player's performance over many analysed matches: over time, and by kind of decision.

Sums are of normalised equity, which makes match and money play comparable; judging defines the
decisions that count for PR.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from engine_ext.backgammon.evaluate import position_class
from master.games.backgammon.matches.figures import PR_SCALE, MatchFigures
from master.games.backgammon.matches.judging import ActionChoice, Judgement
from master.games.backgammon.matches.record import AnalysedMatch, Game, Play

UNDATED = ""
"""The month of matches whose files contain no date."""

_ISO_MONTH = re.compile(r"\d{4}-\d{2}(?=-|$)")
_ISO_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?")


class ProfileKind(Enum):
    """The kind of a decision: of a move by its position, of a cube action by the action.

    OPENING: the first move of either player in a game from the usual position.  BEAR_OFF: every
    checker of both is home, or off, and no two can meet.  RACE: none can meet, and some are not
    home.  CONTACT: every other move.
    """

    OPENING = "opening"
    CONTACT = "contact"
    RACE = "race"
    BEAR_OFF = "bear-off"
    DOUBLE = "double"
    NO_DOUBLE = "no double"
    TAKE = "take"
    PASS = "pass"


_BY_POSITION = {
    "contact": ProfileKind.CONTACT,
    "race": ProfileKind.RACE,
    "bearoff-one-sided": ProfileKind.BEAR_OFF,
    "bearoff-two-sided": ProfileKind.BEAR_OFF,
}


@dataclass(frozen=True)
class PlayedMatch:
    """An analysed match and the number of the player in question.

    Args:
        name: of its file.
        match: with its analysis.
        figures: drawn from it.
        players: their numbers; both, if both have the name.
    """

    name: str
    match: AnalysedMatch
    figures: MatchFigures
    players: tuple[int, ...]

    @property
    def date(self) -> str:
        """The day, or the month, of the match in its file; else UNDATED."""
        found = _ISO_DATE.match(self.match.match.tags.get("date", ""))
        return UNDATED if found is None else found[0]

    @property
    def month(self) -> str:
        """The month of the match; UNDATED if it is unknown."""
        found = _ISO_MONTH.match(self.date)
        return UNDATED if found is None else found[0]

    @property
    def opponents(self) -> tuple[str, ...]:
        """The opponents' names."""
        others = tuple(
            name for i, name in enumerate(self.match.match.players) if i not in self.players
        )
        return others or self.match.match.players

    @property
    def decisions(self) -> list[Judgement]:
        """The player's decisions."""
        return [each for each in self.figures.decisions if each.player in self.players]


@dataclass(frozen=True)
class Performance:
    """The sums of some decisions.

    Args:
        decisions: their number.
        counted: the number of those that count for PR.
        errors: the number of errors.
        loss: the sum of the errors.
        counted_loss: the sum of the errors that count.
    """

    decisions: int = 0
    counted: int = 0
    errors: int = 0
    loss: float = 0.0
    counted_loss: float = 0.0

    @property
    def pr(self) -> float | None:
        """Performance rating; None if no decision counts."""
        return PR_SCALE * self.counted_loss / self.counted if self.counted else None


def performance(decisions: Iterable[Judgement]) -> Performance:
    """Return the sums of decisions, added in their order."""
    listed = list(decisions)
    counted = [each for each in listed if each.is_counted]
    return Performance(
        decisions=len(listed),
        counted=len(counted),
        errors=sum(each.error > 0.0 for each in listed),
        loss=sum(each.error for each in listed),
        counted_loss=sum(each.error for each in counted),
    )


def kind_of(match: AnalysedMatch, each: Judgement) -> ProfileKind:
    """Return the kind of a decision."""
    if each.choice is not ActionChoice.MOVE:
        return ProfileKind(each.choice.value)
    if _is_opening(match.match.games[each.game], each.action):
        return ProfileKind.OPENING
    return _BY_POSITION[position_class(each.state.position)]


def _is_opening(game: Game, action: int) -> bool:
    """Whether it is its player's first move of a game from the usual position."""
    player = game.actions[action].player
    before = game.actions[:action]
    is_first = not any(isinstance(one, Play) and one.player == player for one in before)
    return game.start is None and is_first


@dataclass(frozen=True)
class Profile:
    """A player's performance.

    Args:
        matches: by date, those without one last; each with its sums.
        months: likewise.
        sorts: the sums of each kind of decision, including kinds without any.
        overall: the sums of all decisions.
        worst: the largest errors, the largest first, each with its match.
    """

    matches: tuple[tuple[PlayedMatch, Performance], ...]
    months: tuple[tuple[str, int, Performance], ...]
    sorts: tuple[tuple[ProfileKind, Performance], ...]
    overall: Performance
    worst: tuple[tuple[PlayedMatch, Judgement], ...]


def profile_of(matches: Iterable[PlayedMatch]) -> Profile:
    """Return the profile of the players of some matches; equal dates keep their order."""
    ordered = sorted(matches, key=lambda each: (each.date == UNDATED, each.date))
    pairs = [(match, each) for match in ordered for each in match.decisions]
    sorts = _grouped(pairs, lambda pair: kind_of(pair[0].match, pair[1]))
    months = _grouped(ordered, lambda match: match.month)
    wrong = [pair for pair in pairs if pair[1].error > 0.0]
    return Profile(
        matches=tuple((match, performance(match.decisions)) for match in ordered),
        months=tuple(
            (month, len(own), performance(each for match in own for each in match.decisions))
            for month, own in months.items()
        ),
        sorts=tuple(
            (sort, performance(each for _, each in sorts.get(sort, ()))) for sort in ProfileKind
        ),
        overall=performance(each for _, each in pairs),
        worst=tuple(sorted(wrong, key=lambda pair: -pair[1].error)),
    )


T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


def _grouped(things: Sequence[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    groups: dict[K, list[T]] = {}
    for thing in things:
        groups.setdefault(key(thing), []).append(thing)
    return groups
