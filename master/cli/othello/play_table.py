"""A game of Othello at the terminal: the turns, and the engine's moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from master.cli.othello.play_advisor import OthelloAdvisor
from master.cli.othello.play_screen import game_lines, pass_text, player_text, result_text
from master.cli.output import echo
from master.cli.playing.game_file import GameFile
from master.cli.playing.play_terminal import ask
from master.cli.playing.table import thought
from master.cli.playing.turn_table import TurnTable
from master.games.othello.board_view import BLACK, WHITE
from master.games.othello.game import OthelloGame, Turn
from master.games.othello.record import OthelloRecord, opening_name
from master.games.othello.search_report import value_text
from master.games.spans import Line


@dataclass(frozen=True, slots=True)
class OthelloSettings:
    """The settings of games.

    Args:
        humans: the sides that the person plays; "X", "O" or both.
        names: of black and of white, for records without names.
        is_evaluating: whether values of moves are printed; the person can switch it.
    """

    humans: frozenset[str]
    names: tuple[str, str] = ("", "")
    is_evaluating: bool = False


class OthelloTable(TurnTable[OthelloRecord, OthelloGame]):
    """A table with a board of Othello."""

    def __init__(
        self,
        record: OthelloRecord,
        settings: OthelloSettings,
        advisor: OthelloAdvisor,
        kept: GameFile[OthelloRecord],
        ask: Callable[[str], str] = ask,
    ) -> None:
        """Prepare the table.

        Args:
            record, kept, ask: as of any table.
            settings: the players.
            advisor: values boards.
        """
        super().__init__(record, settings.humans, kept, ask)
        self.names = settings.names
        self.is_evaluating = settings.is_evaluating
        self.advisor = advisor

    def named(self, record: OthelloRecord) -> OthelloRecord:
        """Return a record in which both players have a name."""
        black, white = self.names
        return replace(record, black=record.black or black, white=record.white or white)

    def show_how_it_stands(self) -> None:
        """Show that a side passed, or how the game ended: the board does not show it."""
        if passed := pass_text(self.record):
            echo(passed)
        if self.game.side is None:
            self.draw()
            echo(result_text(self.record))

    def go_on(self) -> None:
        """Let the engine move for the side to move; Ctrl-C pauses the game instead."""
        choice = thought(partial(self.advisor.choose, self.game.board))
        if choice is None:
            if not self.is_persons_turn:
                self.waits_for = player_text(self.record, self.game.board.to_move)
            return
        worth = "" if choice.value is None else value_text(choice.value, is_exact=choice.is_exact)
        self.do(Turn(choice.square, worth), worth if self.is_evaluating else "")

    def do(self, turn: Turn, remark: str = "") -> None:
        """Make a legal move, print it with a remark and its consequences, and save the game."""
        assert self.game.side is not None, "the game is not over"
        mover, before = player_text(self.record, self.game.side), opening_name(self.game)
        self.game = self.game.play(turn)
        self.change()
        echo(f"{mover} plays {turn.square}" + (f" ({remark})" if remark else ""))
        opening = opening_name(self.game)
        if opening is not None and opening != before:
            echo(f"Opening: {opening}")
        self.keep()
        self.show_how_it_stands()

    def board_lines(self) -> list[Line]:
        """Draw the board."""
        return game_lines(self.record, BLACK if BLACK in self.humans else WHITE)

    def moves(self) -> tuple[str, ...]:
        """Return the legal moves."""
        return self.game.board.moves()
