"""The table of games: the place of each game's front, and how it is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from master.games.front import Front

GAMES = {
    "backgammon": "master.games.backgammon.front",
    "othello": "master.games.othello.front",
    "threes": "master.games.threes.front",
    "chess": "master.games.chess.front",
}
"""The one line here that a new game takes; the first one is meant where none is named."""


@cache
def _front_at(place: str) -> Front:
    front: Front = import_module(place).FRONT
    return front


def fronts() -> Iterator[tuple[str, Front]]:
    """Yield the games' names and fronts, in the order of the table."""
    for name, place in GAMES.items():
        yield name, _front_at(place)


def front_of(game: str) -> Front:
    """Return a game's front; an empty one if the game is not in the table."""
    return _front_at(GAMES[game]) if game in GAMES else Front()


def load(place: str) -> Any:
    """Return the object at an entry point, `module:name`."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
