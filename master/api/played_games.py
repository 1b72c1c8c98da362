"""The games that are watched: a few, each played as far as a request has asked.

A game goes on only while its next frames are asked for, so that a game without viewers costs
nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

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
