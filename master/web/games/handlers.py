"""Answers requests about watched games."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from master.reports.report import Report
from master.web.answering import Site, json_response, request_body
from master.web.asking import RefusedError
from master.web.games.asking import read_first, read_game, read_game_asked
from master.web.games.kinds import asset_path, watched_games
from master.web.games.playing import NoRoomError, PlayedGame, PlayedGames
from master.web.rules import Refusal

PLAYING_MAX = 2
"""Games that are played at a time: jobs have analysers, and this is the master's own process."""


class GameHandlers:
    """The handlers of games."""

    def __init__(self, site: Site, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._games = PlayedGames()
        self._playing = asyncio.Semaphore(PLAYING_MAX)

    async def watched_games(self, request: Request) -> Response:
        """Answer with the games that can be watched, and those that are."""
        games = self._games.all(self._clock())
        kinds = [
            {
                "game": name,
                "title": kind.title,
                "text": kind.text,
                "files": [*map(asset_path, kind.files)],
                "levels": [{"level": each, "text": text} for each, text in kind.levels.items()],
                "level": kind.level,
                "seed_max": kind.seed_max,
            }
            for name, kind in watched_games().items()
        ]
        return json_response({"kinds": kinds, "games": [*map(_line, games)]})

    async def begin_game(self, request: Request) -> Response:
        """Begin a game."""
        asked = read_game_asked(await request_body(request))
        try:
            game = self._games.begin(
                asked.name, asked.watched, asked.seed, asked.level, self._clock()
            )
        except NoRoomError as error:
            raise RefusedError(Refusal(409, "too-many-games", str(error))) from None
        return json_response(_whole(game))

    async def watched_game(self, request: Request) -> Response:
        """Answer with the frames of a game, as far as it has been played."""
        return json_response(_whole(self._asked(request)))

    async def game_frames(self, request: Request) -> Response:
        """Answer with frames of a game, and play on for them."""
        game = self._asked(request)
        frame_max = watched_games()[game.name].frame_max
        first = read_first(str(request.path_params["first"]), frame_max)
        async with self._playing:
            frames = await asyncio.to_thread(game.play, first, self._clock)
        return json_response({"game": _line(game), "first": first, "frames": frames})

    def _asked(self, request: Request) -> PlayedGame:
        number = read_game(str(request.path_params["number"]))
        game = self._games.get(number, self._clock())
        if game is None:
            text = f"there is no game {number}, or nobody has watched it for long"
            raise RefusedError(Refusal(404, "unknown-game", text))
        return game


def _line(game: PlayedGame) -> Report:
    return {
        "number": game.number,
        "game": game.name,
        "seed": game.seed,
        "level": game.level,
        "frames": len(game.frames),
        "is_over": game.is_over,
    }


def _whole(game: PlayedGame) -> Report:
    return _line(game) | {"last": game.frames[-1] if game.frames else None}
