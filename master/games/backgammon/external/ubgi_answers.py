"""The answers to a UBGI interface's questions, in the requested form."""

from __future__ import annotations

from engine_ext.control import RunControl
from master.games.backgammon.external.best_action import BEAVER, DOUBLE, TAKE, answer
from master.games.backgammon.external.ubgi import GoRole, Wish

NO_MOVE = "pass"
"""The answer for a roll without a legal move, in forms in which an answer may not be empty."""

NO_DOUBLE = "nodouble"


def carry_out(wish: Wish, control: RunControl | None = None) -> str:
    """Compute; return the line that answers.

    Raises:
        SearchStopped: `control` was stopped.
    """
    words = [answer(question, wish.level, control) for question in wish.questions]
    if wish.role is GoRole.BARE:
        return TAKE if words[0] == BEAVER else words[0]  # there are no beavers
    if wish.role is GoRole.CHEQUER:
        return f"bestmove {words[0] or NO_MOVE}"
    cube = DOUBLE if words[0] == DOUBLE else NO_DOUBLE
    if wish.role is GoRole.CUBE:
        return f"bestcube {cube}"
    return f"bestturn cube={cube} move={words[1] or NO_MOVE}"
