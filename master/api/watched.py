"""Games that are watched: the engine plays, each as far as a request has asked for."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated

from pydantic import Field

from master.api.routing import Operation
from master.api.rules import Need, Refusal, RefusedError
from master.api.site import MEDIA, Asset, Site
from master.contract.shapes import Asked, Count, Shown
from master.games.table import fronts
from master.games.watched import WatchedGame
from master.reports.report import Report

GAMES_MAX = 8
"""Kept at a time, some megabytes each."""

IDLE_S = 60.0
"""A game without a request for so long has no viewers: another may have its place."""

FORGOTTEN_S = 600.0
"""After so long a game is gone; the same seed and level play it again."""

FRAMES_MAX = 200
"""Of one answer: four seconds of the fastest watcher."""

PLAY_S = 0.2
"""A game is played so long for one answer; then the page asks again."""


@dataclass(eq=False)
class PlayedGame:
    """A game that is watched; from several threads, which wait for each other.

    Args:
        number: of it.
        name: the game's name.
        seed: of all chance.
        level: the engine's level.
        rest: the frames that are not there yet.
        frames: those that are.
        is_over: there are no more.
        asked_at: time of the last request.
    """

    number: int
    name: str
    seed: int
    level: str
    rest: Iterator[Report]
    frames: list[Report] = field(default_factory=list)
    is_over: bool = False
    asked_at: float = 0.0
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def play(self, first: int, clock: Callable[[], float]) -> list[Report]:
        """Return frames from one on, FRAMES_MAX at most, and play for them as long as PLAY_S.

        One is played in any case.
        """
        with self._turn:
            end = clock() + PLAY_S
            while not self.is_over and len(self.frames) < first + FRAMES_MAX:
                self._play_one()
                if clock() >= end:
                    break
            return self.frames[first : first + FRAMES_MAX]

    def _play_one(self) -> None:
        frame = next(self.rest, None)
        if frame is None:
            self.is_over = True
        else:
            self.frames.append(frame)


class NoRoomError(Exception):
    """As many games are watched as there may be."""


class PlayedGames:
    """All of them."""

    def __init__(self) -> None:
        """Have none."""
        self._games: dict[int, PlayedGame] = {}
        self._last = 0

    def begin(
        self, name: str, watched: WatchedGame, seed: int, level: str, now: float
    ) -> PlayedGame:
        """Begin a game.

        Raises:
            NoRoomError: too many are watched.
        """
        self._forget(now)
        if len(self._games) >= GAMES_MAX:
            oldest = min(self._games.values(), key=lambda game: (game.asked_at, game.number))
            if now - oldest.asked_at < IDLE_S:
                raise NoRoomError(f"{GAMES_MAX} games are watched already")
            del self._games[oldest.number]
        self._last += 1
        frames = watched.begin(seed, level)
        game = PlayedGame(self._last, name, seed, level, frames, asked_at=now)
        self._games[game.number] = game
        return game

    def get(self, number: int, now: float) -> PlayedGame | None:
        """Return a game that is looked at; None: there is none of that number, or no more."""
        self._forget(now)
        game = self._games.get(number)
        if game is not None:
            game.asked_at = now
        return game

    def all(self, now: float) -> list[PlayedGame]:
        """Return all, oldest first."""
        self._forget(now)
        return [*self._games.values()]

    def _forget(self, now: float) -> None:
        for game in [*self._games.values()]:
            if now - game.asked_at >= FORGOTTEN_S:
                del self._games[game.number]


PLAYING_MAX = 2
"""Games that are played at a time: jobs have analysers, and this is the master's own process."""

NUMBER_MAX = 2**31 - 1
"""The highest number of a game."""

GameNumber = Annotated[int, Field(ge=1, le=NUMBER_MAX)]

_GAME = "/api/watched/{game}"


@dataclass(frozen=True, slots=True)
class GameLevel(Shown):
    """A level of the engine, and its description."""

    level: str
    text: str


@dataclass(frozen=True, slots=True)
class GameKind(Shown):
    """A game that can be watched.

    Args:
        game: its name.
        title: for people.
        text: its description.
        files: of its view, the scripts and styles.
        levels: the engine's.
        level: the usual one.
        seed_max: the greatest seed of its chance.
    """

    game: str
    title: str
    text: str
    files: tuple[str, ...]
    levels: tuple[GameLevel, ...]
    level: str
    seed_max: Count


@dataclass(frozen=True, slots=True)
class GameLine(Shown):
    """A game that is watched.

    Args:
        number: of it.
        game: the game's name.
        seed: of its chance.
        level: the engine's.
        frames: how many have been played.
        is_over: there are no more.
    """

    number: GameNumber
    game: str
    seed: Count
    level: str
    frames: Count
    is_over: bool


@dataclass(frozen=True, slots=True)
class ShownGame(GameLine):
    """A game that is watched, with its last frame, as its view draws it; None: there is none."""

    last: Report | None = None


@dataclass(frozen=True, slots=True)
class WatchedGames(Shown):
    """The games that can be watched, and those that are."""

    kinds: tuple[GameKind, ...]
    games: tuple[GameLine, ...]


@dataclass(frozen=True, slots=True)
class GameFrames(Shown):
    """Frames of a game from one on."""

    game: GameLine
    first: Count
    frames: Annotated[tuple[Report, ...], Field(max_length=FRAMES_MAX)]


@dataclass(frozen=True, slots=True)
class WantedGame(Asked):
    """A game to watch; the same seed and level are the same game."""

    game: str
    seed: Count
    level: str


class GameHandlers:
    """Answers requests about games that are watched."""

    def __init__(self, site: Site, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._games = PlayedGames()
        self._playing = asyncio.Semaphore(PLAYING_MAX)

    @Operation("GET", "/api/watched", Need.READING)
    async def watched_games(self) -> WatchedGames:
        """List the games that can be watched, and those that are."""
        kinds = tuple(_kind(name, game) for name, game in watched_games().items())
        return WatchedGames(kinds, tuple(map(_line, self._games.all(self._clock()))))

    @Operation("POST", "/api/watched", Need.TOKEN)
    async def begin_game(self, body: WantedGame) -> ShownGame:
        """Have the engine play a game; the same seed and level are the same game."""
        watched = _read_wanted(body)
        try:
            game = self._games.begin(body.game, watched, body.seed, body.level, self._clock())
        except NoRoomError as error:
            raise RefusedError(Refusal(409, "too-many-games", str(error))) from None
        return _whole(game)

    @Operation("GET", _GAME, Need.READING)
    async def watched_game(self, game: GameNumber) -> ShownGame:
        """Show how a game stands."""
        return _whole(self._found(game))

    @Operation("GET", f"{_GAME}/frames/{{frame}}", Need.READING)
    async def game_frames(self, game: GameNumber, frame: Count) -> GameFrames:
        """Show a game's frames from one on; it is played for them."""
        found = self._found(game)
        if frame > watched_games()[found.name].frame_max:
            raise RefusedError(Refusal(404, "unknown-frame", "expected the number of a frame"))
        async with self._playing:
            frames = await asyncio.to_thread(found.play, frame, self._clock)
        return GameFrames(_line(found), frame, tuple(frames))

    def _found(self, number: int) -> PlayedGame:
        game = self._games.get(number, self._clock())
        if game is None:
            text = f"there is no game {number}, or nobody has watched it for long"
            raise RefusedError(Refusal(404, "unknown-game", text))
        return game


def _read_wanted(body: WantedGame) -> WatchedGame:
    """Return the game that is wanted; RefusedError names what was expected."""
    games = watched_games()
    watched = games.get(body.game)
    if watched is None:
        raise _refused(f"game: expected one of {', '.join(games)}")
    if body.seed > watched.seed_max:
        raise _refused(f"seed: expected a whole number from 0 to {watched.seed_max}")
    if body.level not in watched.levels:
        raise _refused(f"level: expected one of {', '.join(sorted(watched.levels))}")
    return watched


def _refused(text: str) -> RefusedError:
    return RefusedError(Refusal(422, "bad-body", text))


def _kind(name: str, game: WatchedGame) -> GameKind:
    return GameKind(
        name,
        game.title,
        game.text,
        tuple(map(asset_path, game.files)),
        tuple(GameLevel(level, text) for level, text in game.levels.items()),
        game.level,
        game.seed_max,
    )


def _line(game: PlayedGame) -> GameLine:
    frames = len(game.frames)
    return GameLine(game.number, game.name, game.seed, game.level, frames, game.is_over)


def _whole(game: PlayedGame) -> ShownGame:
    last = game.frames[-1] if game.frames else None
    return ShownGame(
        game.number, game.name, game.seed, game.level, len(game.frames), game.is_over, last
    )


@cache
def watched_games() -> dict[str, WatchedGame]:
    """Return the games to watch, by name, in the order of the table."""
    return {name: front.watched() for name, front in fronts() if front.watched}


def game_assets() -> Iterator[Asset]:
    """Yield the files of their views, which lie in the games' own folders."""
    for watched in watched_games().values():
        for name in watched.files:
            media = MEDIA[name.rpartition(".")[2]]
            yield Asset(asset_path(name), name, media, watched.package)


def asset_path(name: str) -> str:
    """Return where a file of a game's view is asked for."""
    return f"/games/{name}"
