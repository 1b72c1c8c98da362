"""How games of a job's alternative end: shares that sum up to 1, for pictures of any game.

Knows names and numbers. Must not know any game.
"""

from __future__ import annotations

from typing import NamedTuple


class Outcome(NamedTuple):
    """One way a game ends.

    Args:
        name: what people call it.
        share: of all games; where luck is taken off it may lie a little beyond 0 and 1.
        is_won: by whose alternative it is; None: nobody wins or loses.
    """

    name: str
    share: float
    is_won: bool | None = None
