"""The outcomes of the games of a job's alternative: shares that sum to 1, for drawings."""

from __future__ import annotations

from typing import NamedTuple


class Outcome(NamedTuple):
    """One way a game ends.

    Args:
        name: for people.
        share: of all games; variance reduction may move it slightly below 0 or above 1.
        is_won: whether the player of the alternative wins; None: nobody wins or loses.
    """

    name: str
    share: float
    is_won: bool | None = None
