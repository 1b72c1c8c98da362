"""Looks at positions by UCI programs; each calling thread has its own running program.

A program with one thread visits the same nodes each time if `ucinewgame` clears its tables.  Then
the answer depends only on the question and the program.  The digest contains the program's name,
version and options.

Some programs ignore limits.  So this module counts nodes and stops a program at its limit.  Only
output within the limit counts; the moment of the stop does not matter.  A test at the start finds
programs that ignore `nodes` altogether.  These also get a depth, because without one they would
never end in positions with one forced move or a mate.  Another test finds programs that do not
clear their tables.  These are restarted for each question.  The clock only ends programs that are
silent.
"""

from __future__ import annotations

import hashlib
import os
import signal
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import START, is_chess960, read_fen, write_fen
from engine_ext.chess.probes.answer_validation import validate_line, validate_lines
from engine_ext.chess.probes.probe_text import (
    LINE_MOVES_MAX,
    ProbeAnswer,
    ProbeAnswerError,
    ProbeLine,
    ProbeQuestion,
)
from engine_ext.chess.uci_engine.engine_lines import EngineReport
from engine_ext.chess.uci_engine.engine_process import (
    POLL_S,
    EngineGoneError,
    EngineProcess,
    EngineUnwantedError,
    Greeting,
    end_programs,
    terminate,
)
from engine_ext.chess.uci_engine.engine_spec import EngineSpec
from engine_ext.contexts import DIGEST_CHARS, ContextError
from engine_ext.control import RunControl

VERSION = 1
"""Raised when the same commands no longer mean the same."""

SILENCE_S = 120.0
"""A searching program writes a line at each iteration; without one for this time it has failed."""

NODES_PER_S_MIN = 1_000
"""A slower program is stopped, so every search ends."""

STOP_S = 2.0
"""A stopped search must end within this time; otherwise the program is ended."""

TRIES = 2
"""A program that ended or is silent is restarted, and gets the question once more."""

TRIAL_NODES = 1
TRIAL_NODES_MAX = 50_000
"""Programs that obey the limit visit some hundreds; they look at their clock every few thousand."""

MEMORY_NODES = 10_000
MEMORY_FEN = "rnbqkbnr/ppp2ppp/3p4/4P3/4P1b1/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 4"
"""Searched before and after the start position: Glaurung 2.2 finds something else then."""

TRIAL_S = 20.0
"""The trial takes as long at most: some programs read their nets at the first search."""

DEPTH_FOR_ALL = 60
"""For programs that ignore `nodes`: they reach it only in positions without a choice."""


SYZYGY_PATH = "syzygypath"
"""The option for the folders of endgame tables, in lower case."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a search may last.

    Args:
        silence_s: without a line.
        all_s: in all.
    """

    silence_s: float
    all_s: float


class EngineProbes:
    """Programs of one kind.

    Args:
        spec: the program and its options.

    Attributes:
        greeting: the program's name and options.
        digest: of its name, version and options.
        title: the same for people: `Stockfish 15.1, Hash 64`.

    Raises:
        EngineGoneError: it does not start, or does not speak UCI.
        EngineOptionError: it has no such option.
    """

    def __init__(self, spec: EngineSpec) -> None:
        self._spec = spec
        self._lock = threading.Lock()
        self._busy: set[EngineProcess] = set()
        self._idle: list[EngineProcess] = []
        self._is_closed = False
        first = EngineProcess(spec)
        self.greeting = first.greeting
        self.digest = digest(first.greeting, spec)
        self.title = title(first.greeting, spec)
        self._busy.add(first)
        self._forgets = True
        try:
            self._minds_nodes = self._try(first)
            self._forgets = self._is_forgetful()
            if not self._forgets:
                self._end_idle()
        except EngineGoneError as error:
            name = first.greeting.name
            raise EngineGoneError(f"{name} does not search: {error}") from None

    def _is_forgetful(self) -> bool:
        """Find out whether a program's first search and a later one give the same result."""
        self._end_idle()
        asked, patience = read_fen(MEMORY_FEN), Patience(TRIAL_S, TRIAL_S)
        found = []
        for board in (asked, read_fen(START), asked):
            question = ProbeQuestion("", (board,), (), MEMORY_NODES)
            report = self._probe(question, RunControl(), patience, is_new=False)
            found.append((report.lines, report.line_nodes, report.best))
        return found[0] == found[-1]

    def _try(self, process: EngineProcess) -> bool:
        """Find out whether a program obeys `nodes`; then it is ready for a look, or has ended."""
        asked = ProbeQuestion("", (read_fen(START),), (), TRIAL_NODES)
        report, patience = EngineReport(TRIAL_NODES_MAX), Patience(TRIAL_S, TRIAL_S)
        try:
            _ask(process, asked, "go nodes 1")
            is_stopped, has_ended = _hear(process, report, RunControl(), patience)
        except BaseException:
            self._put_down(process, is_fit=False)
            raise
        self._put_down(process, is_fit=has_ended)
        return not is_stopped

    def probe(
        self, question: ProbeQuestion, control: RunControl, silence_s: float = SILENCE_S
    ) -> ProbeAnswer | None:
        """Answer a question; None if `control` was stopped.

        Args:
            question: the position and the limits.
            control: of the work.
            silence_s: a program without output for this time is stopped.

        Raises:
            ContextError: the program does not support the question.
            EngineGoneError: it ended, or was silent, at every try.
        """
        self._check(question)
        patience = Patience(silence_s, silence_s + question.nodes / NODES_PER_S_MIN)
        for tries_left in reversed(range(TRIES)):
            try:
                is_new = tries_left < TRIES - 1
                report = self._probe(question, control, patience, is_new=is_new)
                return None if control.is_stopped else _answer(question, report)
            except EngineUnwantedError:
                return None
            except EngineGoneError as error:
                if control.is_stopped:
                    return None
                if not tries_left:
                    raise EngineGoneError(f"{self.greeting.name}: {error}") from None
        raise AssertionError("it was tried at least once")

    def _check(self, question: ProbeQuestion) -> None:
        if is_chess960(question.boards[0]) and "uci_chess960" not in self.greeting.options:
            raise ContextError("bad-context", f"{self.greeting.name} does not play Chess960")
        if question.line_count > 1 and "multipv" not in self.greeting.options:
            raise ContextError("bad-context", f"{self.greeting.name} tells one line alone")

    def _probe(
        self, question: ProbeQuestion, control: RunControl, patience: Patience, *, is_new: bool
    ) -> EngineReport:
        """Search, on request with a newly started program."""
        process, has_ended = self._take(control, is_new=is_new), False
        nodes = question.nodes
        most = question.depth or (0 if self._minds_nodes else DEPTH_FOR_ALL)
        depth = f"depth {most} " if most else ""
        report = EngineReport(2 * nodes + TRIAL_NODES_MAX if self._minds_nodes else nodes)
        try:
            _ask(process, question, f"go {depth}nodes {nodes}", control)
            _, has_ended = _hear(process, report, control, patience)
        finally:
            self._put_down(process, is_fit=has_ended)
        return report

    def _take(self, control: RunControl, *, is_new: bool) -> EngineProcess:
        with self._lock:
            if self._is_closed:
                raise EngineGoneError("the end has come")
            if self._idle and not is_new:
                process = self._idle.pop()
                self._busy.add(process)
                return process
        process = EngineProcess(self._spec, control)
        with self._lock:
            self._busy.add(process)
            is_closed = self._is_closed
        if is_closed or digest(process.greeting, self._spec) != self.digest:
            self._put_down(process, is_fit=False)
            raise EngineGoneError(f"it has become {process.greeting.name}")
        return process

    def _put_down(self, process: EngineProcess, *, is_fit: bool) -> None:
        """Keep a program for the next look; end one that may still be at the last."""
        with self._lock:
            self._busy.discard(process)
            if is_fit and self._forgets and not self._is_closed:
                self._idle.append(process)
                return
        end_programs([process], is_asked=is_fit)

    def kill(self) -> None:
        """Kill all programs: this process ends at once."""
        for process in [*self._busy, *self._idle]:
            process.signal(signal.SIGKILL)

    def close(self) -> None:
        """End all programs, and have none started any more; threads that wait for one return."""
        with self._lock:
            self._is_closed = True
            busy = list(self._busy)
        terminate(busy)
        self._end_idle()

    def _end_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        end_programs(idle, is_asked=True)


def _differing(greeting: Greeting, spec: EngineSpec) -> list[tuple[str, str]]:
    """Return the options that are set to something else than their defaults."""
    return [
        (option.name, value)
        for option, value in greeting.settings(spec.options)
        if value != option.default
    ]


def digest(greeting: Greeting, spec: EngineSpec) -> str:
    """Return an engine's digest: of its name with the version, and of its options.

    Of endgame tables the files count, not their folder: machines may have them in different ones.
    """
    options = sorted(
        f"{name.lower()}={_tables(value) if name.lower() == SYZYGY_PATH else value}"
        for name, value in _differing(greeting, spec)
    )
    text = "\n".join([f"manyply uci {VERSION}", greeting.name, *options])
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_CHARS]


def _tables(path: str) -> str:
    """Return the names and sizes of the endgame tables in the folders of a path."""
    files = {
        f"{file.name}:{file.stat().st_size}"
        for folder in path.split(os.pathsep)
        for pattern in ("*.rtbw", "*.rtbz")
        for file in Path(folder).glob(pattern)
    }
    return ",".join(sorted(files))


def title(greeting: Greeting, spec: EngineSpec) -> str:
    """Return an engine's name for people: `Stockfish 15.1, Hash 64`."""
    chosen = {name.lower() for name, _ in spec.options}
    options = [
        f"{name} {value}".strip()
        for name, value in _differing(greeting, spec) if name.lower() in chosen
    ]  # fmt: skip
    return ", ".join([greeting.name, *options])


def _ask(
    process: EngineProcess, question: ProbeQuestion, go: str, control: RunControl | None = None
) -> None:
    """Begin a search."""
    start = question.boards[0]
    has_files = is_chess960(start)
    options = {"MultiPV": str(question.line_count), "UCI_Chess960": str(has_files).lower()}
    process.send("ucinewgame")
    for name, value in options.items():
        if name.lower() in process.greeting.options:
            process.send(f"setoption name {name} value {value}")
    process.settle(control)
    moves = _searchmoves(question, has_files)
    process.send(f"position fen {write_fen(start, has_files)}{moves}")
    process.send(go)


def _searchmoves(question: ProbeQuestion, has_files: bool) -> str:
    """Return the game's moves in the program's words."""
    words = [
        _names(board, has_files)[move]
        for board, move in zip(question.boards, question.moves, strict=False)
    ]
    return "".join([" moves ", " ".join(words)]) if words else ""


def _names(board: ChessBoard, has_files: bool) -> dict[str, str]:
    """Return the program's words for legal moves, by ours, in which castling names the rook."""
    return dict(zip(board.moves(True), board.moves(has_files), strict=True))


def _hear(
    process: EngineProcess, report: EngineReport, control: RunControl, patience: Patience
) -> tuple[bool, bool]:
    """Read the program's lines until the search ends, or is given up.

    Returns:
        Whether the search was stopped for any reason, and whether it has ended: if not, the program
        ignores the stop.

    Raises:
        EngineGoneError: the program has ended, or sent no usable answer.
    """
    now = time.monotonic()
    heard_at, ends_at, stopped_at = now, now + patience.all_s, float("inf")
    while True:
        line, now = process.line(POLL_S), time.monotonic()
        if line is not None:
            heard_at, before = now, report.nodes
            if line.startswith(("info ", "bestmove")):
                report.hear(line)
                control.advance(report.nodes - before)
            if line.startswith("bestmove"):
                return stopped_at <= now, True
        is_late = now - heard_at > patience.silence_s or now > ends_at
        if stopped_at > now and (control.is_stopped or report.is_enough or is_late):
            process.send("stop")
            stopped_at = now
        elif now - stopped_at > STOP_S:
            if not (report.lines or control.is_stopped):
                raise EngineGoneError("it is silent, and does not stop")
            return True, False


def _answer(question: ProbeQuestion, report: EngineReport) -> ProbeAnswer:
    """Return the answer, as far as the program sent it."""
    board, has_files = question.boards[-1], is_chess960(question.boards[0])
    reported_lines: list[ProbeLine] = []
    for rank in sorted(report.lines)[: question.line_count]:
        line = report.lines[rank]
        if moves := _our_moves(board, line.moves, has_files):
            reported_lines.append(_believed(board, ProbeLine(line.value, moves)))
    if not reported_lines and (moves := _our_moves(board, (report.best,), has_files)):
        reported_lines.append(_believed(board, ProbeLine(report.value, moves)))
    depth = report.lines[min(report.lines)].depth if report.lines else 0
    while True:
        answer = ProbeAnswer(report.counted_nodes, min(depth, 999), tuple(reported_lines))
        try:
            validate_lines(question, answer)
        except ProbeAnswerError:
            reported_lines.pop()  # lines that contradict those before them
        else:
            return answer


def _believed(board: ChessBoard, line: ProbeLine) -> ProbeLine:
    """Return a line, without its value if the position cannot have it: a false mate."""
    try:
        validate_line(board, line)
    except ProbeAnswerError:
        return ProbeLine(None, line.moves)
    return line


def _our_moves(board: ChessBoard, words: tuple[str, ...], has_files: bool) -> tuple[str, ...]:
    """Return a line in our words, as far as it is one."""
    moves: list[str] = []
    for word in words[:LINE_MOVES_MAX]:
        ours = {theirs: our for our, theirs in _names(board, has_files).items()}
        if word not in ours:
            break
        moves.append(ours[word])
        board = board.play(ours[word])
    return tuple(moves)
