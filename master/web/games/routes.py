"""The routes of watched games."""

from __future__ import annotations

from master.web.route import Route
from master.web.rules import Need

_GAME = "/api/watched/{number}"

GAME_ROUTES = (
    Route("watched_games", "GET", "/api/watched",
          "List the games that can be watched, and those that are.", Need.READING, "WatchedGames"),
    Route("begin_game", "POST", "/api/watched",
          "Have the engine play a game; the same seed and level are the same game.", Need.TOKEN,
          "WatchedGame", "GameBegun"),
    Route("watched_game", "GET", _GAME, "Show how a game stands.", Need.READING, "WatchedGame"),
    Route("game_frames", "GET", f"{_GAME}/frames/{{first}}",
          "Show a game's frames from one on; it is played for them.", Need.READING, "GameFrames"),
)  # fmt: skip
