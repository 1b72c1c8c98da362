"""A game at the terminal from its first line to the last, and its exit code."""

from __future__ import annotations

from shlex import quote
from typing import NoReturn, TypeVar

from master.cli.errors import CommandError, ExitCode
from master.cli.output import echo
from master.cli.playing.person import Person
from master.cli.playing.play_terminal import Leave, completion, forgive_encoding
from master.cli.playing.table import Table
from master.cli.playing.words import Commands
from master.games.errors import RecordError

R = TypeVar("R")


def play(table: Table[R], commands: Commands) -> NoReturn:
    """Play until the person leaves, or the game ends the sitting.

    Raises:
        Leave: always, in the end.
    """
    person = Person(table, commands)
    table.go_over_to(table.record)
    while True:
        if table.waits_for or table.is_persons_turn:
            person.act()
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
