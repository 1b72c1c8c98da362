"""Words that a player types, of any game.

Knows words, counts and what a line may be.  Must not know what the words of a game mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from enum import Enum
from typing import TypeVar

W = TypeVar("W", bound=Enum)

LINE_CHARACTERS_MAX = 500  # a path and a word; more is no answer to a prompt
UNDO_MAX = 10_000
HINTS_DEFAULT = 5
HINTS_MAX = 60


class CommandMistake(ValueError):
    """A line that means nothing; the text says what was expected."""


def read_word(line: str, words: Mapping[str, W], plain: Set[W]) -> tuple[W | None, str]:
    """Return a line's first word and the rest; None and the whole line if it is no known word.

    Args:
        line: as typed.
        words: what may be typed, in small letters.
        plain: those that stand alone.

    Raises:
        CommandMistake: the line is too long, or something is behind a word that stands alone.
    """
    if len(line) > LINE_CHARACTERS_MAX:
        raise CommandMistake(f"a line has at most {LINE_CHARACTERS_MAX} characters")
    first, _, rest = line.strip().partition(" ")
    word, rest = words.get(first.lower()), rest.strip()
    if word is None:
        return None, line.strip()
    if rest and word in plain:
        raise CommandMistake(f"{word.value} stands alone: what is {rest!r}?")
    return word, rest


def read_count(word: str, text: str, default: int, most: int) -> int:
    """Return the number behind a command; CommandMistake for one that is not 1 to `most`."""
    if not text:
        return default
    if not re.fullmatch("[0-9]{1,5}", text) or not 1 <= int(text) <= most:
        raise CommandMistake(f"{word} takes a number from 1 to {most}, not {text!r}")
    return int(text)
