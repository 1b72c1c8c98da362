"""What people write to name a program that speaks UCI, and its options.

Knows the text.  Must not start anything, nor know which options a program has.
"""

from __future__ import annotations

import shlex
import shutil
from dataclasses import dataclass

EXPECTED = "expected COMMAND[,OPTION=VALUE]..., such as stockfish,Hash=64"

GAMES_PATH = "/usr/games:/usr/local/games"
"""Where Debian has chess engines: in the PATH of people, but not of services."""

OWN_OPTIONS = frozenset({
    "threads", "number of threads", "multipv", "ponder", "ownbook", "uci_chess960",
    "uci_analysemode",
})  # fmt: skip
"""Of these the one thread of a look, and what is asked, decide; in small letters."""


class EngineSpecError(ValueError):
    """A text that names no engine; one line that says what was expected."""


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """A program and what it is to be told.

    Args:
        command: the program's place, and its arguments.
        options: (name, value) in the order given; a name is there once.
    """

    command: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()


def read_spec(text: str) -> EngineSpec:
    """Return what a text names.

    Raises:
        EngineSpecError: it names nothing, or a program that is not there.
    """
    command, *words = text.split(",")
    try:
        program, *arguments = shlex.split(command)
    except ValueError:
        raise EngineSpecError(f"{text!r}: {EXPECTED}") from None
    place = shutil.which(program) or shutil.which(program, path=GAMES_PATH)
    if place is None:
        raise EngineSpecError(f"there is no program {program!r}: {EXPECTED}")
    options = tuple(map(_read_option, words))
    names = [name.lower() for name, _ in options]
    if len(set(names)) < len(names):
        raise EngineSpecError(f"{text!r} gives an option twice")
    return EngineSpec((place, *arguments), options)


def _read_option(word: str) -> tuple[str, str]:
    name, sign, value = word.partition("=")
    name, value = name.strip(), value.strip()
    if not name or not sign or not (name + value).isprintable():
        raise EngineSpecError(f"{word!r} is no option: {EXPECTED}")
    if name.lower() in OWN_OPTIONS:
        raise EngineSpecError(f"{name} is not for you to set: a look has one thread and no book")
    return name, value
