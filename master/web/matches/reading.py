"""Reads the file of a match in a request, strictly."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from dataclasses import dataclass

from master.games.errors import AskedError, RecordError
from master.games.handlers import MatchPlan
from master.web.asking import RefusedError, bad_body, read_body, read_text
from master.web.positions.reading import NAME_CHARACTERS_MAX, handlers_of, refused
from master.web.positions.resources import MATCH_BYTES_MAX
from master.web.rules import Refusal

BODY_BYTES_MAX = MATCH_BYTES_MAX * 4 // 3 + 4_096
"""Four characters for three bytes, and the names."""

COMMAS_MAX = 1_024
"""In a body: four texts need three, and names have a few.  A list of a million nothings would take
sixty times as much memory as its text."""

FILE_NAME_CHARACTERS_MAX = 255


@dataclass(frozen=True)
class HandedIn:
    """A match from a request.

    Args:
        game: the game's name.
        name: of the file.
        level: depth of the analysis.
        plan: the questions.
    """

    game: str
    name: str
    level: str
    plan: MatchPlan


def read_match_number(text: str) -> int:
    """Return the number of a match; RefusedError."""
    if re.fullmatch(r"[1-9][0-9]{0,15}", text) is None:
        raise unknown_match()
    return int(text)


def unknown_match() -> RefusedError:
    """Return the refusal of a match that is not there."""
    return RefusedError(Refusal(404, "unknown-match", "there is no such match, or no more"))


def read_handed_in(body: bytes) -> HandedIn:
    """Return the match of a body; blocks while the game is loaded and the file is read.

    Raises:
        RefusedError: it is none; the text names the expected form.
    """
    if body.count(b",") > COMMAS_MAX:
        raise bad_body("expected a JSON object with a few texts")
    found = read_body(body, frozenset({"game", "name", "content"}), frozenset({"level"}))
    game = read_text("game", found["game"], NAME_CHARACTERS_MAX)
    name = read_text("name", found["name"], FILE_NAME_CHARACTERS_MAX)
    name = " ".join(name.split()) or "match"
    handlers = handlers_of(game).matches
    if handlers is None:
        text = f"matches of {game} are not analysed here"
        raise RefusedError(Refusal(422, "unknown-game", text))
    level = read_text("level", found.get("level", handlers.level), NAME_CHARACTERS_MAX)
    content = _read_content(found["content"])
    try:
        return HandedIn(game, name, level, handlers.plan(content, name, level))
    except RecordError as error:
        raise refused("bad-match", error) from None
    except AskedError as error:
        raise refused("bad-question", error) from None


def _read_content(value: object) -> bytes:
    try:
        content = b64decode(value, validate=True) if isinstance(value, str) else None
    except (binascii.Error, ValueError):
        content = None
    if content is None:
        raise bad_body("expected content, the file in base64")
    if len(content) > MATCH_BYTES_MAX:
        text = f"expected a file of at most {MATCH_BYTES_MAX} bytes: `manyply analyse` takes more"
        raise RefusedError(Refusal(413, "too-large", text))
    return content
