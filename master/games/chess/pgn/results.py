"""The result of a recorded game, by its tag, by its moves' end and by its board: they may disagree.

A recorded result is kept even if the board shows another one: players resign, lose on time, agree
to draws, and do not claim possible draws.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from master.games.chess.game import ChessGame, Ending

UNKNOWN = "*"
DRAWN = "1/2-1/2"

UNSEEN = r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
"""Marks of order, of joining and of a file's start: no program shows them."""

_TO = r"[ \t]*[-:\u2010-\u2015\u2212][ \t]*"
_HALF = r"(?:1[/\u2044]2|\u00bd|0[.,]5)"
RESULT = rf"(?:(?:1{_TO}0|0{_TO}1|{_HALF}{_TO}{_HALF}|1[/\u2044]2|\u00bd)(?![-:/\w])|\*)"
"""A pattern of results in all spellings: with any dash or a colon, blanks around it."""

_SPELLED = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212:", "-")
                         | {"\u2044": "/", "\u00bd": "1/2"})  # fmt: skip
_RESULTS = {"1-0": "1-0", "0-1": "0-1", DRAWN: DRAWN, "1/2": DRAWN, UNKNOWN: UNKNOWN}
_FORCED = {Ending.CHECKMATE, Ending.STALEMATE, Ending.MATERIAL}
"""Endings that need no claim."""

_WON = re.compile(r"(.{1,200}?) (?:won|wins)\b", re.IGNORECASE)


def result_named(text: str) -> str:
    """Return the result that a tag or a word means: 1-0, 0-1, 1/2-1/2, *; empty: none of them."""
    seen = re.sub(rf"\s|{UNSEEN}", "", text).translate(_SPELLED)
    return _RESULTS.get(re.sub("0[.,]5", "1/2", seen), "")


def recorded_result(
    tags: Mapping[str, str], ended: str, game: ChessGame
) -> tuple[str, tuple[str, ...]]:
    """Return a game's recorded result, and the contradictions in its record.

    Args:
        tags: the tag Result comes first, unless it is * or none.
        ended: the result behind the moves; empty: there is none.
        game: the moves; a result that they force is reported, and changes no recorded result.

    Returns:
        The result, empty if none is recorded or the board shows the same; and warnings.
    """
    tag = tags.get("Result", "").strip()
    named = result_named(tag)
    warnings = []
    if tag and tag != "?" and not named:
        warnings.append(f"tag Result {tag[:20]!r} is none of 1-0, 0-1, 1/2-1/2 and *")
    result = (named if named not in ("", UNKNOWN) else ended) or named
    if named and ended and named != ended:
        warnings.append(f"tag Result is {named}, the moves end with {ended}: read as {result}")
    if result not in ("", UNKNOWN) and game.ending in _FORCED and result != game.result:
        ending = game.ending.value if game.ending else ""
        warnings.append(f"recorded as {result}, but the moves end with {ending} ({game.result})")
    if doubt := _termination_doubt(tags, result):
        warnings.append(doubt)
    return "" if result == game.result else result, tuple(warnings)


def _termination_doubt(tags: Mapping[str, str], result: str) -> str:
    """Return a warning if the tag Termination contradicts the result; empty: it does not."""
    text = tags.get("Termination", "").strip()
    meant = ""
    if text.lower() == "unterminated":
        meant = UNKNOWN
    elif text.lower().startswith("game drawn"):
        meant = DRAWN
    elif won := _WON.match(text):
        sides = {tags.get("White", ""): "1-0", tags.get("Black", ""): "0-1"}
        meant = sides.get(won[1], "") if len(sides) == 2 else ""
    if not meant or result in ("", meant):
        return ""
    return f"tag Termination is {text[:60]!r}, but the result is {result}"
