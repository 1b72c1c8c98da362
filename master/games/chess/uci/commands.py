"""Lines of the UCI protocol, read into commands.

Source: S. Meyer-Kahlen, "Description of the universal chess interface", April 2006.  Unknown words
are ignored, whole lines of them silently; a malformed known command is answered by one line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

LINE_BYTES_MAX = 65_536
"""Ten thousand moves; no game is as long."""

MILLISECONDS_MAX = 10**10
COUNT_MAX = 10**15
"""Larger numbers are cut to this."""

_MOVE = re.compile("[a-h][1-8][a-h][1-8][qrbn]?")
_NUMBER = re.compile("[+-]?[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class Uci:
    """Name the engine and its options."""


@dataclass(frozen=True, slots=True)
class IsReady:
    """Answer `readyok`."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """The next commands belong to a new game."""


@dataclass(frozen=True, slots=True)
class SetOption:
    """Set an option; of a button the value is empty."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Position:
    """A position.

    Args:
        fen: the position before the moves; None: the usual start.
        moves: in UCI words.
    """

    fen: str | None
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Go:
    """Search within the given limits.

    Args:
        clocks_ms: the remaining time of White and Black.
        increments_ms: the time that White and Black get for a move.
        moves_to_go: until more time is added.
        move_ms: to be used exactly.
        depth: plies.
        nodes: in all.
        mate: moves.
        is_infinite: whether only `stop` ends it.
        is_ponder: whether the other side still thinks.
        moves: the only ones to search; empty: all.
    """

    clocks_ms: tuple[int | None, int | None] = (None, None)
    increments_ms: tuple[int, int] = (0, 0)
    moves_to_go: int | None = None
    move_ms: int | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    is_infinite: bool = False
    is_ponder: bool = False
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stop:
    """Answer now."""


@dataclass(frozen=True, slots=True)
class PonderHit:
    """The other side has played the pondered move."""


@dataclass(frozen=True, slots=True)
class Quit:
    """End."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A malformed known command.

    Args:
        text: names the expected form.
        is_position: whether the command is `position`: there is no position after it.
    """

    text: str
    is_position: bool = False


Command = Uci | IsReady | NewGame | SetOption | Position | Go | Stop | PonderHit | Quit | Broken


def read_line(line: str) -> Command | None:
    """Return the command in a line; None: it has no known one.  Never raises."""
    if len(line) > LINE_BYTES_MAX:
        text = f"expected lines of at most {LINE_BYTES_MAX} bytes"
        return Broken(text, is_position="position" in line[:LINE_BYTES_MAX].split())
    words = line.split()
    for number, word in enumerate(words):
        read = _COMMANDS.get(word)
        if read is not None:
            return read(words[number + 1 :])
    return None


def _read_option(words: Sequence[str]) -> Command:
    text = " ".join(words)
    found = re.fullmatch("name (.+?)(?: value(?: (.*))?)?", text)
    if found is None:
        return Broken("expected setoption name NAME value VALUE")
    return SetOption(found[1], found[2] or "")


def _read_position(words: Sequence[str]) -> Command:
    end = words.index("moves") if "moves" in words else len(words)
    start, moves = words[:end], tuple(words[end + 1 :])
    if start[:1] == ["startpos"]:
        return Position(None, moves)
    if start[:1] == ["fen"]:
        return Position(" ".join(start[1:]), moves)
    text = "expected position startpos or position fen FEN, then moves and the moves"
    return Broken(text, is_position=True)


@dataclass(slots=True)
class _GoWords:
    """The words of a `go` read so far."""

    numbers: dict[str, int] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    moves: list[str] = field(default_factory=list)


_FLAGS = ("infinite", "ponder")
_NUMBERS = {
    "wtime": MILLISECONDS_MAX,
    "btime": MILLISECONDS_MAX,
    "winc": MILLISECONDS_MAX,
    "binc": MILLISECONDS_MAX,
    "movetime": MILLISECONDS_MAX,
    "movestogo": COUNT_MAX,
    "depth": COUNT_MAX,
    "nodes": COUNT_MAX,
    "mate": COUNT_MAX,
}


def _read_go(words: Sequence[str]) -> Command:
    read, rest = _GoWords(), list(words)
    while rest:
        word = rest.pop(0)
        if word in _FLAGS:
            read.flags.add(word)
        elif word == "searchmoves":
            while rest and _MOVE.fullmatch(rest[0]):
                read.moves.append(rest.pop(0))
        elif word in _NUMBERS:
            value = rest.pop(0) if rest else ""
            if not _NUMBER.fullmatch(value):
                return Broken(f"expected a number after {word}, not {value[:20]!r}")
            read.numbers[word] = min(int(value), _NUMBERS[word])
    return _to_go(read)


def _to_go(read: _GoWords) -> Go:
    """Only a clock may be below zero: its time has run out."""
    numbers = read.numbers

    def at_least(name: str, least: int) -> int | None:
        return max(numbers[name], least) if name in numbers else None

    return Go(
        clocks_ms=(at_least("wtime", 0), at_least("btime", 0)),
        increments_ms=(at_least("winc", 0) or 0, at_least("binc", 0) or 0),
        moves_to_go=numbers["movestogo"] if numbers.get("movestogo", 0) > 0 else None,
        move_ms=at_least("movetime", 0),
        depth=at_least("depth", 1),
        nodes=at_least("nodes", 1),
        mate=at_least("mate", 1),
        is_infinite="infinite" in read.flags,
        is_ponder="ponder" in read.flags,
        moves=tuple(dict.fromkeys(read.moves)),
    )


_COMMANDS: dict[str, Callable[[Sequence[str]], Command | None]] = {
    "uci": lambda _: Uci(),
    "isready": lambda _: IsReady(),
    "ucinewgame": lambda _: NewGame(),
    "setoption": _read_option,
    "position": _read_position,
    "go": _read_go,
    "stop": lambda _: Stop(),
    "ponderhit": lambda _: PonderHit(),
    "quit": lambda _: Quit(),
    "debug": lambda _: None,
    "register": lambda _: None,
}
