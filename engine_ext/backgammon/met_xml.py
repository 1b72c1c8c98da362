"""Match equity tables in the XML that GNU Backgammon and others keep them in.

Reads explicit tables and tables given by a formula.  Callers pass the text of the file.

Source: met.dtd of GNU Backgammon 1.07.  Rows of the table before the Crawford game belong to
player 0, columns to player 1; after the Crawford game there is one row of the trailer's chances
for `both` players, or one for each.  Values are kept to MET_DECIMALS.
"""

from typing import Final
from xml.etree import ElementTree

from engine_ext.backgammon.met import (
    AWAY_MAX,
    MET_CHARS_MAX,
    MET_DECIMALS,
    Met,
    MetError,
    extended_post,
    numbers_from_text,
)
from engine_ext.backgammon.met_formulas import FORMULAS, post_crawford, pre_crawford

_PLAYERS: Final = ("0", "1")


def met_from_xml(text: str) -> Met:
    """Read one of the usual XML files of match equity tables, explicit or given by a formula.

    A table given by a formula is computed to AWAY_MAX.  (gnubg 1.07 replaces it before the
    Crawford game by its own extension, unless the file says that its length is 64.)

    Raises:
        MetError: not such a file.
    """
    root = _root(text)
    pre_table, post_tables = root.find("pre-crawford-table"), root.findall("post-crawford-table")
    if root.tag != "met" or pre_table is None or not post_tables:
        raise MetError(
            "not a match equity table in XML: a <met> has a pre- and a post-Crawford table"
        )
    posts = [_post(table) for table in _in_order(post_tables)]
    pre = _pre(pre_table, posts)
    is_alike = len(set(posts)) == 1
    if not all(_is_explicit(table) for table in (pre_table, *post_tables)):
        # Where a formula has a part, the values after the Crawford game end as those before it.
        posts = [extended_post(post)[: len(pre)] for post in posts]
    name = " ".join((root.findtext("info/name") or "unnamed").split())
    return Met(
        name.encode("ascii", "replace").decode("ascii"),
        len(pre),
        tuple(_rounded(row) for row in pre),
        _rounded(posts[0]),
        None if is_alike else _rounded(posts[1]),
    )


def _root(text: str) -> ElementTree.Element:
    if len(text) > MET_CHARS_MAX:
        raise MetError(f"a match equity table file has at most {MET_CHARS_MAX} characters")
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise MetError(f"not a match equity table in XML: {error}") from None


def _in_order(tables: list[ElementTree.Element]) -> list[ElementTree.Element]:
    """Return the post-Crawford table of both players, or player 0's and player 1's."""
    if len(tables) == 1:
        return tables
    by_player = {table.get("player", ""): table for table in tables}
    if len(tables) != len(_PLAYERS) or by_player.keys() != set(_PLAYERS):
        raise MetError(
            "a match equity table has one post-Crawford table for both players, or one for"
            " player 0 and one for player 1"
        )
    return [by_player[player] for player in _PLAYERS]


def _is_explicit(table: ElementTree.Element) -> bool:
    kind = table.get("type", "explicit")
    if kind != "explicit" and kind not in FORMULAS:
        known = " or ".join(sorted(FORMULAS))
        raise MetError(f"match equity table: the type {kind[:20]!r} is not explicit, {known}")
    return kind == "explicit"


def _post(table: ElementTree.Element) -> tuple[float, ...]:
    if _is_explicit(table):
        return tuple(number for row in table.findall("row") for number in _row(row))
    formula = table.get("type", "")
    return post_crawford(_parameters(table, FORMULAS[formula].post_names), formula, AWAY_MAX)


def _pre(
    table: ElementTree.Element, posts: list[tuple[float, ...]]
) -> tuple[tuple[float, ...], ...]:
    if _is_explicit(table):
        return tuple(_row(row) for row in table.findall("row"))
    formula = table.get("type", "")
    parameters = _parameters(table, FORMULAS[formula].pre_names)
    post = posts[0]
    if len(set(posts)) > 1:
        raise MetError(
            f"the formula {formula!r} is for players who are alike, and the post-Crawford tables"
            " of this file differ"
        )
    if not 1 <= len(post) <= AWAY_MAX:
        raise MetError(f"a match equity table has 1 to {AWAY_MAX} post-Crawford values")
    try:
        return _with_complements(pre_crawford(parameters, formula, extended_post(post)))
    except ZeroDivisionError:
        raise MetError(f"the formula {formula!r} gives no table for these parameters") from None


def _with_complements(pre: tuple[tuple[float, ...], ...]) -> tuple[tuple[float, ...], ...]:
    """Round the leader's chances, so that the trailer's are still 1 minus the leader's."""
    rows = [list(_rounded(row)) for row in pre]
    for i, row in enumerate(rows):
        for j in range(i):
            row[j] = 1.0 - rows[j][i]
    return tuple(tuple(row) for row in rows)


def _parameters(table: ElementTree.Element, names: frozenset[str]) -> dict[str, float]:
    """The parameters, all of them shares of 1; the formulas here are of even players."""
    found = {
        parameter.get("name", ""): numbers_from_text((parameter.text or "?").strip())
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
        raise MetError("match equity table: win-rate is not 0.5; manyply's formulas are of equals")
    return values


def _row(row: ElementTree.Element) -> tuple[float, ...]:
    return numbers_from_text(" ".join((cell.text or "?").strip() for cell in row.findall("me")))


def _rounded(values: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(value, MET_DECIMALS) for value in values)
