"""The schemas of watched games."""

from __future__ import annotations

from master.web.games.kinds import watched_games
from master.web.games.playing import FRAMES_MAX
from master.web.shapes import COUNT, TEXT, Schema, list_of, object_of, or_null, ref

GAME_MAX = 2**31 - 1
"""The highest number of a game."""

_GAMES = watched_games()
_NAME: Schema = {"enum": [*_GAMES]}
_LEVEL: Schema = {"enum": sorted({level for game in _GAMES.values() for level in game.levels})}
_SEED: Schema = COUNT | {"maximum": max((game.seed_max for game in _GAMES.values()), default=0)}

GAME_PATH_FIELDS: dict[str, Schema] = {
    "number": {"type": "integer", "minimum": 1, "maximum": GAME_MAX},
    "first": COUNT | {"maximum": max((game.frame_max for game in _GAMES.values()), default=0)},
}
"""The parameters in the paths of games."""

_FRAME: Schema = {"type": "object"}
"""The game's own affair, and that of its view."""

_GAME_FIELDS: dict[str, Schema] = {
    "number": GAME_PATH_FIELDS["number"],
    "game": _NAME,
    "seed": _SEED,
    "level": _LEVEL,
    "frames": COUNT,
    "is_over": {"type": "boolean"},
}

GAME_SCHEMAS: dict[str, Schema] = {
    "GameKind": object_of(
        {
            "game": _NAME,
            "title": TEXT,
            "text": TEXT,
            "files": {"type": "array", "items": TEXT},
            "levels": {"type": "array", "items": object_of({"level": _LEVEL, "text": TEXT})},
            "level": _LEVEL,
            "seed_max": COUNT,
        }
    ),
    "GameLine": object_of(_GAME_FIELDS),
    "WatchedGames": object_of({"kinds": list_of("GameKind"), "games": list_of("GameLine")}),
    "WatchedGame": object_of(_GAME_FIELDS | {"last": or_null(_FRAME)}),
    "GameFrames": object_of(
        {
            "game": ref("GameLine"),
            "first": COUNT,
            "frames": {"type": "array", "items": _FRAME, "maxItems": FRAMES_MAX},
        }
    ),
    "GameBegun": object_of({"game": _NAME, "seed": _SEED, "level": _LEVEL}),
}
