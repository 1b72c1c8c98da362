"""Reads requests about watched games, strictly."""

from __future__ import annotations

import re
from dataclasses import dataclass

from master.games.watched import WatchedGame
from master.web.asking import RefusedError, read_body
from master.web.games.kinds import watched_games
from master.web.games.schemas import GAME_MAX
from master.web.rules import Refusal

_WHOLE = re.compile(r"0|[1-9][0-9]{0,9}")


@dataclass(frozen=True)
class GameAsked:
    """A request to watch a game."""

    name: str
    watched: WatchedGame
    seed: int
    level: str


def read_game_asked(body: bytes) -> GameAsked:
    """Return the game of a body; RefusedError."""
    fields = read_body(body, frozenset({"game", "seed", "level"}))
    name, seed, level = fields["game"], fields["seed"], fields["level"]
    games = watched_games()
    if not isinstance(name, str) or name not in games:
        raise _bad(f"game, one of {', '.join(games)}")
    watched = games[name]
    is_whole = isinstance(seed, int) and not isinstance(seed, bool)
    if not is_whole or not 0 <= seed <= watched.seed_max:  # type: ignore[operator]
        raise _bad(f"seed, a whole number from 0 to {watched.seed_max}")
    if not isinstance(level, str) or level not in watched.levels:
        raise _bad(f"level, one of {', '.join(sorted(watched.levels))}")
    assert isinstance(seed, int)
    return GameAsked(name, watched, seed, level)


def _bad(wanted: str) -> RefusedError:
    return RefusedError(Refusal(422, "bad-body", f"expected {wanted}"))


def read_game(text: str) -> int:
    """Return the number of a game of a path; RefusedError."""
    number = _whole(text)
    if number is None or not 1 <= number <= GAME_MAX:
        raise RefusedError(Refusal(404, "unknown-game", "expected the number of a game"))
    return number


def read_first(text: str, frame_max: int) -> int:
    """Return the number of a frame of a path; RefusedError."""
    first = _whole(text)
    if first is None or first > frame_max:
        raise RefusedError(Refusal(404, "unknown-frame", "expected the number of a frame"))
    return first


def _whole(text: str) -> int | None:
    return int(text) if _WHOLE.fullmatch(text) else None
