"""A game at the terminal from its first line to the last: the words that all games have.

A mistake costs one line, and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from shlex import quote
from typing import Generic, NoReturn, TypeVar

from master.cli.errors import CommandError, ExitCode
from master.cli.output import echo
from master.cli.playing.play_terminal import Leave, completion, forgive_encoding, typed_path
from master.cli.playing.table import Table
from master.cli.playing.words import (
    QUITTING,
    UNDO_MAX,
    CommandMistake,
    Commands,
    Language,
    Row,
    TypedWord,
    alone,
    counting,
)
from master.games.errors import RecordError

R = TypeVar("R")


def play(table: Table[R], commands: Commands) -> NoReturn:
    """Play until the player leaves, or the game ends the session.

    Raises:
        Leave: always, in the end.
    """
    player = Player(table, commands)
    table.go_over_to(table.record)
    while True:
        if table.waits_for or table.is_persons_turn:
            player.act()
        else:
            table.go_on()


def sit_down(table: Table[R], commands: Commands, command: str) -> NoReturn:
    """Play at the terminal, save for the last time, and say how to go on.

    Args:
        table: of the game.
        command set: its own words.
        command: the command that continues the game, without the file.

    Raises:
        SystemExit: always, in the end.
        CommandError: the game cannot be saved.
    """
    forgive_encoding()
    code = ExitCode.OK
    try:
        with completion(table.moves):
            play(table, commands)
    except Leave as leave:
        code = leave.code
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    echo("")
    if table.is_begun:
        try:
            path = table.kept.save(table.whole)
        except RecordError as error:
            text = f"the {commands.thing} is not saved: {error}"
            raise CommandError(text, ExitCode.STORAGE) from error
        way = "" if table.is_over else f"; go on with: {command} {quote(str(path))}"
        echo(f"Saved as {path}{way}")
    raise SystemExit(code)


class Player(Generic[R]):
    """The player at the keyboard."""

    def __init__(self, table: Table[R], commands: Commands) -> None:
        """Prepare for a table, with the words of its game."""
        self._table = table
        self._commands = commands
        self._language = Language(self._words(), commands)

    def _words(self) -> list[TypedWord]:
        """Return the words of every game, in the order of the help."""
        says = self._commands
        undo = Row("undo [N], redo [N]", "take back, or do again")
        return [
            counting(("undo", "u"), self._undo, 1, UNDO_MAX, undo),
            counting(("redo",), self._redo, 1, UNDO_MAX),
            TypedWord(("save",), self._save_as, Row("save FILE", f"write a copy, {says.copy}")),
            TypedWord(("load",), self._load, Row("load FILE", f"open another {says.other}")),
            alone(("new",), self._begin_again, Row("new", says.new)),
            alone(("board", "show"), self._table.draw, Row("board", "draw the board again")),
            alone(("help", "?"), lambda: echo(self._language.help)),
            alone(QUITTING, self._leave, Row("quit", f"leave; the {says.thing} is saved")),
        ]

    def act(self) -> None:
        """Read a line and carry it out."""
        if self._table.is_board_due:
            self._table.draw()
        try:
            line = self._table.ask(self._prompt())
            if self._table.waits_for and not line.strip():
                self._table.waits_for = ""
            else:
                self._language.obey(line)
        except (CommandMistake, RecordError) as mistake:
            self._table.remark(str(mistake))

    def _prompt(self) -> str:
        if self._table.waits_for:
            return f"{self._table.waits_for} has not moved; Enter lets it? "
        return self._commands.prompt()

    def _undo(self, count: int) -> None:
        if not _repeated(self._table.undo, count):
            self._table.remark("There is nothing to take back.")
            return
        self._table.change()

    def _redo(self, count: int) -> None:
        if not _repeated(self._table.redo, count):
            self._table.remark("There is nothing to do again.")
            return
        self._table.change()
        self._table.show_how_it_stands()

    def _save_as(self, name: str) -> None:
        path = typed_path(name) if name else None
        record = self._table.record if path else self._table.whole
        echo(f"Saved as {self._table.kept.save(record, path)}")

    def _load(self, name: str) -> None:
        if not name:
            raise CommandMistake("load which file?")
        path = typed_path(name)
        self._show_where_it_is_kept()
        self._table.go_over_to(self._table.kept.load(path))

    def _begin_again(self) -> None:
        self._show_where_it_is_kept()
        self._table.kept.begin()
        self._table.go_over_to(self._table.begun_again())

    def _show_where_it_is_kept(self) -> None:
        if self._table.is_begun and (path := self._table.keep()):
            echo(f"This {self._commands.thing} is kept in {path}")

    def _leave(self) -> None:
        raise Leave


def _repeated(step: Callable[[], bool], count: int) -> bool:
    """Repeat a step until it fails, so many times at most; return whether the first succeeded."""
    done = 0
    while done < count and step():
        done += 1
    return done > 0
