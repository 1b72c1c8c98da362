"""The first node of a game in gnubg's match files: players, score, rules, result.

The properties are gnubg's, and a few of ours.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from master.games.backgammon.matches.record import Game, Match, Result
from master.games.backgammon.matches.sgf_setup import read_player
from master.games.backgammon.matches.sgf_tree import (
    Node,
    Tree,
    split_composed,
    to_simple_text,
    to_text,
)
from master.games.errors import RecordError

GAME_NUMBER = "6"
"""Of backgammon, in GM."""

TAG_PROPERTIES = {
    "rating0": "WR",
    "rating1": "BR",
    "date": "DT",
    "event": "EV",
    "round": "RO",
    "place": "PC",
    "annotator": "AN",
    "comment": "GC",
}
"""A match's tags and gnubg's properties of the first game; other tags are in XT[tag:text]."""

NO_CUBE = "NoCube"
"""In RU: the cube is not in play."""

_NUMBER = re.compile(r"[0-9]{1,5}")
_RESULT = re.compile(r"([WB])\+([0-9]{1,6})(R?)")
_OTHER_GAMES = ("Nackgammon", "Hypergammon1", "Hypergammon2", "Hypergammon3")


@dataclass(frozen=True)
class SgfHeader:
    """The content of a game's first node."""

    match: Match
    game: Game
    is_resigned: bool


def has_beaver(tree: Tree) -> bool:
    """Whether a game has a beaver: two doubles one after the other are a double and a beaver."""
    last = ""
    for node in tree.main_line():
        action = node.value("W") or node.value("B") or last
        if action == last == "double" and (node.values("W") or node.values("B")):
            return True
        last = action
    return False


def uses_cube(tree: Tree) -> bool:
    """Whether the cube is in play: the game does not exclude it, or has a double."""
    rules = split_composed(tree.nodes[0].value("RU") or "")
    return NO_CUBE not in rules or any(
        "double" in (node.value("W"), node.value("B")) for node in tree.main_line()
    )


def without_crawford(header: SgfHeader) -> SgfHeader:
    """Return the header of the same game, played without the Crawford rule."""
    match = replace(header.match, uses_crawford=False)
    return replace(header, match=match, game=replace(header.game, is_crawford=False))


def read_header(tree: Tree, *, is_beavered: bool, is_cube_used: bool) -> SgfHeader:
    """Read a game's first node.

    Args:
        tree: the game.
        is_beavered: some game of the file has a beaver, of which gnubg saves no rule.
        is_cube_used: some game of the file uses the cube.

    Raises:
        RecordError: it is another game, or has invalid properties.
    """
    root = tree.nodes[0]
    if root.value("GM") != GAME_NUMBER:
        raise RecordError(f"expected a game of backgammon, GM[6], not GM[{root.value('GM')}]")
    numbers = dict.fromkeys(("length", "ws", "bs"), 0)
    for value in root.values("MI"):
        key, *rest = split_composed(value)
        if key in numbers:
            numbers[key] = _read_number(rest[0] if rest else "")
    rules = _read_rules(root)
    result, is_resigned = _read_result(root)
    match = Match(
        players=(to_simple_text(root.value("PW") or ""), to_simple_text(root.value("PB") or "")),
        length=numbers["length"],
        uses_crawford="Crawford" in rules,
        jacoby="Jacoby" in rules,
        beavers="Beavers" in rules or is_beavered,
        uses_cube=is_cube_used,
        tags=_read_tags(root),
    )
    score = (numbers["ws"], numbers["bs"])
    cube = _read_number(root.value("CV") or "1")
    game = Game(score, result=result, is_crawford="CrawfordGame" in rules, cube=cube)
    return SgfHeader(match, game, is_resigned)


def header_if_any(tree: Tree) -> SgfHeader | None:
    """Return the content of a game's first node; None: read_header cannot read it.

    It does not set the rules that depend on all games: beavers and the cube.
    """
    try:
        return read_header(tree, is_beavered=False, is_cube_used=True)
    except RecordError:
        return None


def _read_number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise RecordError(f"expected a number, not {text!r}")
    return int(text)


def _read_rules(root: Node) -> tuple[str, ...]:
    rules = split_composed(root.value("RU") or "")
    for game in _OTHER_GAMES:
        if game in rules:
            raise RecordError(f"expected usual backgammon, not {game}")
    return rules


def _read_result(root: Node) -> tuple[Result | None, bool]:
    value = root.value("RE")
    if value is None:
        return None, False
    match = _RESULT.fullmatch(value)
    if match is None:
        raise RecordError(f"expected a result as W+2 or B+1R, not {value!r}")
    return Result(read_player(match[1]), int(match[2])), bool(match[3])


def _read_tags(root: Node) -> dict[str, str]:
    tags = {
        tag: to_text(root.value(name) or "")
        for tag, name in TAG_PROPERTIES.items()
        if root.values(name)
    }
    for value in root.values("XT"):
        tag, *rest = split_composed(value)
        tags[tag] = ":".join(rest)
    return tags
