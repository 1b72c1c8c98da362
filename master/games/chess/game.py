"""A game of chess in play: its moves, the moves taken back, and the rules that end it.

Draws by repetition, by fifty moves and by lack of material count at once, without a claim.  Pure:
no engine, no files, no terminal.  Games are values: each move makes a new one, whose boards are
always those of its moves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from engine_ext.chess.board import ChessBoard
from master.games.chess.san import NULL_MOVE, after, line_san, read_move, write_san

REPETITIONS = 3
"""A position that occurs so often is a draw (FIDE, Laws of Chess, 9.2)."""

QUIET_PLIES = 100
"""Without a capture or a pawn's move, likewise (9.3)."""


class Ending(Enum):
    """The reason for the end of a game, for people."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    REPETITION = "the position has stood three times"
    FIFTY_MOVES = "fifty moves without a capture or a pawn's move"
    MATERIAL = "neither side can mate"
    RESIGNATION = "resignation"
    AGREEMENT = "agreed"


@dataclass(frozen=True, slots=True)
class Settlement:
    """The end of a game by its players, and its result in the form of records."""

    ending: Ending
    result: str


DRAWN = Settlement(Ending.AGREEMENT, "1/2-1/2")


@dataclass(frozen=True, slots=True)
class ChessGame:
    """A game so far; `game_from` makes one.

    Args:
        start: the position set up.
        moves: the moves played, in UCI's notation, castling by the rook's square; in a record also
            NULL_MOVE.
        boards: the position before each move and the one now.
        undone: moves that were taken back, the last of them first to be done again.
        settled: how the players ended it at this position; None: they did not.
    """

    start: ChessBoard
    moves: tuple[str, ...]
    boards: tuple[ChessBoard, ...]
    undone: tuple[str, ...] = ()
    settled: Settlement | None = None

    @property
    def board(self) -> ChessBoard:
        """The position now."""
        return self.boards[-1]

    @property
    def ending(self) -> Ending | None:
        """The reason for the end of the game; None: it is not over."""
        board = self.board
        if not board.move_count:
            return Ending.CHECKMATE if board.is_check else Ending.STALEMATE
        if cannot_mate(board):
            return Ending.MATERIAL
        if sum(before.key == board.key for before in self.boards) >= REPETITIONS:
            return Ending.REPETITION
        if board.clock >= QUIET_PLIES:
            return Ending.FIFTY_MOVES
        return None if self.settled is None else self.settled.ending

    @property
    def side(self) -> str | None:
        """The side whose turn it is, "w" or "b"; None: the game is over."""
        return None if self.ending is not None else side_of(self.board)

    @property
    def move_count(self) -> int:
        """The number of moves made."""
        return len(self.moves)

    def side_of(self, number: int) -> str:
        """Return the side of a move by its number from 0, also of the next one."""
        return side_of(self.boards[number])

    @property
    def result(self) -> str:
        """The result in the form of records: 1-0, 0-1, 1/2-1/2, or * before the end."""
        ending = self.ending
        if ending is None:
            return "*"
        if self.settled is not None:
            return self.settled.result
        if ending is not Ending.CHECKMATE:
            return "1/2-1/2"
        return "1-0" if self.board.is_black else "0-1"

    @property
    def sans(self) -> list[str]:
        """The moves as people write them."""
        return line_san(self.start, self.moves)

    @property
    def last_san(self) -> str:
        """The last move as people write it; empty: there is none."""
        return write_san(self.boards[-2], self.moves[-1]) if self.moves else ""

    def play(self, move: str) -> ChessGame:
        """Return the game after a move.

        If the move equals the next one to do again, the other moves taken back are kept.

        Args:
            move: in UCI's notation.

        Raises:
            ValueError: it is not legal.
        """
        played = read_move(self.board, move)
        undone = self.undone[:-1] if self.undone[-1:] == (played,) else ()
        boards = (*self.boards, self.board.play(played))
        return ChessGame(self.start, (*self.moves, played), boards, undone)

    def resigned(self, side: str) -> ChessGame:
        """Return the game after a side, "w" or "b", has resigned."""
        return self.ended(Settlement(Ending.RESIGNATION, "0-1" if side == "w" else "1-0"))

    def ended(self, how: Settlement) -> ChessGame:
        """Return the game as its players ended it; moves taken back are dropped."""
        return ChessGame(self.start, self.moves, self.boards, settled=how)

    def unsettled(self) -> ChessGame:
        """Return the game before its players ended it; itself if they did not."""
        return self if self.settled is None else replace(self, settled=None)

    def undo(self) -> ChessGame | None:
        """Return the game with its last move taken back; None: there is none."""
        if not self.moves:
            return None
        undone = (*self.undone, self.moves[-1])
        return ChessGame(self.start, self.moves[:-1], self.boards[:-1], undone)

    def redo(self) -> ChessGame | None:
        """Return the game with the move done again that was taken back last; None: none was."""
        return self.play(self.undone[-1]) if self.undone else None

    def done_again(self) -> ChessGame:
        """Return the game with all moves done again that were taken back and not replaced."""
        game = self
        while (after := game.redo()) is not None:
            game = after
        return game

    def begun_again(self) -> ChessGame:
        """Return another game from the same position."""
        return game_from(self.start)


class MoveError(ValueError):
    """A move that is not legal, or no move."""

    def __init__(self, text: str, ply: int) -> None:
        """Keep its place.

        Args:
            text: which move it is, and what was expected.
            ply: the half-moves before it.
        """
        super().__init__(text)
        self.ply = ply


def game_from(start: ChessBoard, moves: Iterable[str] = ()) -> ChessGame:
    """Return a game that begins from a position, with these moves.

    Args:
        start: the position.
        moves: as people write them, or in UCI's notation; NULL_MOVE passes.

    Raises:
        MoveError: a move is not legal; the text names it and its number.
    """
    boards, played = [start], list[str]()
    for move in moves:
        board = boards[-1]
        try:
            played.append(NULL_MOVE if move == NULL_MOVE else read_move(board, move))
            boards.append(after(board, played[-1]))
        except ValueError as error:
            dots = "..." if board.is_black else "."
            said = f"move {board.move_number}{dots} {error}"
            raise MoveError(said, len(boards) - 1) from None
    return ChessGame(start, tuple(played), tuple(boards))


def side_of(board: ChessBoard) -> str:
    """Return the side to move: "w" or "b"."""
    return "b" if board.is_black else "w"


def cannot_mate(board: ChessBoard) -> bool:
    """Whether no moves can lead to mate: bare kings, one minor piece, or bishops of one colour."""
    men = [(sign.upper(), square) for square, sign in enumerate(board.signs) if sign not in "-Kk"]
    if len(men) <= 1:
        return all(man in "NB" for man, _ in men)
    colours = {(square + square // 8) % 2 for _, square in men}
    return len(colours) == 1 and all(man == "B" for man, _ in men)
