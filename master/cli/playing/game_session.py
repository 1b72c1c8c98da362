"""A session of play: the part that all games share, and the methods that each game implements.

Each game has a class derived from this one. The words that the player may type are in player.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from master.cli.output import echo, echo_drawing
from master.cli.playing.game_file import GameFile
from master.cli.playing.play_terminal import ask
from master.cli.playing.unfinished import Options, Unfinished
from master.games.errors import RecordError
from master.games.spans import Line

R = TypeVar("R")
T = TypeVar("T")


class GameSession(ABC, Generic[R]):
    """One game after the other, until the player leaves."""

    def __init__(self, record: R, kept: GameFile[R], ask: Callable[[str], str] = ask) -> None:
        """Prepare a session.

        Args:
            record: the game, to be continued.
            kept: its file.
            ask: shows a prompt and returns a line; Leave when there are no more.
        """
        self.record = record
        self.kept = kept
        self.ask = ask
        self.is_board_due = True
        self.waits_for = ""
        """The player to move, if the player stopped that move; empty: the game goes on."""
        self.unfinished: Unfinished | None = None
        """Notes the game for `--continue`; None: nothing does."""

    def go_over_to(self, record: R) -> None:
        """Go over to a game."""
        self.record = record
        self.change()
        self.show_how_it_stands()

    def change(self) -> None:
        """Note that the game has changed: the board is drawn again, and the game goes on."""
        self.is_board_due, self.waits_for = True, ""

    def draw(self) -> None:
        """Draw the board."""
        echo_drawing(self.board_lines())
        self.is_board_due = False

    def remark(self, text: str) -> None:
        """Print a remark about a mistake in the typed line."""
        echo(text)

    def keep(self) -> Path | None:
        """Save to the game's file; None: that failed and was printed, and the game may go on."""
        try:
            return self.save()
        except RecordError as error:
            echo(f"not saved: {error}")
        return None

    def save(self) -> Path:
        """Save to the game's file, and note whether it is finished; RecordError if it fails."""
        path = self.kept.save(self.whole)
        if self.unfinished is not None:
            self.unfinished.note(path, self.changed_options, is_over=self.is_over)
        return path

    @property
    def changed_options(self) -> Options:
        """The options that the game goes on with, instead of those that were typed."""
        return {}

    @property
    def whole(self) -> R:
        """The game as it is kept: with all that is known of it and would be lost."""
        return self.record

    @property
    @abstractmethod
    def is_begun(self) -> bool:
        """Whether there is something to keep."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether the kept game has ended."""

    @property
    @abstractmethod
    def is_players_turn(self) -> bool:
        """Whether the player has a choice; the step after the end is one too."""

    @abstractmethod
    def begun_again(self) -> R:
        """Return another game of the same kind."""

    @abstractmethod
    def show_how_it_stands(self) -> None:
        """Show facts that the board does not show, such as how the game ended."""

    @abstractmethod
    def undo(self) -> bool:
        """Take back the player's last decision and all that followed; False: there is none."""

    @abstractmethod
    def redo(self) -> bool:
        """Do the next decision again that was taken back; False: there is none."""

    @abstractmethod
    def go_on(self) -> None:
        """Play all steps up to the player's next: engine moves, a roll; Leave at the end."""

    @abstractmethod
    def board_lines(self) -> Iterable[Line]:
        """Return the board as a drawing."""

    @abstractmethod
    def moves(self) -> Sequence[str]:
        """Return the legal moves of the moment as they may be typed."""


def thought(think: Callable[[], T], stopped: str = "Stopped.") -> T | None:
    """Return the result of a calculation; None: Ctrl-C ended it, and a line says so."""
    try:
        return think()
    except KeyboardInterrupt:
        echo(f"\n{stopped}")
    return None
