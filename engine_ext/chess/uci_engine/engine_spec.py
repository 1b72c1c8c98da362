"""The text by which users name a UCI program and its options.

This module starts no program and does not check its options.
"""

from __future__ import annotations

import shlex
import shutil
from dataclasses import dataclass

EXPECTED = "expected uci:COMMAND[,OPTION=VALUE]..., such as uci:stockfish,Hash=64"

GAMES_PATH = "/usr/games:/usr/local/games"
"""Debian's folder of chess engines: it is in the PATH of users, but not of services."""

OWN_OPTIONS = frozenset({
    "threads", "number of threads", "multipv", "ponder", "ownbook", "uci_chess960",
    "uci_analysemode",
})  # fmt: skip
"""Options that users cannot set: a look and its question decide them; in lower case."""


class EngineSpecError(ValueError):
    """A text that names no engine; one line that names the expected form."""


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """A program and its options.

    Args:
        command: the program's place, and its arguments.
        options: (name, value) in the order given; a name is there once.
    """

    command: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()


def read_spec(text: str) -> EngineSpec:
    """Return the program and options of a text.

    Raises:
        EngineSpecError: it names nothing, or a missing program.
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
