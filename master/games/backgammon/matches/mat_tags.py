"""The header of a .mat text: the tags of programs, such as `; [Event "Cup"]`.

Converts them to our tags (see record.Match) and to rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from master.games.backgammon.matches.record import Match
from master.games.errors import RecordError

_NAMES = {
    "Event": "event",
    "Round": "round",
    "Site": "place",
    "EventDate": "date",
    "Transcriber": "annotator",
    "Player 1 Elo": "rating0",
    "Player 2 Elo": "rating1",
    "Comment": "comment",
}
"""A file's names of our tags; all others keep their names."""

_PLAYERS = ("player 1", "player 2")
_CROSSED = {"rating0": "rating1", "rating1": "rating0"}
_VARIATION = "backgammon"

CUBE_LIMIT = "Cubelimit"
"""The tag with the highest cube."""

_NO_CUBE = "1"
_DATE = re.compile(r"(\d{4})[./-](\d{1,2})[./-](\d{1,2})")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_KEY_FORBIDDEN = re.compile(r'["\]]')


@dataclass(frozen=True)
class Header:
    """The values of a file's tags; None if a tag is missing."""

    players: tuple[str | None, str | None]
    crawford: bool | None
    jacoby: bool | None
    beavers: bool | None
    tags: dict[str, str]
    uses_cube: bool = True

    def names(self, left: str, right: str) -> tuple[str, str]:
        """Return the players' names: those of the score line, in full if a tag has them.

        The left column is always player 0, even if the tags number the players differently
        (eXtreme Gammon lists its own second player on the left).
        """
        given = self.players[::-1] if self.is_crossed(left, right) else self.players
        return _fuller(given[0], left), _fuller(given[1], right)

    def is_crossed(self, left: str, right: str) -> bool:
        """Whether the tags number the players in the opposite order of the columns."""
        named = tuple(None if name is None else line_name(name) for name in self.players)
        return named == (right, left) and left != right

    def tags_by_column(self, left: str, right: str) -> dict[str, str]:
        """Return our tags, ratings by column."""
        if not self.is_crossed(left, right):
            return self.tags
        return {_CROSSED.get(key, key): value for key, value in self.tags.items()}


def read_header(tags: Iterable[tuple[str, str]]) -> Header:
    """Sort a file's tags; a repeated tag gets several lines.

    Raises:
        RecordError: it is a record of another game than backgammon.
    """
    ours = {name.lower(): own for name, own in _NAMES.items()}
    found: dict[str, str] = {}
    for key, value in tags:
        own = ours.get(key.lower(), key)
        if key.lower() in (*_PLAYERS, "crawford", "jacoby", "beaver"):
            own = key.lower()
        found[own] = f"{found[own]}\n{value}" if own in found else value
    variation = next((value for key, value in found.items() if key.lower() == "variation"), "")
    if variation.lower() not in ("", _VARIATION):
        raise RecordError(f"expected a record of backgammon, found the variation {variation!r}")
    players = (found.pop(_PLAYERS[0], None), found.pop(_PLAYERS[1], None))
    rules = [_is_on(found.pop(rule, None), rule) for rule in ("crawford", "jacoby", "beaver")]
    if "date" in found:
        found["date"] = _to_iso(found["date"])
    has_cube = found.get(CUBE_LIMIT) != _NO_CUBE
    if not has_cube:
        del found[CUBE_LIMIT]
    return Header(players, rules[0], rules[1], rules[2], found, has_cube)


def _is_on(value: str | None, rule: str) -> bool | None:
    if value is None:
        return None
    words = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}
    if value.lower() not in words:
        raise RecordError(f"expected the tag {rule.title()} to say On or Off, found {value!r}")
    return words[value.lower()]


def _to_iso(text: str) -> str:
    date = _DATE.fullmatch(text)
    return f"{date[1]}-{int(date[2]):02}-{int(date[3]):02}" if date else text


def _fuller(given: str | None, written: str) -> str:
    """Return the tag's name, if the score line's is its form for that line; else the latter."""
    return given if given is not None and line_name(given) == written else written


def line_name(name: str) -> str:
    """Return a name in a form for the score line: on one line, no colons, no `;` of a comment."""
    return " ".join(name.replace(":", ".").split()).lstrip("; ") or "-"


def header_lines(match: Match) -> Iterator[str]:
    """Yield the tags of a match: players, rules, and all others."""
    yield from _tag("Player 1", match.players[0])
    yield from _tag("Player 2", match.players[1])
    theirs = {own: name for name, own in _NAMES.items()}
    for key, value in match.tags.items():
        is_date = key == "date" and _ISO_DATE.fullmatch(value)
        yield from _tag(theirs.get(key, key), value.replace("-", ".") if is_date else value)
    if match.length:
        yield from _tag("Crawford", _on(match.uses_crawford))
    else:
        yield from _tag("Jacoby", _on(match.jacoby))
        yield from _tag("Beaver", _on(match.beavers))
    if not match.uses_cube:
        yield from _tag(CUBE_LIMIT, _NO_CUBE)


def _on(value: bool) -> str:
    return "On" if value else "Off"


def _tag(key: str, value: str) -> Iterator[str]:
    key = " ".join(_KEY_FORBIDDEN.sub(" ", key).split())[:100]
    for line in value.splitlines() or [""]:
        yield f'; [{key} "{line.expandtabs()}"]'
