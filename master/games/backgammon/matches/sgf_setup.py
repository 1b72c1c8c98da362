"""Games that do not begin at the usual position: the SGF nodes that set up board, cube and turn.

gnubg's properties are AE, AB, AW, PL, CV, CP and DI.  A property of ours, XG, contains all of it as
an XGID, and also facts that gnubg's cannot express.

Points are white's: a is white's 1 point, x the 24 point, y the bar.  White is player 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, OPPONENT, GameState, MatchState
from engine_ext.backgammon.xgid import state_from_xgid, to_xgid
from master.games.backgammon.matches.sgf_analysis import Properties, point_letter, point_slot
from master.games.backgammon.matches.sgf_tree import Node, from_text, to_simple_text
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
