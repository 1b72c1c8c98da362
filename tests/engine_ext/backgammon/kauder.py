"""A position of the Kauder paradox: a double is right though it is beavered.

The Jacoby rule makes it so: without the double the doubler's gammons do not count.  At 0-ply
there is none, as Janowski's formula has no volatility; by look-ahead there are a few, on the
edge, so they are looked for near positions that were found with one net or another.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from engine_ext.backgammon.board import Position, position_from_id
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.play import decide_cube

# The player on roll has two to four checkers left and hits, or loses one; the opponent has
# borne none off.
_NEAR = (
    "NpYKUBkBYAAAAA", "thwJUBkBYAAAAA", "No4KUBkBYAAAAA", "2I0ArBwBYAAAAA", "2MaBMBkBYAAAAA",
    "uI0DaBIBYAAAAA", "2MYhMBkBYAAAAA", "xi1A2BIBYAAAAA", "xnaAsBIBYAAAAA", "xtaAsBIBYAAAAA",
)  # fmt: skip


def _neighbours(position: Position) -> Iterator[Position]:
    """Yield the position, then all those in which one checker of the opponent is elsewhere."""
    yield position
    for place, count in enumerate(position.opponent):
        for other in range(1, 26):
            slots = list(position.opponent)
            slots[place] -= 1
            slots[other] += 1
            if count and place != other:
                try:
                    yield Position(position.on_roll, slots)
                except ValueError:  # a point that is the other side's
                    continue


@cache
def kauder_position(ply: int = 1) -> Position:
    """Return one where a look-ahead of `ply` says "double, beaver", by Jacoby with beavers."""
    for position_id in _NEAR:
        for position in _neighbours(position_from_id(position_id)):
            if decide_cube(GameState(position, MatchState()), ply).action == "double, beaver":
                return position
    raise AssertionError("no position of the Kauder paradox near those listed: look for others")
