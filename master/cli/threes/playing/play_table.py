"""A game of Threes! at the terminal: the person's moves, and those that the engine makes."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from engine_ext.threes.context import SEED_MAX
from engine_ext.threes.engine import MOVES_MAX
from master.cli.output import echo
from master.cli.playing.game_file import GameFile
from master.cli.playing.picture import Picture
from master.cli.playing.play_terminal import Leave, ask
from master.cli.playing.table import Table
from master.cli.terminal import can_redraw
from master.cli.threes.playing.play_advisor import ThreesAdvisor
from master.cli.threes.playing.play_screen import Pace, game_lines, result_lines, watched_lines
from master.games.spans import Line
from master.games.threes.record import LETTER_OF, ThreesRecord


def random_seed() -> int:
    """Return a seed by chance."""
    return secrets.randbelow(SEED_MAX + 1)


@dataclass(frozen=True, slots=True)
class ThreesSettings:
    """How games are played.

    Args:
        name: of the person.
        is_watching: whether the engine plays to the end, and the table is left then.
    """

    name: str = ""
    is_watching: bool = False


class ThreesTable(Table[ThreesRecord]):
    """A table with a board of Threes!."""

    def __init__(
        self,
        record: ThreesRecord,
        settings: ThreesSettings,
        advisor: ThreesAdvisor,
        kept: GameFile[ThreesRecord],
        ask: Callable[[str], str] = ask,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare the table.

        Args:
            record, kept, ask: as of any table.
            settings: how games are played.
            advisor: values moves.
            clock: returns seconds.
        """
        self.picture = Picture()
        super().__init__(record, kept, self.picture.asking(ask))
        self.clock = clock
        self.pace: Pace | None = None
        """Of the engine while it makes moves."""
        self.settings = settings
        self.advisor = advisor
        self.is_watching = settings.is_watching
        self.moves_due = MOVES_MAX if settings.is_watching else 0
        """How many the engine is still to make."""

    @property
    def whole(self) -> ThreesRecord:
        """The game with the moves taken back and not replaced, so that undoing loses none."""
        return self.record.done_again()

    @property
    def is_begun(self) -> bool:
        """Whether there is something to keep."""
        return bool(self.whole.moves)

    @property
    def is_over(self) -> bool:
        """Whether the kept game has ended."""
        return self.whole.game.is_over

    @property
    def is_persons_turn(self) -> bool:
        """Whether the person has a choice: the engine is to make no move."""
        return not self.moves_due

    def begun_again(self) -> ThreesRecord:
        """Return a game of another seed, and print that seed."""
        return new_game(None)

    def show_how_it_stands(self) -> None:
        """Show how the game ended."""
        if self.record.game.is_over:
            self.draw()

    def undo(self) -> bool:
        """Take the last move back; False: there is none."""
        return self._go_to(self.record.undo())

    def redo(self) -> bool:
        """Do the next move again that was taken back; False: there is none."""
        return self._go_to(self.record.redo())

    def _go_to(self, record: ThreesRecord | None) -> bool:
        if record is not None:
            self.record = record
        return record is not None

    def go_on(self) -> None:
        """Let the engine make its moves; Leave when a game that was watched is over."""
        try:
            while self.moves_due and not self.record.game.is_over:
                self._engine_moves()
        except KeyboardInterrupt:
            self._hand_over()
            self.draw()
            self.remark("Stopped.")
            return
        is_leaving = self.record.game.is_over and self.is_watching
        self.show_how_it_stands()
        self._hand_over()
        if is_leaving:
            raise Leave

    def _engine_moves(self) -> None:
        """Make a move, and show it if it is time for that."""
        if self.pace is None:
            self.pace = Pace(self.clock())
            self.picture.show_cursor(is_shown=False)
        choice = self.advisor.choose(self.record.game)
        self.record = self.record.played(LETTER_OF[choice])
        self.moves_due -= 1
        self.change()
        due = self.pace.moved(self.clock())
        if due.is_keeping:
            self.keep()
        if due.is_drawing and can_redraw():
            self.picture.draw(self.board_lines(), is_cut=True)

    def _hand_over(self) -> None:
        """Save the engine's moves; the next move is the person's."""
        if self.pace is not None:
            self.picture.show_cursor(is_shown=True)
        self.moves_due, self.is_watching, self.pace = 0, False, None
        self.keep()

    def do(self, letters: str) -> str:
        """Make moves one after the other until one is illegal; return those not made, and save."""
        rest = letters
        while rest:
            try:
                self.record = self.record.played(rest[0])
            except ValueError:
                break
            rest = rest[1:]
        if rest != letters:
            self.change()
            self.keep()
            self.show_how_it_stands()
        return rest

    def draw(self) -> None:
        """Draw the board, over the last one if the terminal still shows it."""
        self.picture.draw(self.board_lines())
        self.is_board_due = False

    def remark(self, text: str) -> None:
        """Print a remark about a mistake in the typed line, over that line."""
        self.picture.remark(text)

    def board_lines(self) -> list[Line]:
        """Draw the board, while the engine is watched how it gets on, and how the game ended."""
        record, name = self.record, self.settings.name
        if self.pace is None or not can_redraw():
            lines = game_lines(record, name)
        else:
            lines = watched_lines(record, name, self.pace, self.advisor.shares())
        return [*lines, *result_lines(record)] if record.game.is_over else lines

    def moves(self) -> tuple[str, ...]:
        """Return the legal moves, which the line editor may list below the board."""
        self.picture.leave()
        return self.record.board.moves()


def new_game(seed: int | None) -> ThreesRecord:
    """Return a game of a seed, or of one by chance, and print the seed."""
    chosen = random_seed() if seed is None else seed
    echo(f"Seed {chosen}")
    return ThreesRecord(chosen)
