"""Words that a player types: how a line is read, and the help that lists them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

T = TypeVar("T")

LINE_CHARACTERS_MAX = 500
"""A path and a word; more is no answer to a prompt."""

UNDO_MAX = 10_000
HINTS_DEFAULT = 5
HINTS_MAX = 60
QUITTING = ("quit", "q", "exit")
"""Words that leave, also where a game asks for something else."""

_USAGE_COLUMNS = 21


class CommandMistake(ValueError):
    """A line that means nothing; the text names the expected input."""


class Row(NamedTuple):
    """A line of the help.

    Args:
        usage: the text to type.
        text: its effect.
        above: of a game's word, the word of every game that it is listed above; empty: all.
    """

    usage: str
    text: str
    above: str = ""


@dataclass(frozen=True)
class TypedWord:
    """A word, and its action.

    Args:
        names: how it may be typed, in small letters, its full name first.  One without names is
            the move: a line that begins with no other word.
        act: carries it out; its argument is the text after the word, or the whole line of a move.
        row: of the help; None: the row of another word has it.
    """

    names: tuple[str, ...]
    act: Callable[[str], None]
    row: Row | None = None


def alone(names: tuple[str, ...], act: Callable[[], None], row: Row | None = None) -> TypedWord:
    """Return a word without an argument."""

    def obey(rest: str) -> None:
        if rest:
            raise CommandMistake(f"{names[0]} stands alone: what is {rest!r}?")
        act()

    return TypedWord(names, obey, row)


def counting(
    names: tuple[str, ...],
    act: Callable[[int], None],
    usual: int,
    most: int,
    row: Row | None = None,
) -> TypedWord:
    """Return a word with an optional number from 1 to `most`; the default is `usual`."""

    def obey(rest: str) -> None:
        if rest and not (re.fullmatch("[0-9]{1,5}", rest) and 1 <= int(rest) <= most):
            raise CommandMistake(f"{names[0]} takes a number from 1 to {most}, not {rest!r}")
        act(int(rest) if rest else usual)

    return TypedWord(names, obey, row)


def hint_word(act: Callable[[int], None], text: str) -> TypedWord:
    """Return the word for hints, for games that can rank moves."""
    row = Row("hint [N]", text, above="undo")
    return counting(("hint", "h"), act, HINTS_DEFAULT, HINTS_MAX, row)


def review_word(act: Callable[[], None], text: str) -> TypedWord:
    """Return the word that lists a game's mistakes, for games that can judge moves."""
    return alone(("review",), act, Row("review", text, above="board"))


@dataclass(frozen=True)
class Commands:
    """The texts and words that a game adds to those of every game.

    Args:
        prompt: returns the prompt.
        words: the game's own.
        thing: the unit that is played and kept, "match" or "game".
        new: help text on how another one begins.
        copy: help text on how files may be named.
        other: help text on files that may be loaded.
        shorts: more names of words, and the full names of those.
        footnote: the last lines of the help.
    """

    prompt: Callable[[], str]
    words: Sequence[TypedWord]
    thing: str
    new: str
    copy: str
    other: str
    shorts: Mapping[str, str] = field(default_factory=dict)
    footnote: str = ""


class Language:
    """All words that may be typed."""

    def __init__(self, common: Sequence[TypedWord], commands: Commands) -> None:
        """Put the words of every game and those of one together."""
        words = [*common, *commands.words]
        self._acts = {name: word.act for word in words for name in word.names}
        assert len(self._acts) == sum(len(word.names) for word in words), "names are distinct"
        self._acts |= {short: self._acts[name] for short, name in commands.shorts.items()}
        (self._move,) = (word.act for word in words if not word.names)
        rows = [f"{row.usage:<{_USAGE_COLUMNS}}{row.text}" for row in _rows(common, commands.words)]
        self.help = "\n".join((*rows, *filter(None, [commands.footnote])))

    def obey(self, line: str) -> None:
        """Carry out a line.

        Raises:
            CommandMistake: it is too long, or means nothing; exceptions of an action pass through.
        """
        if len(line) > LINE_CHARACTERS_MAX:
            raise CommandMistake(f"a line has at most {LINE_CHARACTERS_MAX} characters")
        first, _, rest = line.strip().partition(" ")
        act = self._acts.get(first.lower())
        if act is None:
            self._move(line.strip())
        else:
            act(rest.strip())


def _rows(common: Iterable[TypedWord], own: Sequence[TypedWord]) -> Iterable[Row]:
    """Yield the rows of the help in order."""
    listed = [word.row for word in own if word.row is not None]
    yield from (row for row in listed if not row.above)
    for word in common:
        yield from (row for row in listed if row.above == word.names[0])
        if word.row is not None:
            yield word.row


def understood(read: Callable[[str], T], text: str) -> T:
    """Return the parsed text; a mistake in it is one of the player's."""
    try:
        return read(text)
    except ValueError as error:
        raise CommandMistake(str(error)) from None
