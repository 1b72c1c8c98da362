"""A game of chess at the terminal: the turns, and the engine's moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from master.cli.chess.play_advisor import ChessAdvisor
from master.cli.chess.play_screen import game_lines, player_text, result_text
from master.cli.output import echo
from master.cli.playing.game_file import GameFile
from master.cli.playing.play_terminal import ask
from master.cli.playing.table import thought
from master.cli.playing.turn_table import TurnTable
from master.games.chess.game import ChessGame, side_of
from master.games.chess.level import Level
from master.games.chess.record import ChessRecord
from master.games.chess.san import write_san
from master.games.chess.values import value_text
from master.games.spans import Line


@dataclass(frozen=True, slots=True)
class ChessSettings:
    """How games are played.

    Args:
        humans: the sides that the person plays; "w", "b" or both.
        names: of white and of black, where a record has none.
    """

    humans: frozenset[str]
    names: tuple[str, str] = ("", "")


class ChessTable(TurnTable[ChessRecord, ChessGame]):
    """A table with a chess board."""

    def __init__(
        self,
        record: ChessRecord,
        settings: ChessSettings,
        advisor: ChessAdvisor,
        kept: GameFile[ChessRecord],
        ask: Callable[[str], str] = ask,
    ) -> None:
        """Prepare the table.

        Args:
            record, kept, ask: as of any table.
            settings: the players.
            advisor: searches positions.
        """
        super().__init__(record, settings.humans, kept, ask)
        self.names = settings.names
        self.advisor = advisor
        self.is_flipped = settings.humans == {"b"}

    def named(self, record: ChessRecord) -> ChessRecord:
        """Return a record in which both players have a name."""
        white, black = self.names
        return replace(record, white=record.white or white, black=record.black or black)

    def show_how_it_stands(self) -> None:
        """Show how the game ended: the board does not show it."""
        if self.game.side is None:
            self.draw()
            echo(result_text(self.record))

    def go_on(self) -> None:
        """Let the engine move for the side to move; Ctrl-C pauses the game instead."""
        choice = thought(partial(self.advisor.choose, self.game))
        if choice is not None:
            self.do(choice.moves[0], value_text(choice.value))
        elif not self.is_persons_turn:
            self.waits_for = player_text(self.record, side_of(self.game.board))

    def do(self, move: str, remark: str = "") -> None:
        """Make a legal move, print it with a remark and its consequences, and save the game."""
        board = self.game.board
        mover, san = player_text(self.record, side_of(board)), write_san(board, move)
        self.game = self.game.play(move)
        self.change()
        echo(f"{mover} plays {san}" + (f" ({remark})" if remark else ""))
        self.keep()
        self.show_how_it_stands()

    def set_level(self, level: Level) -> None:
        """Have the engine play at another level, under its name."""
        old, self.advisor.level = self.advisor.level.name, level
        names = {old: level.name}
        white, black = self.names
        self.names = names.get(white, white), names.get(black, black)
        white, black = self.record.white, self.record.black
        self.record = replace(
            self.record, white=names.get(white, white), black=names.get(black, black)
        )

    def flip(self) -> None:
        """Turn the board round; the players keep their sides."""
        self.is_flipped = not self.is_flipped
        self.is_board_due = True

    def board_lines(self) -> list[Line]:
        """Draw the board."""
        return game_lines(self.record, is_flipped=self.is_flipped)

    def moves(self) -> list[str]:
        """Return the legal moves."""
        board = self.game.board
        return sorted(write_san(board, move) for move in board.moves(is_chess960=True))
