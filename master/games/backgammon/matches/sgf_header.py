"""The first node of a game in gnubg's match files: players, score, rules, position, result.

The properties are gnubg's, and a few of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, OPPONENT, GameState, MatchState
from engine_ext.backgammon.xgid import state_from_xgid, to_xgid
from master.games.backgammon.matches.record import Game, Match, Result
from master.games.backgammon.matches.replay import score_after
from master.games.backgammon.matches.sgf_analysis import Properties, point_letter, point_slot
from master.games.backgammon.matches.sgf_tree import (
    Node,
    Tree,
    from_text,
    split_composed,
    to_simple_text,
    to_text,
)
from master.games.errors import RecordError

BOARD_PROPERTIES = ("AE", "AB", "AW", "CV", "CP", "XG")
"""The properties that set up more than the turn and the dice."""

PLAYERS = "WB"
_OWNERS = {"c": None, "w": 0, "b": 1}
_POINTS = re.compile(r"([a-y])(?::([a-y]))?")
_CUBE = re.compile(r"[0-9]{1,5}")
_DICE = re.compile(r"([1-6])([1-6])")


def read_player(value: str | None) -> int:
    """Read W or B.

    Raises:
        RecordError: neither.
    """
    if value is None or len(value) != 1 or value not in PLAYERS:
        raise RecordError(f"expected a player, W or B, not {value!r}")
    return PLAYERS.index(value)


def read_dice(value: str | None) -> tuple[int, int]:
    """Read two digits.

    Raises:
        RecordError: something else.
    """
    match = _DICE.fullmatch(value or "")
    if match is None:
        raise RecordError(f"expected two dice, as 31, not {value!r}")
    return (int(match[1]), int(match[2]))


@dataclass
class Setup:
    """The setup by the nodes so far; the rest is as at the start of a game."""

    sides: tuple[list[int], list[int]] = field(
        default_factory=lambda: (list(START.on_roll), list(START.on_roll))
    )
    cube_value: int = 1
    cube_owner: int | None = None
    player: int | None = None
    dice: tuple[int, int] | None = None
    exact: GameState | None = None

    def add(self, node: Node) -> None:
        """Add a node's properties.

        Raises:
            RecordError: a property has an invalid value.
        """
        if (xgid := node.value("XG")) is not None:
            self.exact = _read_xgid(xgid)
        if node.values("PL"):
            self.player = read_player(node.value("PL"))
        if node.values("DI"):
            self.dice = read_dice(node.value("DI"))
        if (cube := node.value("CV")) is not None:
            self.cube_value = int(cube) if _CUBE.fullmatch(cube) else 0
        if (owner := node.value("CP")) is not None:
            if owner not in _OWNERS:
                raise RecordError(f"expected a cube's owner, c, w or b, not {owner!r}")
            self.cube_owner = _OWNERS[owner]
        for letter in _letters(node.values("AE")):
            for player in (0, 1):
                self.sides[player][point_slot(player, letter)] = 0
        for player, name in enumerate(("AW", "AB")):
            for letter in _letters(node.values(name)):
                self.sides[player][point_slot(player, letter)] += 1

    def state(self, player: int, surroundings: MatchState) -> GameState:
        """Return the game set up.

        Args:
            player: on roll.
            surroundings: length, score by player 0, and rules.

        Raises:
            RecordError: it is impossible.
        """
        if self.exact is not None:
            return self.exact
        owners = {None: CENTRED, player: ON_ROLL, 1 - player: OPPONENT}
        score = surroundings.score
        try:
            position = Position(self.sides[player], self.sides[1 - player])
            match = MatchState(
                cube_value=self.cube_value,
                cube_owner=owners[self.cube_owner],
                match_length=surroundings.match_length,
                score=score[::-1] if player else score,
                crawford=surroundings.crawford,
                jacoby=surroundings.jacoby,
                beavers=surroundings.beavers,
                dice=self.dice,
                player_on_roll=player,
            )
        except ValueError as error:
            raise RecordError(f"expected a possible set-up: {error}") from None
        return GameState(position, match)


def _letters(values: Sequence[str]) -> Iterator[str]:
    """The points that values name, one by one or from one to another."""
    for value in values:
        match = _POINTS.fullmatch(value)
        if match is None:
            raise RecordError(f"expected a point, a to y, not {value!r}")
        for code in range(ord(match[1]), ord(match[2] or match[1]) + 1):
            yield chr(code)


def _read_xgid(value: str) -> GameState:
    try:
        return state_from_xgid(to_simple_text(value))
    except ValueError as error:
        raise RecordError(f"expected an XGID in XG: {error}") from None


def write_setup(start: GameState) -> list[Node]:
    """Write the nodes that set up a game; `Setup` reads them."""
    match = start.match
    turn = PLAYERS[match.player_on_roll]
    board: Properties = [("XG", (from_text(to_xgid(start)),)), ("PL", (turn,)), ("AE", ("a:y",))]
    sides = (start.position.on_roll, start.position.opponent)
    for player, name in enumerate(("AW", "AB")):
        slots = sides[player ^ match.player_on_roll]
        points = [point_letter(player, slot) for slot in range(1, 26) for _ in range(slots[slot])]
        if points:
            board.append((name, tuple(points)))
    nodes = [Node(tuple(board))]
    if match.cube_value > 1:
        nodes.append(Node((("CV", (str(match.cube_value),)),)))
        nodes.append(Node((("CP", (_owner(match),)),)))
    if match.dice is not None:
        nodes.append(Node((("PL", (turn,)), ("DI", ("{}{}".format(*match.dice),)))))
    if match.is_double_offered:
        nodes.append(Node(((turn, ("double",)),)))
    return nodes


def _owner(match: MatchState) -> str:
    if match.cube_owner == CENTRED:
        return "c"
    return "wb"[match.player_on_roll ^ (match.cube_owner == OPPONENT)]


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


FIRST_GAME = "game:0"
"""In MI, of the first game of a match; gnubg writes it, and so do we."""


def split_trees(trees: Sequence[Tree]) -> list[tuple[Tree, ...]]:
    """Return the games of each match.

    A match begins with a game 0 at 0-0 that cannot continue the match before it: the players or
    the length differ, or the match before it has points.
    """
    found: list[list[Tree]] = []
    last: SgfHeader | None = None
    for tree in trees:
        header = header_if_any(tree)
        if not found or (header is not None and _begins(tree, header, last)):
            found.append([])
            last = None
        found[-1].append(tree)
        last = header or last
    return [tuple(each) for each in found]


def _begins(tree: Tree, header: SgfHeader, last: SgfHeader | None) -> bool:
    is_first = FIRST_GAME in tree.nodes[0].values("MI")
    if last is None or not is_first or header.game.score != (0, 0):
        return False
    match, before = header.match, last.match
    is_other = (match.players, match.length) != (before.players, before.length)
    return is_other or score_after(last.game) != (0, 0)


Factors = tuple[int, ...]
"""For each game of a file the factor by which its first cube is too high for the scores."""


def uncounted_doubles(trees: Sequence[Tree]) -> Factors:
    """Return the factors of the games of a file; all are 1 if the scores count everything."""
    headers = [header_if_any(tree) for tree in trees]
    found = [
        _factor(header, following)
        for header, following in zip(headers, [*headers[1:], None], strict=True)
    ]
    is_uncounted = any(factor is not None and factor > 1 for factor in found)
    return tuple(
        factor if factor is not None else _cube(header) if is_uncounted else 1
        for factor, header in zip(found, headers, strict=True)
    )


def without_uncounted(header: SgfHeader, factor: int) -> SgfHeader:
    """Return the header of a game, corrected to agree with the scores."""
    if factor == 1:
        return header
    game, result = header.game, header.game.result
    if result is not None:
        result = Result(result.winner, result.points // factor)
    return replace(header, game=replace(game, cube=game.cube // factor, result=result))


def uncounted_warnings(name: str, factors: Factors) -> tuple[str, ...]:
    """Return one line about a file that names the games read without their automatic doubles."""
    numbers = [number for number, factor in enumerate(factors, start=1) if factor > 1]
    if not numbers:
        return ()
    games = "game" if len(numbers) == 1 else "games"
    return (
        f"{name}: the scores do not count the automatic doubles of {games} "
        f"{', '.join(map(str, numbers))}; read without them, as the scores say",
    )


def _cube(header: SgfHeader | None) -> int:
    """Return the first cube of a game in a money session."""
    return 1 if header is None or header.match.length else max(header.game.cube, 1)


def _factor(header: SgfHeader | None, following: SgfHeader | None) -> int | None:
    """Return a game's factor; None: there is no score after the game."""
    cube = _cube(header)
    if header is None or cube == 1:
        return 1
    result = header.game.result
    if following is None or result is None:
        return None
    scores = (header.game.score, following.game.score)
    gained = [after - before for before, after in zip(*scores, strict=True)]
    points, others = gained[result.winner], gained[1 - result.winner]
    if others or points < 1 or result.points % points:
        return 1
    factor = result.points // points
    return factor if cube % factor == 0 else 1
