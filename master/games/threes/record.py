"""The record of a Threes! game: a seed and the moves made.

Chance is a function of seed and moves, so they define the game: a move taken back and done again
gets the same cards on the same squares.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from engine_ext.threes.board import ThreesBoard
from engine_ext.threes.context import SEED_MAX
from engine_ext.threes.engine import MOVES_MAX
from engine_ext.threes.game import ThreesGame

DIRECTION_OF = {"u": "up", "d": "down", "l": "left", "r": "right"}
LETTER_OF = {name: letter for letter, name in DIRECTION_OF.items()}

LINE_MOVES = 60
"""In a line of the text."""

RECORD_CHARACTERS_MAX = 2 * MOVES_MAX
"""Of the longest game, with room for other line ends."""

_HEAD = re.compile(r"threes 1 seed=(0|[1-9][0-9]{0,19})")


@dataclass(frozen=True)
class ThreesRecord:
    """A game, and the moves taken back.

    Args:
        seed: of all chance events.
        moves: those made, letters of DIRECTION_OF, each legal.
        undone: those taken back, the next to do again first.
    """

    seed: int
    moves: str = ""
    undone: str = ""

    @cached_property
    def game(self) -> ThreesGame:
        """The game so far; the caller must not continue it."""
        game = ThreesGame(self.seed)
        for letter in self.moves:
            game.play(DIRECTION_OF[letter])
        return game

    @property
    def board(self) -> ThreesBoard:
        """The current board."""
        return ThreesBoard(self.game.cells)

    def played(self, letter: str) -> ThreesRecord:
        """Return the game after one more move.

        Raises:
            ValueError: the move is not legal.
        """
        if DIRECTION_OF[letter] not in self.board.moves():
            raise ValueError(f"{DIRECTION_OF[letter]} moves nothing")
        after = ThreesRecord(self.seed, self.moves + letter)
        game = self.game.copy()
        game.play(DIRECTION_OF[letter])
        # A cached property is an entry of the object: nothing is replayed.
        after.__dict__["game"] = game
        return after

    def undo(self) -> ThreesRecord | None:
        """Return the game with its last move taken back; None: there is none."""
        if not self.moves:
            return None
        return ThreesRecord(self.seed, self.moves[:-1], self.moves[-1] + self.undone)

    def redo(self) -> ThreesRecord | None:
        """Return the game with the next move done again; None: there is none."""
        if not self.undone:
            return None
        return ThreesRecord(self.seed, self.moves + self.undone[0], self.undone[1:])

    def done_again(self) -> ThreesRecord:
        """Return the game with all moves taken back done again."""
        return ThreesRecord(self.seed, self.moves + self.undone)


def write_record(record: ThreesRecord) -> str:
    """Return the text of a game: a line that names the format, then its moves."""
    lines = [
        record.moves[first : first + LINE_MOVES]
        for first in range(0, len(record.moves), LINE_MOVES)
    ]
    return "\n".join([f"threes 1 seed={record.seed}", *lines, ""])


def read_record(text: str) -> ThreesRecord:
    """Return the game of a text.

    Raises:
        ValueError: the text is no game, or has an illegal move; one line names the error.
    """
    head, _, rest = text.partition("\n")
    found = _HEAD.fullmatch(head.strip())
    if found is None or int(found[1]) > SEED_MAX:
        raise ValueError("expected a first line such as threes 1 seed=7")
    moves = "".join(rest.split())
    game = ThreesGame(int(found[1]))
    for number, letter in enumerate(moves, 1):
        if letter not in DIRECTION_OF:
            raise ValueError(f"move {number} is {letter!r}, expected u, d, l or r")
        if not game.play(DIRECTION_OF[letter]):
            raise ValueError(f"move {number}, {DIRECTION_OF[letter]}, moves nothing")
    return ThreesRecord(int(found[1]), moves)
