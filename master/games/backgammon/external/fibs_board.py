"""The text of a FIBS board: `board:You:Other:` and fifty numbers between colons.

fibs_state.py interprets the fields.  Source: the help of the First Internet Backgammon Server,
`rawboard`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

POINTS = 26
NUMBERS = 50
NAME_CHARACTERS_MAX = 100
"""FIBS and gnubg have names of at most some 30."""

UNLIMITED = 9_999
"""The match length that FIBS writes for money play; gnubg writes 0."""

_TEXT = re.compile(
    rf"board:([^:]{{0,{NAME_CHARACTERS_MAX}}}):([^:]{{0,{NAME_CHARACTERS_MAX}}})"
    rf"((?::-?[0-9]{{1,5}}){{{NUMBERS}}})",
    re.ASCII,
)


class FibsError(ValueError):
    """A board that cannot be read; the text names the error in one sentence."""


@dataclass(frozen=True)
class FibsBoard:
    """The fields, in their order; pairs are of the player called You and of the opponent.

    Args:
        names: of both.
        match_length: points; UNLIMITED or 0 is money play.
        scores: of both.
        points: 0 to 25; the player of colour 1 has positive numbers, the other negative ones.
        turn: the colour of the player on roll; 0: the game is over.
        dice, opponent_dice: 0, 0 for none.
        cube_value: before a double that is offered.
        may_double: whether each has access to the cube.
        is_doubled: whether a double is offered.
        colour: of You, 1 or -1.
        direction: of You: -1 from point 24 to 1, 1 the other way.
        off: checkers borne off.
        on_bar: checkers on the bar, which are also in the points 0 and 25; gnubg writes zeros.
        can_move: the number of You's checkers that can move; gnubg writes 0.
        is_after_crawford: whether the Crawford game has been played.
        redoubles: the number of beavers allowed; from gnubg, whether this is not the Crawford game.
    """

    names: tuple[str, str]
    match_length: int
    scores: tuple[int, int]
    points: tuple[int, ...]
    turn: int
    dice: tuple[int, int]
    opponent_dice: tuple[int, int]
    cube_value: int
    may_double: tuple[bool, bool]
    is_doubled: bool
    colour: int
    direction: int
    off: tuple[int, int]
    on_bar: tuple[int, int]
    can_move: int = 0
    is_after_crawford: bool = False
    redoubles: int = 0

    @property
    def text(self) -> str:
        """The text of the board."""
        home, bar = (0, 25) if self.direction < 0 else (25, 0)
        numbers = (
            self.match_length, *self.scores, *self.points, self.turn, *self.dice,
            *self.opponent_dice, self.cube_value, *map(int, self.may_double),
            int(self.is_doubled), self.colour, self.direction, home, bar, *self.off, *self.on_bar,
            self.can_move, 0, int(self.is_after_crawford), self.redoubles,
        )  # fmt: skip
        return ":".join(("board", *map(_name, self.names), *map(str, numbers)))


def _name(name: str) -> str:
    return name.replace(":", "_")[:NAME_CHARACTERS_MAX]


def read_fibs_board(text: str) -> FibsBoard:
    """Read the text of a board.

    Raises:
        FibsError: it is none.
    """
    match = _TEXT.fullmatch(text)
    if match is None:
        count = text.count(":")
        raise FibsError(
            f"expected board:, two names and {NUMBERS} numbers between colons"
            + (f", not {count - 2}" if count != NUMBERS + 2 else "")
        )
    numbers = [int(number) for number in match[3].split(":")[1:]]
    scalars = numbers[3 + POINTS :]
    board = FibsBoard(
        names=(match[1], match[2]),
        match_length=numbers[0],
        scores=(numbers[1], numbers[2]),
        points=tuple(numbers[3 : 3 + POINTS]),
        turn=scalars[0],
        dice=(scalars[1], scalars[2]),
        opponent_dice=(scalars[3], scalars[4]),
        cube_value=scalars[5],
        may_double=(bool(scalars[6]), bool(scalars[7])),
        is_doubled=bool(scalars[8]),
        colour=scalars[9],
        direction=scalars[10],
        off=(scalars[13], scalars[14]),
        on_bar=(scalars[15], scalars[16]),
        can_move=scalars[17],
        is_after_crawford=bool(scalars[19]),
        redoubles=scalars[20],
    )
    _check_signs(board)
    return board


def _check_signs(board: FibsBoard) -> None:
    for name, sign in (("colour", board.colour), ("direction", board.direction)):
        if sign not in (1, -1):
            raise FibsError(f"expected a {name} of 1 or -1, not {sign}")
    if board.turn == 0:
        raise FibsError("expected a game that goes on, not a turn of 0")
    if board.turn not in (1, -1):
        raise FibsError(f"expected a turn of 1 or -1, not {board.turn}")
