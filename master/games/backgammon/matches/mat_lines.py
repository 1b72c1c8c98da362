"""Cuts a .mat text into games and cells, without interpreting the cells.

The lines are those of Jellyfish's match text, with the variants of programs and servers: header
tags (`; [Key "value"]`), `5 point match`, `Game 1`, `Ann : 0   Bob : 0`, and numbered rows of two
columns.

Cells are cut at their first word, a roll or an action, not at the gaps: some exporters leave one
blank between the columns, some align them by tabs, and some pad the score line wider than the
rows.  So a row's two cells are left and right; a single cell is the right one if it is far from
the row's number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from master.games.backgammon.matches.record import GAMES_MAX, Match
from master.games.errors import LineError, RecordError

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


CHARACTERS_MAX = 1 << 22
"""A thousand games: a match has under 130, and every play is checked."""

LINE_CHARACTERS_MAX = 2000
"""A row has under 100, a header comment some hundred; it bounds the input of one pattern."""

CELLS_MAX = 4000
"""Cells of one game; the longest games have some 300."""

TAGS_MAX = 200
RIGHT_GAP_MIN = 10
"""Blanks before a single cell that make it the right one: left cells have up to 7."""

TAB_COLUMNS = 8

_TAG = re.compile(r'\[([^"\]]{1,100})\s"(.*)"\s*\]$')
_LENGTH = re.compile(r"(\d{1,9})\s+points?\s+match\b", re.IGNORECASE)
_MONEY = re.compile(r"(?:money|unlimited)\b", re.IGNORECASE)
_GAME = re.compile(r"Game\s+\d{1,9}$", re.IGNORECASE)
_SCORE = re.compile(r"(.*?)\s*:\s*(\d{1,9})\s+(.*?)\s*:\s*(\d{1,9})$")
_ROW = re.compile(r"\s*\d{1,9}\)")
_ACTION = (
    r"(?:re)?doubles?|takes?|accepts?|drops?|pass|passes|rejects?|beavers?|raccoons?|"
    r"wins?|loss(?:es)?|loses|resign(?:s|ed)?"
)
_CELL = re.compile(rf"(?<![^\s)])(?:[0-9]{{2}}:|(?:{_ACTION})\b)", re.IGNORECASE)


@dataclass(frozen=True)
class Cell:
    """One player's entry: its column (0 left, 1 right), its text and its line, from 1.

    `is_sure`: it is alone in a numbered row.  A result is not always: beside another entry it uses
    the free column, and below the rows its indentation shows nothing.
    """

    column: int
    text: str
    line: int
    is_sure: bool = True


@dataclass
class GameText:
    """A game's lines: its score line, taken apart, and its cells in order."""

    line: int
    names: tuple[str, str]
    score: tuple[int, int]
    cells: list[Cell] = field(default_factory=list)
    positions: list[tuple[int, int, str]] = field(default_factory=list)
    """XG's `; Set Pos=`: (cells before it, line, its 26 letters)."""


@dataclass
class MatchText:
    """A file's parts; `length` is None if the file does not contain it."""

    tags: list[tuple[str, str]] = field(default_factory=list)
    length: int | None = None
    games: list[GameText] = field(default_factory=list)


def shown(text: str) -> str:
    """Quote the text found, cut to a readable length, on one line."""
    text = " ".join(text.split())
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


MATCHES_MAX = 1000
"""In one text, which contains at most a thousand games."""


def split_matches(text: str) -> list[tuple[int, str]]:
    """Return the matches of a text, one behind the other, and the line at which each begins.

    A match begins with its length, and the header tags above it.  Text without a game is one.
    """
    lines = text.splitlines()
    starts, has_game = [0], False
    for number, raw in enumerate(lines):
        line = raw.strip()
        if _GAME.fullmatch(line):
            has_game = True
        elif has_game and (_LENGTH.match(line) or _MONEY.match(line)):
            start = number
            while lines[start - 1].strip() == "" or lines[start - 1].lstrip().startswith("; ["):
                start -= 1
            starts.append(start)
            has_game = False
    ends = [*starts[1:], len(lines)]
    return [
        (start + 1, "\n".join(lines[start:end])) for start, end in zip(starts, ends, strict=True)
    ]


def cut(text: str, name: str, first_line: int = 1) -> MatchText:
    """Split a .mat text into its parts.

    Args:
        text: of one match.
        name: of the file, for errors.
        first_line: number of the text's first line.

    Raises:
        RecordError: names the line that does not belong there, and the expected one.
    """
    if len(text) > CHARACTERS_MAX:
        raise RecordError(f"{name}: expected at most {CHARACTERS_MAX} characters of .mat text")
    parts = MatchText()
    is_score_next = False
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), start=first_line):
        line = raw.expandtabs(TAB_COLUMNS).rstrip()
        if len(line) > LINE_CHARACTERS_MAX:
            message = f"a line has at most {LINE_CHARACTERS_MAX} characters"
            raise LineError(name, number, message)
        if not line.strip():
            continue
        if line.lstrip().startswith(";"):
            _read_comment(parts, line.strip().lstrip(";").strip(), number, name)
        elif is_score_next:
            parts.games.append(_score_line(line, number, name))
            is_score_next = False
        elif _GAME.fullmatch(line.strip()):
            _check_game(parts, number, name)
            is_score_next = True
        elif parts.games:
            _read_row(parts.games[-1], line, number, name)
        else:
            _read_heading(parts, line.strip(), number, name)
    if is_score_next:
        raise LineError(name, number, "expected the score line of the game, found the end")
    return parts


def _read_comment(parts: MatchText, body: str, number: int, name: str) -> None:
    if body.startswith("Set Pos="):
        if not parts.games:
            raise LineError(name, number, "expected a game before its Set Pos")
        game = parts.games[-1]
        game.positions.append((len(game.cells), number, body.removeprefix("Set Pos=")))
        return
    tag = _TAG.match(body)
    key, value = (tag[1].strip(), tag[2]) if tag else ("Comment", body)
    if len(parts.tags) == TAGS_MAX:
        raise LineError(name, number, f"a file has at most {TAGS_MAX} header and comment lines")
    parts.tags.append((key, value))


def _read_heading(parts: MatchText, line: str, number: int, name: str) -> None:
    """Read the text before the first game: the length, or a box of remarks."""
    length = _LENGTH.match(line)
    if length:
        parts.length = int(length[1])
    elif _MONEY.match(line):
        parts.length = 0
    elif line[0] in "+|":
        _read_comment(parts, line.strip("+-| "), number, name)
    else:
        message = f"expected the match length, as '5 point match', or 'Game 1', found {shown(line)}"
        raise LineError(name, number, message)


def _check_game(parts: MatchText, number: int, name: str) -> None:
    if parts.length is None:
        message = "expected the match length, as '5 point match', before the first game"
        raise LineError(name, number, message)
    if len(parts.games) == GAMES_MAX:
        raise LineError(name, number, f"a file has at most {GAMES_MAX} games")


def _score_line(line: str, number: int, name: str) -> GameText:
    score = _SCORE.match(line.strip())
    if score is None:
        message = f"expected the score line, as 'Ann : 0   Bob : 0', found {shown(line)}"
        raise LineError(name, number, message)
    return GameText(number, (score[1], score[3]), (int(score[2]), int(score[4])))


def _read_row(game: GameText, line: str, number: int, name: str) -> None:
    row = _ROW.match(line)
    start = row.end() if row else 0
    cells = list(_cells(line, start, number, row is not None))
    if row is None and not cells:
        raise LineError(name, number, f"expected a move, an action or a game, found {shown(line)}")
    if not cells and line[start:].strip():
        raise LineError(name, number, f"expected a roll or an action, found {shown(line[start:])}")
    if len(game.cells) + len(cells) > CELLS_MAX:
        raise LineError(name, number, f"a game has at most {CELLS_MAX} entries")
    if len(cells) > 3:
        raise LineError(name, number, f"expected two columns, found {len(cells)} entries")
    game.cells += cells


def _cells(line: str, start: int, number: int, is_row: bool) -> Iterator[Cell]:
    """Yield the cells of a row; nothing if it does not begin with one."""
    begins = [match.start() for match in _CELL.finditer(line, start)]
    if not begins or line[start : begins[0]].strip():
        return
    column = int(begins[0] - start >= RIGHT_GAP_MIN)
    for begin, end in zip(begins, [*begins[1:], len(line)], strict=True):
        yield Cell(min(column, 1), line[begin:end].strip(), number, is_row and len(begins) == 1)
        column += 1
