"""Shared input of games at the terminal: typed lines, completion, names of people and files."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

import click

from master.cli.errors import ExitCode
from master.cli.playing.words import CommandMistake
from protocol.guards.home_paths import home_path

NAME_CHARACTERS_MAX = 100
"""Longer ones are no names, and fill the screen."""

COUNT_COLUMNS = 30


class Leave(Exception):
    """The player ends the session.

    Args:
        code: exit code of the process; not OK: the player did not choose to leave.
    """

    def __init__(self, code: ExitCode = ExitCode.OK) -> None:
        super().__init__()
        self.code = code


def login() -> str:
    """Return the login name: the default for the player's name."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container's user without a name
        return "you"


def read_name(text: str) -> str:
    """Return a player's name; ValueError for one that spoils a screen."""
    if not (text.isprintable() and len(text) <= NAME_CHARACTERS_MAX):
        raise ValueError(f"expected up to {NAME_CHARACTERS_MAX} printable characters")
    return text


def ask(prompt: str) -> str:
    """Return the typed line; Leave at the end of input, or if a stream was closed."""
    if sys.stdin is None or sys.stdout is None:
        raise Leave
    try:
        if sys.stdin.isatty() and sys.stdout.isatty():
            return input(prompt)  # the line editor has to know the prompt
        # `input` forgets an interruption that comes while it writes the prompt.
        click.echo(prompt, nl=False)
        return input()
    except EOFError:
        raise Leave from None


def typed_path(text: str) -> Path:
    """Return the file that a player names; `~` is a home.

    Raises:
        CommandMistake: no file can have that name.
    """
    if "\0" in text:
        raise CommandMistake("a file's name cannot hold the character NUL")
    path = home_path(text)
    if text.startswith("~") and path == Path(text):
        raise CommandMistake(f"cannot find the home directory that {text} begins with")
    return path


def show_count(text: str) -> None:
    """Show the progress of long work, over the last progress; only at a terminal.

    Args:
        text: such as "move 3 of 60"; empty: it is done, and the line is cleared.
    """
    if sys.stderr is not None and sys.stderr.isatty():
        end = " " if text else "\r"
        click.echo(f"\r{text.ljust(COUNT_COLUMNS)}{end}", err=True, nl=False)


def forgive_encoding() -> None:
    """Make a byte of another encoding a typing mistake, rather than the end of the game."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


@contextmanager
def completion(moves: Callable[[], Sequence[str]]) -> Iterator[None]:
    """Let Tab complete legal moves, on a terminal with a line editor.

    Args:
        moves: returns those of the moment.
    """
    try:
        import readline  # noqa: PLC0415  # absent on some systems; then there is no completion
    except ImportError:
        yield
        return
    old, delimiters = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(
        lambda text, index: completed(moves(), readline.get_line_buffer(), index)
    )
    readline.set_completer_delims("")
    readline.parse_and_bind("tab: complete")
    try:
        yield
    finally:
        readline.set_completer(old)
        readline.set_completer_delims(delimiters)


def completed(moves: Sequence[str], line: str, index: int) -> str | None:
    """Return a move that begins with a line, the one of that index; None: there are no more."""
    chosen = [move for move in moves if move.startswith(line)]
    return chosen[index] if index < len(chosen) else None
