"""Reads requests about positions, strictly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from master.games.errors import AskedError
from master.games.handlers import Action, Handlers, PositionHandlers, Settings
from master.games.table import GAMES, front_of, load
from master.web.asking import RefusedError, bad_body, read_body, read_text
from master.web.rules import Refusal

POSITION_CHARACTERS_MAX = 8_192
"""Of a position: a long game that leads to one."""

NAME_CHARACTERS_MAX = 40

LABEL_CHARACTERS_MAX = 200

ERROR_CHARACTERS_MAX = 500
"""Length of an error message, which may repeat the typed text."""


def handlers_of(game: str) -> Handlers:
    """Return a game's handlers, and load it; RefusedError: there is no such game."""
    if game not in GAMES:
        text = f"expected a game, one of {', '.join(GAMES)}"
        raise RefusedError(Refusal(422, "unknown-game", text))
    place = front_of(game).handlers
    handlers: Handlers = load(place) if place else Handlers()
    return handlers


def positions_of(game: str) -> PositionHandlers:
    """Return a game's handlers for positions; RefusedError: it has none."""
    positions = handlers_of(game).positions
    if positions is None:
        text = f"nothing can be asked about positions of {game} here"
        raise RefusedError(Refusal(422, "unknown-game", text))
    return positions


def refused(code: str, error: ValueError) -> RefusedError:
    """Return the refusal that a wrong value is, in one line."""
    return RefusedError(Refusal(422, code, " ".join(str(error).split())[:ERROR_CHARACTERS_MAX]))


def read_position(game: str, text: str) -> tuple[PositionHandlers, Any]:
    """Return a game's handlers and the position of a text; RefusedError."""
    handlers = positions_of(game)
    if len(text) > POSITION_CHARACTERS_MAX:
        raise bad_body(f"expected a position of at most {POSITION_CHARACTERS_MAX} characters")
    try:
        return handlers, handlers.read(text)
    except ValueError as error:
        raise refused("bad-position", error) from None


@dataclass(frozen=True)
class Wanted:
    """An action with a position.

    Args:
        game: the position's.
        handlers: that of the game.
        position: as the game has it.
        action: the action.
        settings: its settings.
        label: of the new job; empty: as the game has it.
    """

    game: str
    handlers: PositionHandlers
    position: Any
    action: Action
    settings: Settings
    label: str = ""


_FIELDS = frozenset({"game", "position", "action"})


def read_wanted(body: bytes, *, is_job: bool) -> Wanted:
    """Return the request of a body; blocks while the game is loaded.

    Args:
        body: JSON.
        is_job: whether to begin a job, or to answer a question.

    Raises:
        RefusedError: it makes no sense; the text names the expected form.
    """
    optional = frozenset({"settings", "label"} if is_job else {"settings"})
    found = read_body(body, _FIELDS, optional)
    game = read_text("game", found["game"], NAME_CHARACTERS_MAX)
    text = read_text("position", found["position"], POSITION_CHARACTERS_MAX)
    name = read_text("action", found["action"], NAME_CHARACTERS_MAX)
    label = read_text("label", found.get("label", ""), LABEL_CHARACTERS_MAX)
    given = found.get("settings", {})
    if not isinstance(given, dict):
        raise bad_body("expected settings, an object")
    handlers, position = read_position(game, text)
    try:
        action = handlers.action(name)
        if (action.job is not None) != is_job:
            here = "/api/jobs" if action.job is not None else "/api/positions/ask"
            raise AskedError(f"{name} is for {here}")
        return Wanted(game, handlers, position, action, action.settings(given, position), label)
    except AskedError as error:
        raise refused("bad-question", error) from None
