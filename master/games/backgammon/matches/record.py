"""A recorded match as plain values: its games, their actions in order, and the analysis of each.

Its legality is checked in replay.

Players keep their numbers, 0 and 1, throughout a match; in a written match player 0 is the one
named first (Jellyfish's left column, gnubg's white).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.match_state import GameState
from master.games.skipped import SkippedGame

GAMES_MAX = 2000
"""Of one match or session: a match has under 130 games, a session of days some hundred."""

Step: TypeAlias = tuple[int, int]
"""One checker's step, (from, to): points 1 ... 24 from the mover's side, 25 the bar, 0 off."""


@dataclass(frozen=True)
class Play:
    """A roll and the move played with it; no steps: nothing could be (or was) moved.

    Dice are kept with the larger first.
    """

    player: int
    dice: tuple[int, int]
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", (max(self.dice), min(self.dice)))


@dataclass(frozen=True)
class Double:
    """The player doubles (or redoubles) before rolling."""

    player: int


@dataclass(frozen=True)
class Take:
    """The player accepts the double."""

    player: int


@dataclass(frozen=True)
class Beaver:
    """The player accepts the double and doubles again at once, keeping the cube (money play)."""

    player: int


@dataclass(frozen=True)
class Drop:
    """The player declines the double, and with it the game."""

    player: int


@dataclass(frozen=True)
class Resign:
    """The player gives the game up: 1 = a single game, 2 = a gammon, 3 = a backgammon."""

    player: int
    multiple: int = 1


Action: TypeAlias = Play | Double | Take | Beaver | Drop | Resign


@dataclass(frozen=True)
class Result:
    """The result of a game: the winner, and the points in all (the cube and gammons counted)."""

    winner: int
    points: int


@dataclass(frozen=True)
class Game:
    """One game.

    Args:
        score: points of players 0 and 1 before it.
        actions: in the order played.
        result: None when it was not finished, or its end was not recorded.
        is_crawford: it is the Crawford game.
        start: where it began, if not at the usual position with a centred cube; its
            `player_on_roll` is our player number.
        cube: the value of the centred cube at the usual start: 1, or more after automatic doubles
            of equal opening rolls (money play).
        comments: (action index, text), by index; index len(actions) comments the end.
    """

    score: tuple[int, int]
    actions: tuple[Action, ...] = ()
    result: Result | None = None
    is_crawford: bool = False
    start: GameState | None = None
    cube: int = 1
    comments: tuple[tuple[int, str], ...] = ()


def plain_name(name: str) -> str:
    """Return a name with single blanks, wherever it has tabs, line ends or several of them."""
    return " ".join(name.split())


@dataclass(frozen=True)
class Match:
    """A match, or a money session (length 0).

    A rule that means nothing is off, so that equal matches compare equal: Jacoby and beavers in
    match play, Crawford in money play.

    Args:
        players: names of players 0 and 1.
        length: points; 0 = money play.
        games: in order.
        uses_crawford: the match is played with the Crawford rule.
        jacoby: gammons count only after a double (money play).
        beavers: a double may be beavered (money play).
        uses_cube: the cube is in play; without it nothing about it is decided.
        tags: other facts in a file about the match: "event", "round", "place", "date" (ISO 8601 if
            known), "annotator", "comment", "rating0", "rating1", ...
    """

    players: tuple[str, str]
    length: int
    games: tuple[Game, ...] = ()
    uses_crawford: bool = True
    jacoby: bool = True
    beavers: bool = False
    uses_cube: bool = True
    tags: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for rule in ("jacoby", "beavers") if self.length else ("uses_crawford",):
            object.__setattr__(self, rule, False)

    def called(self, name: str) -> tuple[int, ...]:
        """Return the numbers of the players of a name, in any case and with any blanks."""
        wanted = plain_name(name).casefold()
        return tuple(
            i for i, each in enumerate(self.players) if plain_name(each).casefold() == wanted
        )


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
