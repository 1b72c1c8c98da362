"""A game of Othello at the terminal: whose turn it is, and what the engine does.

Knows the course of a game.  What is allowed comes from the game, what is good from the advisor, how
it looks from play_othello_screen, what the person does from play_othello_person.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from engine_ext.othello.board import OthelloBoard
from master.cli.othello.play_advisor import Choice, Hint, Judgement
from master.cli.othello.play_screen import pass_text, player_text, result_text, show_game
from master.cli.output import echo
from master.games.errors import RecordError
from master.games.othello.board_view import BLACK, WHITE
from master.games.othello.game import OthelloGame, Turn
from master.games.othello.record import OthelloRecord
from master.games.othello.search_report import value_text


class Advisor(Protocol):
    """Who values boards; KeyboardInterrupt ends any of it."""

    def choose(self, board: OthelloBoard) -> Choice:
        """Return the engine's move."""

    def hints(self, board: OthelloBoard, count: int) -> tuple[list[Hint], bool]:
        """Return the best so many moves, best first, and whether their values are exact."""

    def judge(self, board: OthelloBoard, square: str) -> Judgement:
        """Return what a legal move is worth beside the best one."""


@dataclass(frozen=True)
class OthelloOutside:
    """What a table needs of the world.

    Args:
        ask: shows a prompt and returns a line; Leave when there are no more.
        save: writes the game to a file (None: the game's own); returns its path.  RecordError when
            that fails.
        load: reads a game, whose own file is saved to from then on; RecordError likewise.
        begin: another game begins, and has a file of its own.
    """

    ask: Callable[[str], str]
    save: Callable[[OthelloRecord, Path | None], Path]
    load: Callable[[Path], OthelloRecord]
    begin: Callable[[], None]


class OthelloTable:
    """One game after the other, until the person leaves."""

    def __init__(
        self,
        record: OthelloRecord,
        humans: frozenset[str],
        advisor: Advisor,
        outside: OthelloOutside,
        *,
        is_evaluating: bool = False,
    ) -> None:
        """Prepare the table.

        Args:
            record: the game, from where it stands.
            humans: the sides that the person plays; "X", "O" or both.
            advisor: who values boards.
            outside: lines and files.
            is_evaluating: whether it is said what moves are worth.
        """
        self.record = record
        self.humans = humans
        self.advisor = advisor
        self.outside = outside
        self.is_evaluating = is_evaluating
        self.is_paused = False
        self.is_board_due = True

    @property
    def game(self) -> OthelloGame:
        """The game as it stands."""
        return self.record.game

    @game.setter
    def game(self, game: OthelloGame) -> None:
        self.record = replace(self.record, game=game)
        self.is_board_due, self.is_paused = True, False

    def play(self, person_acts: Callable[[], None]) -> None:
        """Play until the person leaves.

        Args:
            person_acts: lets the person do one thing (see play_othello_person).

        Raises:
            Leave: always, in the end.
        """
        self.go_over_to(self.record)
        while True:
            if self.game.side in {None, *self.humans} or self.is_paused:
                person_acts()
            else:
                self.let_engine_move()

    def go_over_to(self, record: OthelloRecord) -> None:
        """Put a game on the table."""
        self.record = record
        self.is_board_due, self.is_paused = True, False
        self.say_how_it_stands()

    def say_how_it_stands(self) -> None:
        """Say what a board alone does not: that a side passed, or how the game ended."""
        if passed := pass_text(self.record):
            echo(passed)
        if self.game.side is None:
            self.draw()
            echo(result_text(self.record))

    def let_engine_move(self) -> None:
        """Let the engine move for the side whose turn it is; Ctrl-C pauses the game instead."""
        try:
            choice = self.advisor.choose(self.game.board)
        except KeyboardInterrupt:
            self.is_paused = self.game.side not in self.humans
            echo("\nStopped.")
            return
        worth = "" if choice.value is None else value_text(choice.value, is_exact=choice.is_exact)
        self.do(Turn(choice.square, worth), worth if self.is_evaluating else "")

    def do(self, turn: Turn, remark: str = "") -> None:
        """Make a legal move, say so, with a remark, and what follows, and save the game."""
        assert self.game.side is not None, "the game is not over"
        mover = player_text(self.record, self.game.side)
        self.game = self.game.play(turn)
        echo(f"{mover} plays {turn.square}" + (f" ({remark})" if remark else ""))
        self.keep()
        self.say_how_it_stands()

    def draw(self) -> None:
        """Draw the board."""
        show_game(self.record, BLACK if BLACK in self.humans else WHITE)
        self.is_board_due = False

    @property
    def whole(self) -> OthelloRecord:
        """The game with what was taken back and not replaced, lest looking back loses it."""
        return replace(self.record, game=self.game.done_again())

    def keep(self) -> Path | None:
        """Save the whole game; None: it cannot be, which is said, and need not end it."""
        try:
            return self.outside.save(self.whole, None)
        except RecordError as error:
            echo(f"not saved: {error}")
        return None
