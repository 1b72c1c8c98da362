"""A session of a game of turns: undo, redo, and the side to move.

Its records have a game. Games are values: each move makes a new one. Each such game's session
derives from this one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from master.cli.playing.game_file import GameFile
from master.cli.playing.game_session import GameSession
from master.cli.playing.play_terminal import ask


class TurnGame(Protocol):
    """A game at some position, with the moves that were taken back."""

    @property
    def side(self) -> str | None:
        """The side to move; None: the game is over."""

    @property
    def move_count(self) -> int:
        """How many moves were made."""

    def side_of(self, number: int) -> str:
        """Return the side of a move by its number from 0, be it the next one."""

    def resigned(self, side: str) -> Self:
        """Return the game after a side has resigned."""

    def unsettled(self) -> Self:
        """Return the game before a player ended it, such as by resigning; itself if none did."""

    def undo(self) -> Self | None:
        """Return the game with its last move taken back; None: there is none."""

    def redo(self) -> Self | None:
        """Return the game with the move done again that was taken back last; None: none was."""

    def done_again(self) -> Self:
        """Return the game with all done again that was taken back and not replaced."""

    def begun_again(self) -> Self:
        """Return another game from the same start."""


class TurnRecord(Protocol):
    """A record, which is a dataclass, of a game."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def game(self) -> Any:
        """The game, a `TurnGame`."""


R = TypeVar("R", bound=TurnRecord)
G = TypeVar("G", bound=TurnGame)


class TurnSession(GameSession[R], Generic[R, G]):
    """A session where a player plays one side of a game, both or none."""

    def __init__(
        self,
        record: R,
        humans: frozenset[str],
        kept: GameFile[R],
        ask: Callable[[str], str] = ask,
    ) -> None:
        """Prepare the session.

        Args:
            record, kept, ask: as of any session.
            humans: the sides that the player plays.
        """
        super().__init__(record, kept, ask)
        self.humans = humans

    @abstractmethod
    def named(self, record: R) -> R:
        """Return a record in which every player has a name."""

    def go_over_to(self, record: R) -> None:
        """Go over to a game; every player gets a name."""
        super().go_over_to(self.named(record))

    @property
    def game(self) -> G:
        """The game at its current position."""
        game: G = self.record.game
        return game

    @game.setter
    def game(self, game: G) -> None:
        self.record = replace(self.record, game=game)

    @property
    def whole(self) -> R:
        """The game with the moves taken back and not replaced, so that undoing loses none."""
        return replace(self.record, game=self.game.done_again())

    @property
    def is_begun(self) -> bool:
        """Whether there is something to keep."""
        return self.game.done_again().move_count > 0

    @property
    def is_over(self) -> bool:
        """Whether the kept game has ended."""
        return self.game.done_again().side is None

    @property
    def is_players_turn(self) -> bool:
        """Whether the player moves, or the game is over."""
        return self._is_persons(self.game)

    def _is_persons(self, game: G) -> bool:
        return game.side is None or game.side in self.humans

    def begun_again(self) -> R:
        """Return a game of the same players from the same start."""
        return replace(self.record, game=self.game.begun_again())

    def resign(self) -> None:
        """End a game that is not over: the player's side, or of both the one to move, resigns."""
        side = self.game.side if len(self.humans) > 1 else next(iter(self.humans))
        assert side is not None, "the game is not over"
        self.end(self.game.resigned(side))

    def end(self, game: G) -> None:
        """Put an ended game in place, save it, and print its result."""
        self.game = game
        self.change()
        self.keep()
        self.show_how_it_stands()

    def undo(self) -> bool:
        """Take back the player's last move and all that followed; False: there is none.

        The end of a game that a player resigned follows too.
        """
        game = self.game.unsettled()
        was_settled = game is not self.game
        own = [n for n in range(game.move_count) if game.side_of(n) in self.humans]
        while own and game.move_count > own[-1] and (before := game.undo()) is not None:
            game = before
        self.game = game
        return bool(own) or was_settled

    def redo(self) -> bool:
        """Do again the moves taken back: one of the player's, and the answer to it."""
        game, is_own = self.game, False
        while not (is_own and self._is_persons(game)) and (after := game.redo()) is not None:
            is_own = is_own or game.side_of(game.move_count) in self.humans
            game = after
        is_changed = game is not self.game
        self.game = game
        return is_changed
