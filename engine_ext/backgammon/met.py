"""Match equity tables: reading, writing and extending them.

Knows: what a table says (match winning chances by away score), the text form that the
package ships and digests, and the usual XML files of match equity tables.
Must not know: where a user's file lies (callers hand over its text), cubes, positions.

Everything is IEEE + - * / on the decimal numbers of the file, so a table is the same bits on
every machine.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from engine_ext.backgammon.met_formulas import FORMULAS, post_crawford, pre_crawford

AWAY_MAX: Final = 64
"""Longest away score of a table: the longest match that other programs play."""

MET_CHARS_MAX: Final = 1 << 20
"""Longest text read: a 64-point XML table takes under 200,000 characters."""

_FORMAT: Final = "manyply-met/1"
_SYMMETRY_TOLERANCE: Final = 0.0025
"""Published tables rounded to per cents miss pre[i][j] + pre[j][i] = 1 by up to .002."""

_GAMMON_RATE: Final = 0.25
"""Share of wins that are gammons, in and after the Crawford game."""

_POINTS_SHARES: Final = ((1, 0.60), (2, 0.28), (4, 0.06), (8, 0.06))
"""How many points a game with the cube is worth, as shares of all games: fitted once, so that one
step of the recursion in `_extend_pre` gives Kazaross-XG2's own values at 11 to 25 away within
2e-4."""


class MetError(ValueError):
    """A match equity table that cannot be read; the message is one sentence for the user."""


@dataclass(frozen=True)
class Met:
    """One match equity table, both players alike.

    Attributes:
        name: what the table calls itself, one line of ASCII.
        length: longest match that the numbers were given for; beyond it they are extended.
        pre: pre[i][j] is the mwc of a player i+1 away against j+1 away, before or in the
            Crawford game.
        post: post[i] is the mwc of the trailer, i+1 away against 1 away, after the Crawford game.
    """

    name: str
    length: int
    pre: tuple[tuple[float, ...], ...]
    post: tuple[float, ...]

    def __post_init__(self) -> None:
        _check(self)

    @cached_property
    def digest(self) -> str:
        """Sha256 hex of the text form."""
        return hashlib.sha256(self.to_text().encode("ascii")).hexdigest()

    def to_text(self) -> str:
        """The table as text; `met_from_text` gives back an equal one, bit for bit."""
        rows = [f"pre {_to_numbers(row)}" for row in self.pre]
        head = [_FORMAT, f"name {self.name}", f"length {self.length}"]
        return "\n".join([*head, *rows, f"post {_to_numbers(self.post)}", ""])

    def mwc(self, away: int, opponent_away: int, *, post_crawford: bool = False) -> float:
        """Match winning chance of a player before a game.

        Args:
            away: points to go of the player; 0 or less has won.
            opponent_away: the same of the opponent.
            post_crawford: the Crawford game is over; needs one side 1 away.

        Raises:
            ValueError: an away score over AWAY_MAX.
        """
        if away <= 0 or opponent_away <= 0:
            return 1.0 if away <= 0 else 0.0
        if max(away, opponent_away) > AWAY_MAX:
            raise ValueError(f"no match equity beyond {AWAY_MAX} points to go")
        if not post_crawford or min(away, opponent_away) > 1:
            return self._extended_pre[away - 1][opponent_away - 1]
        if opponent_away == 1:
            return self._extended_post[away - 1]
        return 1.0 - self._extended_post[opponent_away - 1]

    @cached_property
    def _extended_post(self) -> tuple[float, ...]:
        return _extend_post(self.post)

    @cached_property
    def _extended_pre(self) -> tuple[tuple[float, ...], ...]:
        return _extend_pre(self.pre, self._extended_post)


def met_from_text(text: str) -> Met:
    """Read the text form.

    Raises:
        MetError: not such a text; the message names the line.
    """
    lines = text.splitlines()
    if len(text) > MET_CHARS_MAX or not lines or lines[0] != _FORMAT:
        raise MetError(f'a match equity table in text form starts with "{_FORMAT}"')
    fields: dict[str, list[str]] = {"name": [], "length": [], "pre": [], "post": []}
    for number, line in enumerate(lines[1:], start=2):
        key, _, rest = line.partition(" ")
        if key not in fields:
            raise MetError(f"match equity table, line {number}: unknown word {key[:20]!r}")
        fields[key].append(rest)
    if any(len(fields[key]) != 1 for key in ("name", "length", "post")):
        raise MetError("a match equity table has one name, one length and one post line")
    pre = tuple(_from_numbers(row) for row in fields["pre"])
    length = fields["length"][0]
    if not (length.isascii() and length.isdigit() and len(length) <= 3):
        raise MetError("match equity table: length is not a number")
    return Met(fields["name"][0], int(length), pre, _from_numbers(fields["post"][0]))


def met_from_xml(text: str) -> Met:
    """Read one of the usual XML files of match equity tables, explicit or given by a formula.

    A table given by a formula is computed to AWAY_MAX.  (gnubg 1.07 replaces it before the
    Crawford game by its own extension, unless the file says that its length is 64.)

    Raises:
        MetError: not such a file, or one with different numbers for the two players.
    """
    if len(text) > MET_CHARS_MAX:
        raise MetError(f"a match equity table file has at most {MET_CHARS_MAX} characters")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise MetError(f"not a match equity table in XML: {error}") from None
    pre_table, post_tables = root.find("pre-crawford-table"), root.findall("post-crawford-table")
    if root.tag != "met" or pre_table is None or not post_tables:
        raise MetError(
            "not a match equity table in XML: a <met> has a pre- and a post-Crawford table"
        )
    posts = {_xml_post(table) for table in post_tables}
    if len(posts) != 1:
        raise MetError("the two players' post-Crawford tables differ; manyply keeps one for both")
    post = posts.pop()
    pre = _xml_pre(pre_table, post)
    if not (_is_explicit(pre_table) and _is_explicit(post_tables[0])):
        post = _extend_post(post)[: len(pre)]
    name = " ".join((root.findtext("info/name") or "unnamed").split())
    return Met(name.encode("ascii", "replace").decode("ascii"), len(pre), pre, post)


@cache
def kazaross_xg2() -> Met:
    """The table that the package ships and uses unless told otherwise.

    Kazaross-XG2 (Neil Kazaross, 2011): rolled out to 9 points with eXtreme Gammon, to 15 with
    GNU Backgammon, extended by projected take points to 25.
    """
    source = Path(__file__).parent / "data" / "kazaross_xg2.txt"
    return met_from_text(source.read_text(encoding="ascii"))


def _extend_post(post: Sequence[float]) -> tuple[float, ...]:
    """Go on to AWAY_MAX: the trailer doubles at once, so a game is worth 2 points, or 4."""
    values = list(post)
    while len(values) < AWAY_MAX:
        gammon = values[-4] if len(values) >= 4 else 1.0
        single = values[-2] if len(values) >= 2 else 1.0
        values.append(0.5 * ((1.0 - _GAMMON_RATE) * single + _GAMMON_RATE * gammon))
    return tuple(values)


def _extend_pre(
    pre: Sequence[Sequence[float]], post: Sequence[float]
) -> tuple[tuple[float, ...], ...]:
    """Go on to AWAY_MAX x AWAY_MAX: an even game worth 1, 2, 4 or 8 points, by _POINTS_SHARES."""
    known = len(pre)
    table = [list(row) + [0.0] * (AWAY_MAX - known) for row in pre]
    table += [[0.0] * AWAY_MAX for _ in range(AWAY_MAX - known)]
    for high in range(known, AWAY_MAX):
        for low in range(high):
            leader = _crawford(high, post) if low == 0 else _even_game(table, low, high)
            table[low][high] = leader
            table[high][low] = 1.0 - leader
        table[high][high] = 0.5
    return tuple(tuple(row) for row in table)


def _crawford(trailer: int, post: Sequence[float]) -> float:
    """The mwc of the leader in the Crawford game; `trailer` is an index (away - 1)."""
    single, gammon = 1.0 - post[trailer - 1], 1.0 - post[trailer - 2] if trailer >= 2 else 0.0
    return 0.5 + 0.5 * ((1.0 - _GAMMON_RATE) * single + _GAMMON_RATE * gammon)


def _even_game(table: Sequence[Sequence[float]], low: int, high: int) -> float:
    """The mwc at indices (low, high) from the scores after one even game."""
    total = 0.0
    for points, share in _POINTS_SHARES:
        won = table[low - points][high] if low >= points else 1.0
        lost = table[low][high - points] if high >= points else 0.0
        total += share * (0.5 * (won + lost))
    return total


def _check(met: Met) -> None:
    size = len(met.pre)
    if not 2 <= size <= AWAY_MAX or met.length != size:
        raise MetError(f"a match equity table has 2 to {AWAY_MAX} rows, as many as its length")
    if any(len(row) != size for row in met.pre) or not size - 1 <= len(met.post) <= size:
        raise MetError("a match equity table is square, with a post-Crawford value for each row")
    if not all(0.0 < value < 1.0 for row in (*met.pre, met.post) for value in row):
        raise MetError("match equities lie between 0 and 1")
    if not (met.name.isascii() and met.name.isprintable() and met.name == met.name.strip()):
        raise MetError("the name of a match equity table is one line of plain ASCII")
    for i, row in enumerate(met.pre):
        for j, value in enumerate(row):
            if abs(value + met.pre[j][i] - 1.0) > _SYMMETRY_TOLERANCE:
                raise MetError(
                    f"the match equities at {i + 1}-away {j + 1}-away do not add up to 1;"
                    " manyply keeps one table for both players"
                )
    _check_worth_winning(met)


def _check_worth_winning(met: Met) -> None:
    """Equities are normalised by the difference between winning and losing a point."""
    for i, row in enumerate(met.pre):
        for j in range(len(row)):
            won = met.pre[i - 1][j] if i else 1.0
            lost = met.pre[i][j - 1] if j else 0.0
            if won <= lost:
                raise MetError(
                    f"at {i + 1}-away {j + 1}-away a point won is worth no more than one lost"
                )


def _is_explicit(table: ElementTree.Element) -> bool:
    kind = table.get("type", "explicit")
    if kind != "explicit" and kind not in FORMULAS:
        known = " or ".join(sorted(FORMULAS))
        raise MetError(f"match equity table: the type {kind[:20]!r} is not explicit, {known}")
    return kind == "explicit"


def _xml_post(table: ElementTree.Element) -> tuple[float, ...]:
    if _is_explicit(table):
        return tuple(number for row in table.findall("row") for number in _xml_row(row))
    formula = table.get("type", "")
    return post_crawford(_xml_parameters(table, FORMULAS[formula].post_names), formula, AWAY_MAX)


def _xml_pre(table: ElementTree.Element, post: tuple[float, ...]) -> tuple[tuple[float, ...], ...]:
    if _is_explicit(table):
        return tuple(_xml_row(row) for row in table.findall("row"))
    formula = table.get("type", "")
    parameters = _xml_parameters(table, FORMULAS[formula].pre_names)
    if not 1 <= len(post) <= AWAY_MAX:
        raise MetError(f"a match equity table has 1 to {AWAY_MAX} post-Crawford values")
    try:
        return pre_crawford(parameters, formula, _extend_post(post))
    except ZeroDivisionError:
        raise MetError(f"the formula {formula!r} gives no table for these parameters") from None


def _xml_parameters(table: ElementTree.Element, names: frozenset[str]) -> dict[str, float]:
    """The parameters, all of them shares of 1; players who win equally often share one table."""
    found = {
        parameter.get("name", ""): _from_numbers((parameter.text or "?").strip())
        for parameter in table.findall("parameters/parameter")
    }
    if found.keys() != names:
        needed = ", ".join(sorted(names))
        kind = table.get("type", "")
        raise MetError(f"match equity table: the formula {kind!r} takes the parameters {needed}")
    values = {name: value[0] for name, value in found.items() if len(value) == 1}
    for name in sorted(names):
        if not 0.0 <= values.get(name, -1.0) < 1.0:
            raise MetError(f"match equity table: {name} is not a number from 0 to 1")
    if values.get("win-rate", 0.5) != 0.5:
        raise MetError(
            "match equity table: win-rate is not 0.5; manyply keeps one for both players"
        )
    return values


def _xml_row(row: ElementTree.Element) -> tuple[float, ...]:
    return _from_numbers(" ".join((cell.text or "?").strip() for cell in row.findall("me")))


def _from_numbers(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(word) for word in text.split())
    except ValueError:
        raise MetError(f"match equity table: not numbers: {text[:40]!r}") from None


def _to_numbers(values: Sequence[float]) -> str:
    return " ".join(repr(value) for value in values)
