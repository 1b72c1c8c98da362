"""A game at the terminal from its first line to the last: the words that all games have.

A mistake costs one line, and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from shlex import quote
from typing import Generic, NoReturn, TypeVar

from master.cli.errors import CommandError, ExitCode
from master.cli.output import echo
from master.cli.playing.game_session import GameSession
from master.cli.playing.play_terminal import Leave, completion, forgive_encoding, typed_path
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


def play(session: GameSession[R], commands: Commands) -> NoReturn:
    """Play until the player leaves, or the game ends the session.

    Raises:
        Leave: always, in the end.
    """
    player = Player(session, commands)
    session.go_over_to(session.record)
    while True:
        if session.waits_for or session.is_players_turn:
            player.act()
        else:
            session.go_on()


def play_at_terminal(session: GameSession[R], commands: Commands, command: str) -> NoReturn:
    """Play at the terminal, save for the last time, and say how to go on.

    Args:
        session: of the game.
        command set: its own words.
        command: the command that continues the game, without the file.

    Raises:
        SystemExit: always, in the end.
        CommandError: the game cannot be saved.
    """
    forgive_encoding()
    code = ExitCode.OK
    try:
        with completion(session.moves):
            play(session, commands)
    except Leave as leave:
        code = leave.code
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    echo("")
    if session.is_begun:
        try:
            path = session.save()
        except RecordError as error:
            text = f"the {commands.thing} is not saved: {error}"
            raise CommandError(text, ExitCode.STORAGE) from error
        way = "" if session.is_over else f"; go on with: {command} {quote(str(path))}"
        echo(f"Saved as {path}{way}")
    raise SystemExit(code)


class Player(Generic[R]):
    """The player at the keyboard."""

    def __init__(self, session: GameSession[R], commands: Commands) -> None:
        """Prepare for a session, with the words of its game."""
        self._session = session
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
            alone(("board", "show"), self._session.draw, Row("board", "draw the board again")),
            alone(("help", "?"), lambda: echo(self._language.help)),
            alone(QUITTING, self._leave, Row("quit", f"leave; the {says.thing} is saved")),
        ]

    def act(self) -> None:
        """Read a line and carry it out."""
        if self._session.is_board_due:
            self._session.draw()
        try:
            line = self._session.ask(self._prompt())
            if self._session.waits_for and not line.strip():
                self._session.waits_for = ""
            else:
                self._language.obey(line)
        except (CommandMistake, RecordError) as mistake:
            self._session.remark(str(mistake))

    def _prompt(self) -> str:
        if self._session.waits_for:
            return f"{self._session.waits_for} has not moved; Enter lets it? "
        return self._commands.prompt()

    def _undo(self, count: int) -> None:
        if not _repeated(self._session.undo, count):
            self._session.remark("There is nothing to take back.")
            return
        self._session.change()

    def _redo(self, count: int) -> None:
        if not _repeated(self._session.redo, count):
            self._session.remark("There is nothing to do again.")
            return
        self._session.change()
        self._session.show_how_it_stands()

    def _save_as(self, name: str) -> None:
        path = typed_path(name) if name else None
        record = self._session.record if path else self._session.whole
        echo(f"Saved as {self._session.kept.save(record, path)}")

    def _load(self, name: str) -> None:
        if not name:
            raise CommandMistake("load which file?")
        path = typed_path(name)
        self._show_where_it_is_kept()
        self._session.go_over_to(self._session.kept.load(path))

    def _begin_again(self) -> None:
        self._show_where_it_is_kept()
        self._session.kept.begin()
        self._session.go_over_to(self._session.begun_again())

    def _show_where_it_is_kept(self) -> None:
        if self._session.is_begun and (path := self._session.keep()):
            echo(f"This {self._commands.thing} is kept in {path}")

    def _leave(self) -> None:
        raise Leave


def _repeated(step: Callable[[], bool], count: int) -> bool:
    """Repeat a step until it fails, so many times at most; return whether the first succeeded."""
    done = 0
    while done < count and step():
        done += 1
    return done > 0
