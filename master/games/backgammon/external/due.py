"""The question of another program: a game state, and the decision that is due in it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine_ext.backgammon.match_state import GameState


class Due(Enum):
    """The decision that is due, and its player."""

    TURN = "roll or double"
    MOVE = "the move of a roll"
    ANSWER = "the answer to a double"
    BEAVERED = "the answer to a beaver"
    RESIGNATION = "the answer to a resignation"


@dataclass(frozen=True)
class DueQuestion:
    """One decision.

    Args:
        due: its kind.
        state: TURN and MOVE: the current one; the player on roll decides.  ANSWER: with the double
            offered by the player on roll, and the opponent decides.  BEAVERED: the player on roll
            has doubled and was beavered; the cube is as it will be if they accept.  RESIGNATION:
            the opponent of the player on roll resigns, and the player on roll decides.
        resignation: RESIGNATION: the number of games offered, 1 to 3; else 0.
    """

    due: Due
    state: GameState
    resignation: int = 0
