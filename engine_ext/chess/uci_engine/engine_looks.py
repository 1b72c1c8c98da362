"""Looks at positions by programs that speak UCI, one running for each thread that asks.

Knows how a question becomes commands, and what was said an answer.  Must not know who asks.  A
program with one thread that was told to forget the game before visits the same nodes each time:
the answer is a function of the question and the program, which the digest names by its name,
version and options.
"""

from __future__ import annotations

import hashlib
import threading
import time

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import is_chess960, write_fen
from engine_ext.chess.looks.look_text import (
    LINE_MOVES_MAX,
    LookAnswer,
    LookLine,
    LookQuestion,
)
from engine_ext.chess.uci_engine.engine_lines import EngineLine, EngineReport
from engine_ext.chess.uci_engine.engine_process import EngineGoneError, EngineProcess, Greeting
from engine_ext.chess.uci_engine.engine_spec import EngineSpec
from engine_ext.control import RunControl
from engine_ext.services import DIGEST_CHARS, ContextError

VERSION = 1
"""Raised when the same commands no longer mean the same."""

POLL_S = 0.05
"""Between two looks whether the answer is wanted still."""

SILENCE_S = 120.0
"""A program that searches says something at every iteration; so long a silence is its end."""

STOP_S = 5.0
"""A search that was stopped ends within this time, or is killed."""

TRIES = 2
"""A program that ended or is silent is started again, and asked once more."""


class EngineLooks:
    """Programs of one kind.

    Args:
        spec: which.

    Attributes:
        greeting: what the program says of itself.
        digest: of its name, version and options.

    Raises:
        EngineGoneError: it does not start, or is none that speaks UCI.
        EngineOptionError: it has not such an option.
    """

    def __init__(self, spec: EngineSpec) -> None:
        self._spec = spec
        self._lock = threading.Lock()
        first = EngineProcess(spec)
        self._idle = [first]
        self.greeting = first.greeting
        self.digest = digest(first.greeting, spec)

    def look(self, question: LookQuestion, control: RunControl) -> LookAnswer | None:
        """Answer a question; None if `control` was stopped.

        Raises:
            ContextError: the program cannot be asked that.
            EngineGoneError: it ended, or was silent, as often as it was asked.
        """
        self._check(question)
        for tries_left in reversed(range(TRIES)):
            try:
                return self._look(question, control)
            except EngineGoneError as error:
                if control.is_stopped:
                    return None
                if not tries_left:
                    raise EngineGoneError(f"{self.greeting.name}: {error}") from None
        raise AssertionError("it was tried at least once")

    def _check(self, question: LookQuestion) -> None:
        if is_chess960(question.boards[0]) and "uci_chess960" not in self.greeting.options:
            raise ContextError("bad-context", f"{self.greeting.name} does not play Chess960")
        if question.line_count > 1 and "multipv" not in self.greeting.options:
            raise ContextError("bad-context", f"{self.greeting.name} tells one line alone")

    def _look(self, question: LookQuestion, control: RunControl) -> LookAnswer | None:
        process = self._take()
        try:
            report = _ask(process, question, control)
            found = None if report is None else _answer(question, report)
        except BaseException:
            process.kill()
            raise
        with self._lock:
            self._idle.append(process)
        return found

    def _take(self) -> EngineProcess:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        process = EngineProcess(self._spec)
        if digest(process.greeting, self._spec) != self.digest:
            process.kill()
            raise EngineGoneError(f"it has become {process.greeting.name}")
        return process

    def close(self) -> None:
        """End all programs that nobody asks."""
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.close()


def digest(greeting: Greeting, spec: EngineSpec) -> str:
    """Return what names an engine: its name, which has the version, and its options."""
    options = sorted(f"{name.lower()}={value}" for name, value in spec.options)
    text = "\n".join([f"manyply uci {VERSION}", greeting.name, *options])
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_CHARS]


def _ask(
    process: EngineProcess, question: LookQuestion, control: RunControl
) -> EngineReport | None:
    """Search; None: it was stopped."""
    start = question.boards[0]
    has_files = is_chess960(start)
    options = {"MultiPV": str(question.line_count), "UCI_Chess960": str(has_files).lower()}
    process.send("ucinewgame")
    for name, value in options.items():
        if name.lower() in process.greeting.options:
            process.send(f"setoption name {name} value {value}")
    process.settle()
    moves = _told_moves(question, has_files)
    process.send(f"position fen {write_fen(start, has_files)}{moves}")
    process.send(f"go nodes {question.nodes}")
    return _heard(process, control)


def _told_moves(question: LookQuestion, has_files: bool) -> str:
    """Return the game's moves in the program's words."""
    words = [
        _names(board, has_files)[move]
        for board, move in zip(question.boards, question.moves, strict=False)
    ]
    return "".join([" moves ", " ".join(words)]) if words else ""


def _names(board: ChessBoard, has_files: bool) -> dict[str, str]:
    """Return the program's words for legal moves, by ours, in which castling names the rook."""
    return dict(zip(board.moves(True), board.moves(has_files), strict=True))


def _heard(process: EngineProcess, control: RunControl) -> EngineReport | None:
    """Listen until the search ends."""
    report, until, is_told = EngineReport(), time.monotonic() + SILENCE_S, False
    while True:
        line = process.line(POLL_S)
        if control.is_stopped and not is_told:
            process.send("stop")
            until, is_told = time.monotonic() + STOP_S, True
        if line is None or is_told:
            if time.monotonic() > until:
                raise EngineGoneError("it is silent, or does not stop")
        else:
            until = time.monotonic() + SILENCE_S
        if line is not None and line.startswith("bestmove"):
            return None if is_told else report
        if line is not None and line.startswith("info "):
            before = report.nodes
            report.hear(line)
            control.advance(report.nodes - before)


def _answer(question: LookQuestion, report: EngineReport) -> LookAnswer:
    lines = [report.lines[rank] for rank in sorted(report.lines)][: question.line_count]
    if not lines:
        raise EngineGoneError("it ended a search without a line of play")
    board, has_files = question.boards[-1], is_chess960(question.boards[0])
    told = tuple(LookLine(line.value, _our_moves(board, line, has_files)) for line in lines)
    return LookAnswer(report.nodes, min(lines[0].depth, 999), told)


def _our_moves(board: ChessBoard, line: EngineLine, has_files: bool) -> tuple[str, ...]:
    """Return a line in our words, as far as it is one."""
    moves: list[str] = []
    for word in line.moves[:LINE_MOVES_MAX]:
        ours = {theirs: our for our, theirs in _names(board, has_files).items()}
        if word not in ours:
            break
        moves.append(ours[word])
        board = board.play(ours[word])
    if not moves:
        raise EngineGoneError(f"it said {line.moves[0][:20]!r}, which is no move here")
    return tuple(moves)
