"""The NBoard protocol between Othello boards and engines: the meaning of a line.

Reads commands, keeps the game, and gives the replies to send at once; searching is in
nboard_thinking.py.  Source: C. Welty, "NBoard Protocol", version 2, with the lines of version 1.1
of the board (a bare square is a move).

An unknown command is ignored silently, as the protocol requires; a malformed known one gets one
`status` line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ggf import GAME_CHARACTERS_MAX, read_game
from master.games.othello.level import DEPTH_DEFAULT, DEPTH_MAX

LINE_BYTES_MAX = GAME_CHARACTERS_MAX + 100
"""`set game` and the longest game."""

STATUS_CHARACTERS_MAX = 200
"""Boards show a status on one line."""

NAME = "manyply"

_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_PING = re.compile(r"-?\d{1,18}", re.ASCII)
_BARE_MOVE = re.compile(r"(?:[a-h][1-8]|pa)(?:/.*)?", re.ASCII)


class WishKind(Enum):
    """The purpose of a search."""

    GO = "go"
    HINT = "hint"
    ANALYZE = "analyze"


@dataclass(frozen=True, slots=True)
class Wish:
    """A search that a board asks for.

    Args:
        kind: its purpose.
        boards: of the game in order, passes among them; the last one is the position.
        depth: moves to look ahead.
        move_count: of a hint: the number of best moves wanted.
    """

    kind: WishKind
    boards: tuple[OthelloBoard, ...]
    depth: int
    move_count: int = 1


@dataclass(frozen=True, slots=True)
class Session:
    """The state of the session.

    Args:
        boards: of the game in order; empty after a game that could not be read.
        depth: moves to look ahead.
    """

    boards: tuple[OthelloBoard, ...]
    depth: int = DEPTH_DEFAULT


@dataclass(frozen=True, slots=True)
class Reaction:
    """The reaction to a line.

    Args:
        session: after it.
        replies: lines to send at once.
        wish: the search to start then, if any.
        is_over: whether the board ended the session.
    """

    session: Session
    replies: tuple[str, ...] = ()
    wish: Wish | None = None
    is_over: bool = False


def new_session() -> Session:
    """Return a session before its first line: the usual start."""
    return Session((OthelloBoard.start(),))


def is_stopping(line: str) -> bool:
    """Whether a line ends the search that was running when it arrived."""
    return line.split(None, 1)[:1] in (["ping"], ["quit"])


def status_line(text: str) -> str:
    """Return a status line, always short and printable."""
    shown = "".join(sign if " " <= sign <= "~" else "?" for sign in text)
    return f"status {shown[:STATUS_CHARACTERS_MAX]}"


def receive(session: Session, line: str) -> Reaction:
    """Return the reaction to a line; never raises."""
    if len(line) > LINE_BYTES_MAX:
        return _refused(session, f"expected lines of at most {LINE_BYTES_MAX} bytes")
    word, rest = (*line.split(None, 1), "", "")[:2]
    if _BARE_MOVE.fullmatch(word.lower()):
        word, rest = "move", word
    carry_out = _COMMANDS.get(word)
    try:
        return Reaction(session) if carry_out is None else carry_out(session, rest.strip())
    except ValueError as error:
        return _refused(session, f"{word}: {error}")


def _refused(session: Session, text: str) -> Reaction:
    return Reaction(session, (status_line(text),))


def _number(text: str, what: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"expected {what}, not {text[:20]!r}")
    return int(text)


def _nboard(session: Session, rest: str) -> Reaction:
    _number(rest, "the protocol's version, such as 2")
    return Reaction(session, (f"set myname {NAME}", status_line("ready")))


def _set(session: Session, rest: str) -> Reaction:
    word, _, value = rest.partition(" ")
    if word == "depth":
        depth = _number(value.strip(), f"moves to look ahead, 1 to {DEPTH_MAX}")
        depth = min(max(depth, 1), DEPTH_MAX)
        return Reaction(replace(session, depth=depth), (f"set myname {NAME}{depth}",))
    if word == "game":
        return _set_game(session, value)
    return Reaction(session)


def _set_game(session: Session, text: str) -> Reaction:
    """After an unreadable game there is none: an answer for another position would mislead."""
    try:
        game = read_game(text)
    except ValueError as error:
        return _refused(replace(session, boards=()), f"set game: {error}")
    boards = [game.start]
    for move in game.moves:
        boards.append(boards[-1].passed() if move.square is None else boards[-1].play(move.square))
    return Reaction(replace(session, boards=tuple(boards)))


def _move(session: Session, rest: str) -> Reaction:
    """Play a move; its evaluation and time are ignored."""
    board = _position(session)
    square = rest.split("/", maxsplit=1)[0].strip().lower()
    after = board.passed() if square in {"pa", "pass"} else board.play(square)
    return Reaction(replace(session, boards=(*session.boards, after)))


def _position(session: Session) -> OthelloBoard:
    if not session.boards:
        raise ValueError("expected a game first, set game (;GM[Othello] ... ;)")
    return session.boards[-1]


def _think(session: Session, kind: WishKind, move_count: int = 1) -> Reaction:
    board = _position(session)
    if board.is_over and kind is not WishKind.ANALYZE:
        raise ValueError("the game is over")
    return Reaction(session, wish=Wish(kind, session.boards, session.depth, move_count))


def _hint(session: Session, rest: str) -> Reaction:
    return _think(session, WishKind.HINT, max(_number(rest, "how many moves, such as hint 1"), 1))


def _ping(session: Session, rest: str) -> Reaction:
    if not _PING.fullmatch(rest):
        raise ValueError(f"expected a number, not {rest[:20]!r}")
    return Reaction(session, (f"pong {rest}",))


_COMMANDS: dict[str, Callable[[Session, str], Reaction]] = {
    "nboard": _nboard,
    "set": _set,
    "move": _move,
    "hint": _hint,
    "go": lambda session, _: _think(session, WishKind.GO),
    "analyze": lambda session, _: _think(session, WishKind.ANALYZE),
    "ping": _ping,
    "learn": lambda session, _: Reaction(session, ("learned",)),
    "quit": lambda session, _: Reaction(session, is_over=True),
}
