"""The context set by a UBGI interface: session, score, cube, turn, position, roll.

Converts it to a game state.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, OPPONENT, GameState, MatchState

NOBODY = -1


@dataclass(frozen=True)
class UbgiContext:
    """The context of the next decision; players are 0 and 1, as p0 and p1.

    Args:
        length: of the match; 0 is money play.
        jacoby: money play.
        has_crawford: the match has a Crawford game.
        score: of both.
        is_after_crawford: an earlier score of this session had a player one point away.
        cube_value: 1, 2, 4, ...
        cube_owner: 0, 1, or NOBODY.
        turn: the player on roll.
        position: seen by the player on roll; None: not given yet.
        dice: the roll; None: not given yet.
    """

    length: int = 0
    jacoby: bool = True
    has_crawford: bool = True
    score: tuple[int, int] = (0, 0)
    is_after_crawford: bool = False
    cube_value: int = 1
    cube_owner: int = NOBODY
    turn: int = 0
    position: Position | None = None
    dice: tuple[int, int] | None = None

    def with_score(self, score: tuple[int, int]) -> UbgiContext:
        """Return the context with a new score: after the Crawford game there is no second one."""
        is_after = self.is_after_crawford or (score != self.score and self._is_one_away)
        return replace(self, score=score, is_after_crawford=is_after)

    @property
    def _is_one_away(self) -> bool:
        return [self.length - points for points in self.score].count(1) == 1

    def with_state(self, state: GameState) -> UbgiContext:
        """Return the context with everything in a game state; player 1 is at the bottom.

        The player on roll is then the state's.
        """
        match = state.match
        own = match.player_on_roll
        owners = {CENTRED: NOBODY, ON_ROLL: own, OPPONENT: 1 - own}
        return replace(
            self,
            length=match.match_length,
            jacoby=match.jacoby,
            score=match.score if own == 0 else (match.score[1], match.score[0]),
            is_after_crawford=match.is_post_crawford,
            cube_value=match.cube_value,
            cube_owner=owners[match.cube_owner],
            turn=own,
            position=state.position,
            dice=match.dice,
        )

    def state(self, *, has_dice: bool) -> GameState:
        """Return the game state, with the roll or before it.

        Raises:
            ValueError: the state is impossible; the text gives the reason.
        """
        assert self.position is not None, "it has been told"
        owners = {NOBODY: CENTRED, self.turn: ON_ROLL, 1 - self.turn: OPPONENT}
        match = MatchState(
            cube_value=self.cube_value,
            cube_owner=owners[self.cube_owner],
            match_length=self.length,
            score=self.score if self.turn == 0 else (self.score[1], self.score[0]),
            crawford=self.has_crawford and self._is_one_away and not self.is_after_crawford,
            jacoby=self.jacoby,
            beavers=False,
            dice=self.dice if has_dice else None,
            player_on_roll=self.turn,
        )
        return GameState(self.position, match)
