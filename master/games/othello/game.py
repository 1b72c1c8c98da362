"""A game of Othello in play: its moves, the moves taken back, and a resignation.

Passes follow from the moves.  Pure: no engine, no files, no terminal.  Games are values: each move
makes a new one, whose boards are always those of its moves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.transcript import played


@dataclass(frozen=True, slots=True)
class Turn:
    """A move.

    Args:
        square: such as "f5".
        evaluation: of the mover in discs, as written in a record; empty if there is none.
        seconds: that the mover took, likewise.
    """

    square: str
    evaluation: str = ""
    seconds: str = ""


@dataclass(frozen=True, slots=True)
class OthelloGame:
    """A game so far; `game_from` makes one.

    Args:
        start: the board set up, maybe with a side to move that must pass.
        turns: the moves played.
        boards: the board before each turn and the one now, each after any forced pass.
        undone: turns that were taken back, the last of them first to be done again.
        resigned_by: the side that resigned at this board; None: neither did.
    """

    start: OthelloBoard
    turns: tuple[Turn, ...]
    boards: tuple[OthelloBoard, ...]
    undone: tuple[Turn, ...] = ()
    resigned_by: str | None = None

    @property
    def board(self) -> OthelloBoard:
        """The board now; its side to move can move, or the game is over."""
        return self.boards[-1]

    @property
    def side(self) -> str | None:
        """The side whose turn it is, "X" or "O"; None: the game is over."""
        return None if self.board.is_over or self.resigned_by else self.board.to_move

    @property
    def squares(self) -> tuple[str, ...]:
        """The moves, passes left out."""
        return tuple(turn.square for turn in self.turns)

    @property
    def has_passed(self) -> str | None:
        """The side that had to pass just before the board of now; None if none had."""
        if self.side is None:
            return None
        before = self.boards[-2].to_move if self.turns else _other(self.start.to_move)
        return _other(before) if before == self.side else None

    @property
    def move_count(self) -> int:
        """The number of moves made."""
        return len(self.turns)

    def side_of(self, number: int) -> str:
        """Return the side that made turn `number`, counted from 0."""
        return self.boards[number].to_move

    def play(self, turn: Turn) -> OthelloGame:
        """Return the game after a turn.

        If the turn equals the next one to do again, the other turns taken back are kept.

        Raises:
            ValueError: the square does not exist, is not empty, or would turn no disc.
        """
        after = _settled(self.board.play(turn.square))
        is_same = self.undone[-1:] and self.undone[-1].square == turn.square.lower()
        undone = self.undone[:-1] if is_same else ()
        played = Turn(turn.square.lower(), turn.evaluation, turn.seconds)
        return OthelloGame(self.start, (*self.turns, played), (*self.boards, after), undone)

    def resigned(self, side: str) -> OthelloGame:
        """Return the game after a side has resigned; moves taken back are dropped."""
        assert not self.board.is_over, "a game that is over cannot be resigned"
        return OthelloGame(self.start, self.turns, self.boards, resigned_by=side)

    def unsettled(self) -> OthelloGame:
        """Return the game before a player resigned it; itself if neither did."""
        return self if self.resigned_by is None else replace(self, resigned_by=None)

    def undo(self) -> OthelloGame | None:
        """Return the game with its last turn taken back; None: there is none."""
        if not self.turns:
            return None
        undone = (*self.undone, self.turns[-1])
        return OthelloGame(self.start, self.turns[:-1], self.boards[:-1], undone)

    def redo(self) -> OthelloGame | None:
        """Return the game with the turn done again that was taken back last; None: none was."""
        return self.play(self.undone[-1]) if self.undone else None

    def done_again(self) -> OthelloGame:
        """Return the game with all turns done again that were taken back and not replaced."""
        game = self
        while (after := game.redo()) is not None:
            game = after
        return game

    def begun_again(self) -> OthelloGame:
        """Return the game before its first turn, with nothing to do again."""
        return game_from(self.start)


def game_from(start: OthelloBoard, turns: Iterable[Turn] = ()) -> OthelloGame:
    """Return a game that begins from a board, with these turns.

    Raises:
        ValueError: a turn is not legal; the text names it and its number.
    """
    game = OthelloGame(start, (), (_settled(start),))
    for number, turn in enumerate(turns, 1):
        played(game.board, turn.square, number)
        game = game.play(turn)
    return game


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game.

    Args:
        discs: black's and white's on the board.
        empties: squares that nobody could fill; they count for the winner, half each in a draw.
        margin: black's discs minus white's, with the empty squares.
    """

    discs: tuple[int, int]
    empties: int
    margin: int

    @property
    def winner(self) -> str | None:
        """ "X" or "O"; None: a draw."""
        return None if self.margin == 0 else "X" if self.margin > 0 else "O"


def result_of(board: OthelloBoard) -> Result:
    """Return the result of a game that ended on a board."""
    assert board.is_over, "the game is over"
    score = board.final_score
    return Result(board.disc_counts(), board.empties, score if board.to_move == "X" else -score)


def margin_of(game: OthelloGame) -> int:
    """Return black's discs minus white's of a game that is over.

    All squares count for the winner of a game that was resigned, as on the Generic Game Server.
    """
    if game.resigned_by is None:
        return result_of(game.board).margin
    squares = game.board.size**2
    return -squares if game.resigned_by == "X" else squares


def _settled(board: OthelloBoard) -> OthelloBoard:
    return board.passed() if board.must_pass else board


def _other(side: str) -> str:
    return "O" if side == "X" else "X"
