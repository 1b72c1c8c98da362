"""Words that the person at a chess board may type besides those of every game."""

from __future__ import annotations

from functools import partial

from engine_ext.chess.fen import is_chess960, write_fen
from master.cli.chess.play_screen import SIDES, moves_text, show_hints
from master.cli.chess.play_table import ChessTable
from master.cli.output import echo
from master.cli.playing.table import thought
from master.cli.playing.words import (
    CommandMistake,
    Commands,
    Row,
    TypedWord,
    alone,
    hint_word,
    understood,
)
from master.games.chess.game import ChessGame
from master.games.chess.level import read_level
from master.games.chess.san import read_move

_FOOTNOTE = """\
Ctrl-C stops the engine where it thinks, and ends the game
where you do.  Values are pawns for the side that moves.
Draws need no claim: a position that stands three times,
fifty moves without a capture or a pawn's move, and too
little material end the game."""


class ChessWords:
    """The words of one game at a table."""

    def __init__(self, table: ChessTable) -> None:
        """Prepare the words for a table."""
        self._table = table

    def commands(self) -> Commands:
        """Return the game's words and texts."""
        return Commands(
            prompt=self._prompt,
            words=self._words(),
            thing="game",
            new="begin again",
            copy=".pgn",
            other="game: PGN",
            shorts={"r": "redo", "n": "new"},
            footnote=_FOOTNOTE,
        )

    def _words(self) -> list[TypedWord]:
        how = "how deep, or how many seconds, the engine searches"
        return [
            TypedWord((), self._move, Row("Nf3, e2e4", "make that move")),
            alone(("",), self._enter, Row("(Enter)", "make the only move")),
            alone(("go", "g"), self._go, Row("go", "let the engine move for you")),
            alone(("moves",), self._moves, Row("moves", "list the legal moves")),
            hint_word(self._hint, "the N best moves, what they are worth, what follows"),
            TypedWord(("level",), self._level, Row("level 6, level 2s", how, above="undo")),
            alone(("record",), self._record, Row("record", "print the moves", above="board")),
            alone(("fen",), self._fen, Row("fen", "print the position", above="board")),
            alone(("flip",), self._table.flip, Row("flip", "turn the board round", above="board")),
        ]

    @property
    def _game(self) -> ChessGame:
        return self._table.game

    def _prompt(self) -> str:
        side = self._game.side
        if side is None:
            return "The game is over: new, undo or quit? "
        moves = self._table.moves()
        only = f"only move {moves[0]}" if len(moves) == 1 else "your move"
        check = ", check" if self._game.board.is_check else ""
        return f"{SIDES[side]}{check}, {only}? "

    def _check_running(self) -> None:
        if self._game.side is None:
            raise CommandMistake("the game is over: expected new, undo or quit")

    def _enter(self) -> None:
        """Enter alone: make the only move there is."""
        self._check_running()
        moves = self._table.moves()
        if len(moves) > 1:
            raise CommandMistake(f"expected a move such as {moves[0]}: try help")
        self._move(moves[0])

    def _move(self, text: str) -> None:
        self._check_running()
        self._table.do(understood(partial(read_move, self._game.board), text))

    def _go(self) -> None:
        self._check_running()
        self._table.go_on()

    def _moves(self) -> None:
        self._check_running()
        echo(" ".join(self._table.moves()))

    def _hint(self, count: int) -> None:
        self._check_running()
        found = thought(partial(self._table.advisor.hints, self._game, count))
        if found is not None:
            show_hints(self._game, found)

    def _level(self, text: str) -> None:
        """Set the engine's level, or print it."""
        if text:
            self._table.set_level(understood(read_level, text))
        echo(f"level {self._table.advisor.level.text}")

    def _record(self) -> None:
        echo(moves_text(self._game))

    def _fen(self) -> None:
        board = self._game.board
        echo(write_fen(board, is_chess960(board)))
