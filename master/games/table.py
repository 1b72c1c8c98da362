"""The table of games: the front of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from master.games.backgammon.front import FRONT as BACKGAMMON
from master.games.chess.front import FRONT as CHESS
from master.games.front import Front
from master.games.othello.front import FRONT as OTHELLO
from master.games.threes.front import FRONT as THREES

if TYPE_CHECKING:
    from master.contract.views import JobView

GAMES: dict[str, Front] = {
    "backgammon": BACKGAMMON,
    "othello": OTHELLO,
    "threes": THREES,
    "chess": CHESS,
}
"""A new game takes an import and a line here; the first one is meant where none is named."""


def fronts() -> Iterator[tuple[str, Front]]:
    """Yield the games' names and fronts, in the order of the table."""
    yield from GAMES.items()


def front_of(game: str) -> Front:
    """Return a game's front; an empty one if the game is not in the table."""
    return GAMES.get(game, Front())


def position_of(view: JobView) -> str:
    """Return a job's position as a text that its game reads; empty: it has none."""
    from engine_ext.contexts import ContextError  # noqa: PLC0415  # fronts need none

    job_position = front_of(view.game).job_position
    if job_position is None:
        return ""
    try:
        return job_position(view)
    except ContextError:
        return ""
