"""The state of a game besides the position: cube, match score, rules, dice and offers.

It contains the check that a combination of these is legal.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine_ext.backgammon.board import Position

CENTRED = -1
ON_ROLL = 0
OPPONENT = 1

MATCH_LENGTH_MAX = 64
"""Gnubg's; its IDs could hold more."""

CUBE_LOG2_MAX = 15
"""Four bits in a match ID."""

SCORE_MAX = 32767
"""Fifteen bits in a match ID."""


class IdError(ValueError):
    """An unreadable ID; the message names the error in one sentence."""


@dataclass(frozen=True)
class MatchState:
    """Everything a match ID or an XGID says beside the position, seen by the player on roll.

    The player on roll keeps that name while a double or a resignation of theirs waits for the
    answer, as in gnubg.  In match play `jacoby` and `beavers` are always False; dice are kept
    with the larger first.

    Args:
        cube_value: 1, 2, 4, ... 32768; before the double if one is offered.
        cube_owner: CENTRED, ON_ROLL or OPPONENT.
        match_length: points; 0 = money play.
        score: points of the player on roll and of the opponent (money: of the session).
        crawford: this is the Crawford game.
        jacoby: gammons count only after a double (money play).
        beavers: a double may be beavered (money play).
        dice: the roll to play, or None before it.
        is_double_offered: the player on roll has doubled, the opponent answers.
        resignation: points of the game (1 to 3) that the player on roll offers to lose; 0 = none.
        player_on_roll: 0 or 1: which player of the ID is on roll; 1 sits at the bottom.
        cube_log2_max: highest cube as a power of two; only XGID carries it.

    Raises:
        IdError: an impossible combination.
    """

    cube_value: int = 1
    cube_owner: int = CENTRED
    match_length: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = True
    beavers: bool = True
    dice: tuple[int, int] | None = None
    is_double_offered: bool = False
    resignation: int = 0
    player_on_roll: int = 1
    cube_log2_max: int = 10

    def __post_init__(self) -> None:
        _check_match(self)
        _check_cube(self)
        _check_offers(self)
        if self.match_length:
            object.__setattr__(self, "jacoby", False)
            object.__setattr__(self, "beavers", False)
        if self.dice is not None:
            object.__setattr__(self, "dice", (max(self.dice), min(self.dice)))

    @property
    def away(self) -> tuple[int, int]:
        """Points to go, of the player on roll and of the opponent; (0, 0) in money play."""
        if self.match_length == 0:
            return (0, 0)
        return (self.match_length - self.score[0], self.match_length - self.score[1])

    @property
    def is_post_crawford(self) -> bool:
        """True in a match game after the Crawford game."""
        return self.match_length > 0 and not self.crawford and 1 in self.away


@dataclass(frozen=True)
class GameState:
    """A position and its match state, both seen by the player on roll."""

    position: Position
    match: MatchState


def _check_match(match: MatchState) -> None:
    length, score = match.match_length, match.score
    if not 0 <= length <= MATCH_LENGTH_MAX:
        raise IdError(f"a match has 1 to {MATCH_LENGTH_MAX} points (0 = money), not {length}")
    if not all(0 <= points <= SCORE_MAX for points in score):
        raise IdError(f"a score is from 0 to {SCORE_MAX}, not {score[0]}-{score[1]}")
    if length and max(score) >= length:
        raise IdError(f"at {score[0]}-{score[1]} the match to {length} is already over")
    if match.crawford and length == 0:
        raise IdError("money play has no Crawford game")
    if match.crawford and match.away.count(1) != 1:
        raise IdError(
            "in the Crawford game exactly one player is one point from winning, "
            f"not at {score[0]}-{score[1]} to {length}"
        )


def _check_cube(match: MatchState) -> None:
    value = match.cube_value
    if value < 1 or value & (value - 1) or value > 1 << CUBE_LOG2_MAX:
        raise IdError(f"a cube shows a power of two from 1 to {1 << CUBE_LOG2_MAX}, not {value}")
    if match.cube_owner not in (CENTRED, ON_ROLL, OPPONENT):
        raise IdError(f"the cube owner is -1, 0 or 1, not {match.cube_owner}")
    if value == 1 and match.cube_owner != CENTRED:
        raise IdError("a cube that shows 1 cannot be owned")
    if match.match_length and value > 1 and match.cube_owner == CENTRED:
        raise IdError(f"in match play a cube that shows {value} has an owner")
    if match.crawford and (value > 1 or match.is_double_offered):
        raise IdError("the Crawford game is played without the cube")
    if not 0 <= match.cube_log2_max <= CUBE_LOG2_MAX:
        raise IdError(f"the highest cube is 2 to the power of 0 to {CUBE_LOG2_MAX}")


def _check_offers(match: MatchState) -> None:
    if match.dice is not None and not all(1 <= die <= 6 for die in match.dice):
        raise IdError(f"dice show 1 to 6, not {match.dice[0]} and {match.dice[1]}")
    if match.player_on_roll not in (0, 1):
        raise IdError(f"the player on roll is 0 or 1, not {match.player_on_roll}")
    if not 0 <= match.resignation <= 3:
        raise IdError(f"a resignation is of 1 to 3 points, not {match.resignation}")
    if not match.is_double_offered:
        return
    if match.dice is not None:
        raise IdError("a double is offered before the dice are rolled, not after")
    if match.cube_owner == OPPONENT:
        raise IdError("a double is offered by a player who may not: the opponent owns the cube")
    if match.resignation:
        raise IdError("a double and a resignation cannot be offered together")
