"""The NBoard protocol between Othello boards and engines: the meaning of a line.

Reads commands, keeps the game, gives the replies to send at once, and searches.  Source:
C. Welty, "NBoard Protocol", version 2, with the lines of version 1.1 of the board (a bare square
is a move).

An unknown command is ignored silently, as the protocol requires; a malformed known one gets one
`status` line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from engine_ext.othello.answer import (
    PATTERN_SIZE,
    BoardAnswer,
    BoardQuestion,
    BoardStatus,
    Steps,
    answer,
    move_so_far,
)
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.choice import Chooser, effort_for
from engine_ext.othello.ggf import GAME_CHARACTERS_MAX, read_game
from engine_ext.othello.patterns import load_game_patterns
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


STATUS_S = 1.0
"""People read no faster."""

PASS = "PA"


@dataclass(frozen=True, slots=True)
class Watch:
    """The caller's input to a search.

    Args:
        elapsed_s: seconds since it began.
        is_stopped: whether it must end; checked some times a second.
    """

    elapsed_s: Callable[[], float]
    is_stopped: Callable[[], bool]


Lines = Generator[str, None, BoardAnswer | BoardStatus]
"""Yields lines; returns the answer, or the state at the stop."""


def thinking(wish: Wish, watch: Watch) -> Iterator[str]:
    """Search, and yield each line at once.

    Stopped, a `go` still gets the best move so far, legal in any case; hints and analyses end.
    """
    yield status_line("thinking")
    yield from {WishKind.GO: _go, WishKind.HINT: _analysed_hint, WishKind.ANALYZE: _analyze}[
        wish.kind
    ](wish, watch)
    yield status_line("ready")


def line_text(board: OthelloBoard, moves: Sequence[str]) -> str:
    """Write a line such as F5D6C3, with the passes that it implies."""
    text = ""
    for move in moves:
        if board.must_pass:
            board, text = board.passed(), text + PASS
        board, text = board.play(move), text + move.upper()
    return text


def _go(wish: Wish, watch: Watch) -> Iterator[str]:
    board = wish.boards[-1]
    moves = board.moves()
    if len(moves) < 2:
        yield f"=== {moves[0].upper() if moves else PASS}"
        return
    found = yield from _followed(_choosing(board, wish.depth), board, watch, is_reported=True)
    value = "" if found.value is None else f"{found.value:z.2f}"
    yield f"=== {move_so_far(board, found).upper()}/{value}/{watch.elapsed_s():.2f}"


def _analysed_hint(wish: Wish, watch: Watch) -> Iterator[str]:
    board = wish.boards[-1]
    is_pass = board.must_pass
    question = BoardQuestion(
        board.passed() if is_pass else board,
        wish.depth,
        is_every_move_asked=wish.move_count > 1 and not is_pass,
    )
    asked = question.board
    found = yield from _followed(answer(question), asked, watch, is_reported=not is_pass)
    if not isinstance(found, BoardAnswer):
        return
    depth = "100%" if found.is_exact else str(wish.depth)
    if is_pass:
        yield f"search {PASS}{line_text(question.board, found.pv)} {-found.value:z.2f} 0 {depth}"
        return
    values = [value for _, value in found.moves] or [found.value]
    for value, line in zip(values[: wish.move_count], found.lines or [found.pv], strict=False):
        yield f"search {line_text(board, line)} {value:z.2f} 0 {depth}"


def _analyze(wish: Wish, watch: Watch) -> Iterator[str]:
    """Analyse the game from its end backwards, as people search for the losing move."""
    for number, board in reversed(list(enumerate(wish.boards))):
        if board.is_over:
            yield f"analysis {number} {board.final_score:z.2f}"
            continue
        asked = board.passed() if board.must_pass else board
        steps = answer(BoardQuestion(asked, wish.depth))
        found = yield from _followed(steps, asked, watch, is_reported=False)
        if not isinstance(found, BoardAnswer):
            return
        yield f"analysis {number} {-found.value if board.must_pass else found.value:z.2f}"


def _choosing(board: OthelloBoard, depth: int) -> Steps:
    """Search for a move to play; smaller boards, which no weights are for, as for a hint."""
    if board.size != PATTERN_SIZE:
        return answer(BoardQuestion(board, depth))
    return Chooser(load_game_patterns(), effort_for(depth)).steps(board)


def _followed(steps: Steps, board: OthelloBoard, watch: Watch, is_reported: bool) -> Lines:
    """Search a board until done or stopped; yield lines about iterations, at times about speed."""
    reported_depth, reported_s = 0, 0.0
    while True:
        try:
            status = next(steps)
        except StopIteration as end:
            found: BoardAnswer = end.value
            yield f"nodestats {found.nodes} {watch.elapsed_s():.2f}"
            return found
        if watch.is_stopped():
            return status
        if is_reported and status.depth > reported_depth and status.value is not None and status.pv:
            reported_depth = status.depth
            line = line_text(board, status.pv)
            yield f"search {line} {status.value:z.2f} 0 {reported_depth}"
        if watch.elapsed_s() - reported_s >= STATUS_S:
            reported_s = watch.elapsed_s()
            yield status_line(status.phase)
            yield f"nodestats {status.nodes} {reported_s:.2f}"
