"""`manyply uci --engine uci:COMMAND` on this machine: the program itself, watched.

Lines go through unchanged, so that the program keeps its own time and uses its own threads.  What
we add: options that were given, a check of positions (some programs end at an illegal move) and of
the program's own moves, a book, and a new start, with the same options and the same search, of a
program that has ended, is suspended or does not read its input.
"""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass, field

import click

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import is_chess960
from engine_ext.chess.uci_engine.engine_lines import EMPTY, EngineOption, EngineOptionError
from engine_ext.chess.uci_engine.engine_probes import SYZYGY_PATH
from engine_ext.chess.uci_engine.engine_process import EngineGoneError, EngineProcess
from engine_ext.chess.uci_engine.engine_spec import EngineSpec, EngineSpecError, read_spec
from master.cli.chess.probe_search import first_aid
from master.cli.chess.uci_search import END_S_MAX
from master.cli.input_lines import input_lines
from master.cli.output import echo_exactly
from master.games.chess.book.polyglot import PolyglotBook
from master.games.chess.uci.commands import (
    LINE_BYTES_MAX,
    Broken,
    Command,
    Go,
    Position,
    Quit,
    SetOption,
    Stop,
    Uci,
    read_line,
)
from master.games.chess.uci.options import Bounds
from master.games.chess.uci.session import (
    AUTHOR,
    NAME,
    Wish,
    book_lines,
    is_legal,
    new_session,
    receive,
)
from master.games.chess.uci.wording import best_move_line, message

STARTS_MAX = 2
"""Of one search: a program that ends again at the same search has a fault there."""

HEAR_S = 0.05
"""Time between two checks that the program still runs."""

LINES_WAITING_MAX = 10_000
"""A program that prints faster than the board reads is read no further until some are done."""

OURS_TOO = ("uci_chess960", "multipv")
"""Options that matter for moves of a book, or of our own engine; in lower case."""


def relay_spec(text: str) -> EngineSpec:
    """Return the program of `uci:COMMAND[,OPTION=VALUE]...`; BadParameter if there is none.

    Args:
        text: of --engine.
    """
    kind, sign, which = text.partition(":")
    if sign and kind != "uci":
        raise click.BadParameter(
            f"expected uci:COMMAND, not {text[:80]!r}", param_hint="'--engine'"
        )
    try:
        return read_spec(which if sign else text)
    except EngineSpecError as error:
        raise click.BadParameter(str(error), param_hint="'--engine'") from error


def option_line(option: EngineOption, value: str | None) -> str:
    """Return the line that declares an option; `value` replaces its default."""
    words = [f"option name {option.name} type {option.kind}"]
    default = option.default if value is None else value
    if default is not None:
        words.append(f"default {default or EMPTY}")
    bounds = (("min", option.least), ("max", option.most))
    words += [f"{name} {bound}" for name, bound in bounds if bound is not None]
    words += [f"var {choice}" for choice in option.choices]
    return " ".join(words)


@dataclass(frozen=True, slots=True)
class _Heard:
    """A line of a program; None: it has ended, for the reason in `text`."""

    process: EngineProcess
    line: str | None
    text: str = ""


@dataclass(slots=True)
class _Sent:
    """The state of the program, which a new one is given again.

    Args:
        options: lines that set them, by the option's name.
        position: the last line that set a legal one.
        go: the line of the search that runs; empty: none runs.
        starts: of new programs for that search.
        boards: of the game; the last one is searched.
        searches: how many the program was sent and has not answered.
    """

    options: dict[str, str] = field(default_factory=dict)
    position: str = "position startpos"
    go: str = ""
    starts: int = 0
    boards: tuple[ChessBoard, ...] = ()
    searches: int = 0


class EngineRelay:
    """A program between a board and us.

    Args:
        spec: the program and its options.
        book: for moves of a game by the clock; None: there is none.
        tables: folders of Syzygy tables for a program that was given none; empty: none.

    Raises:
        BadParameter: it does not start, does not speak UCI, or lacks an option.
    """

    def __init__(
        self, spec: EngineSpec, book: PolyglotBook | None = None, tables: str = ""
    ) -> None:
        self._spec = spec
        self._book = book
        self._events: queue.Queue[tuple[str, Command | None] | _Heard] = queue.Queue(
            LINES_WAITING_MAX
        )
        self._session = new_session(Bounds(1, 1))
        self._sent = _Sent()
        try:
            self._process: EngineProcess | None = self._started()
        except (EngineGoneError, EngineOptionError) as error:
            raise click.BadParameter(str(error), param_hint="'--engine'") from error
        self._greeting = self._process.greeting
        self._chosen = {
            option.name.lower(): value for option, value in self._greeting.settings(spec.options)
        }
        self._use_tables(tables)

    def _use_tables(self, tables: str) -> None:
        """Have a program that was given no endgame tables use those that are installed."""
        option = self._greeting.options.get(SYZYGY_PATH)
        if tables and option is not None and SYZYGY_PATH not in self._chosen:
            self._chosen[SYZYGY_PATH] = tables
            line = f"setoption name {option.name} value {tables}"
            self._sent.options[SYZYGY_PATH] = line
            self._send(line)

    def _started(self) -> EngineProcess:
        process = EngineProcess(self._spec)
        threading.Thread(target=self._hear, args=(process,), name="engine", daemon=True).start()
        return process

    def _hear(self, process: EngineProcess) -> None:
        """Read a program's lines to its end; runs in a thread of its own."""
        try:
            while True:
                line = process.line(HEAR_S)
                if line is not None:
                    self._events.put(_Heard(process, line))
        except (EngineGoneError, OSError, ValueError) as error:
            # OSError, ValueError: its pipe was closed, since it was ended.
            self._events.put(_Heard(process, None, str(error)))

    def run(self) -> None:
        """Carry out lines until the last."""
        threading.Thread(target=self._read, name="reader", daemon=True).start()
        try:
            while self._is_going_on(self._events.get()):
                pass
        finally:
            if self._process is not None:
                self._process.close()

    def _read(self) -> None:
        for line in input_lines(LINE_BYTES_MAX):
            self._events.put((line, read_line(line)))
        self._events.put(("quit", Quit()))

    def _is_going_on(self, event: tuple[str, Command | None] | _Heard) -> bool:
        if isinstance(event, _Heard):
            self._take(event)
            return True
        line, command = event
        match command:
            case Quit():
                self._abandon()
                return False
            case Uci():
                self._greet()
            case Position() | Broken():
                self._place(line, command)
            case Go():
                self._go(line, command)
            case Stop():
                if self._sent.go:
                    self._send(line)
            case SetOption():
                self._set(line, command)
            case _:
                self._send(line)
        return True

    def _take(self, heard: _Heard) -> None:
        """Pass a line on, or start the program again."""
        if heard.process is not self._process:
            return
        if heard.line is None:
            self._process = None
            heard.process.kill()
            _say(message(f"{self._greeting.name}: {heard.text}; it is started again"))
            if self._sent.go:
                self._send("")
            return
        if heard.line.startswith("bestmove"):
            self._end_search(heard.line)
        else:
            _say(heard.line)

    def _end_search(self, line: str) -> None:
        """Pass on the program's move; instead of an illegal one the board gets one of ours.

        A board may send `go` before the former search is answered.  Then it is not certain which
        position a move is of, and it is not checked.
        """
        sent = self._sent
        is_certain, sent.searches = sent.searches == 1, max(sent.searches - 1, 0)
        move = " ".join(line.split()[1:2])
        if is_certain and sent.boards[-1].move_count and not is_legal(sent.boards[-1], move):
            _say(message(f"{self._greeting.name}: expected a legal move, not {move[:20]!r}"))
            self._answer_alone()
            return
        if not sent.searches:
            sent.go, sent.starts = "", 0
        _say(line)

    def _greet(self) -> None:
        _say(f"id name {self._greeting.name}, by {NAME}", f"id author {AUTHOR}")
        for key, option in self._greeting.options.items():
            _say(option_line(option, self._chosen.get(key)))
        _say("uciok")

    def _set(self, line: str, command: SetOption) -> None:
        name = command.name.lower()
        if name in self._greeting.options:
            self._sent.options[name] = line
        if name in OURS_TOO:
            self._session = receive(self._session, command).session
        self._send(line)

    def _place(self, line: str, command: Command) -> None:
        """Give the program a position that is legal; of others it is told nothing."""
        reaction = receive(self._session, command)
        self._session = reaction.session
        _say(*reaction.replies)
        if isinstance(command, Position) and reaction.session.boards:
            self._sent.position = line
            self._send(line)

    def _go(self, line: str, command: Go) -> None:
        if not self._session.boards:
            _say(*receive(self._session, command).replies)
            return
        wish = Wish(self._session.boards, command, self._session.options)
        if lines := book_lines(wish, self._book):
            _say(*lines)
            return
        sent = self._sent
        sent.go, sent.starts, sent.boards = line, 0, self._session.boards
        sent.searches += 1
        self._send(line)

    def _send(self, line: str) -> None:
        """Send a line; a program that is gone is started again, and knows all before it."""
        process = self._process
        if process is not None:
            try:
                process.send(line)
            except EngineGoneError:
                process = None  # its reader reports the end
            if process is not None:
                return
        self._start_again("" if line == self._sent.go else line)

    def _start_again(self, line: str) -> None:
        """Start a new program, and have it search again if the old one did."""
        sent = self._sent
        sent.starts += 1
        try:
            if sent.go and sent.starts > STARTS_MAX:
                raise EngineGoneError("it ends at every try")
            if self._process is not None:
                self._process.kill()
            self._process = self._started()
            sent.searches = int(bool(sent.go))
            for each in (*sent.options.values(), sent.position, sent.go, line):
                if each:
                    self._process.send(each)
        except EngineGoneError as error:
            self._process = None
            _say(message(f"{self._greeting.name}: {error}"))
            if sent.go:
                self._answer_alone()

    def _answer_alone(self) -> None:
        """Answer with a move of our own engine: without one the game is lost at once."""
        sent, boards = self._sent, self._sent.boards
        sent.go, sent.starts, sent.searches = "", 0, 0
        line: tuple[str, ...] = ()
        if boards[-1].move_count:
            _say(message("the move is of manyply's own engine"))
            has_files = self._session.options.is_chess960 or is_chess960(boards[0])
            line = first_aid(boards, (), is_chess960=has_files)[2]
        _say(best_move_line(line))

    def _abandon(self) -> None:
        """Have a search answered with its best move so far."""
        if not self._sent.go:
            return
        self._send("stop")
        ends = time.monotonic() + END_S_MAX
        while self._sent.go and (left_s := ends - time.monotonic()) > 0:
            try:
                event = self._events.get(timeout=left_s)
            except queue.Empty:
                return
            if isinstance(event, _Heard):
                self._take(event)


def _say(*lines: str) -> None:
    for line in lines:
        echo_exactly(line)
