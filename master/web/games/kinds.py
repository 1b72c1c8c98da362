"""The games that can be watched, as their fronts name them, and the files of their views."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from master.games.table import fronts, load
from master.games.watched import WatchedGame
from master.web.assets import MEDIA, Asset


@cache
def watched_games() -> dict[str, WatchedGame]:
    """Return the games to watch, by name, in the order of the table."""
    return {name: load(front.watched) for name, front in fronts() if front.watched}


def game_assets() -> Iterator[Asset]:
    """Yield the files of their views, which lie in the games' own folders."""
    for watched in watched_games().values():
        for name in watched.files:
            media = MEDIA[name.rpartition(".")[2]]
            yield Asset(asset_path(name), name, media, watched.package)


def asset_path(name: str) -> str:
    """Return where a file of a game's view is asked for."""
    return f"/games/{name}"
