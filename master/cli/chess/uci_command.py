"""`manyply uci`: an engine for chess boards and match programs that speak UCI.

The module reads and prints lines and watches the time. The core (master/games/chess/uci) interprets
lines and decides when a search ends.

One thread reads, another searches (uci_search.py), and both put events in one queue. The main
thread takes them in order; it alone prints, and it looks at the clock. While a search runs, `stop`,
`ponderhit`, `isready` and `quit` take effect at once; other lines wait for its end.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections import deque

import click

from engine_ext.chess.fast.table import BYTES_MAX, FastTable
from engine_ext.search.table import KeyedTable
from master.cli.chess.arguments import (
    book_options,
    chosen_engine,
    engine_option,
    engine_text,
    is_digest,
    syzygy_option,
    usual_book,
    usual_tables,
    with_engine,
)
from master.cli.chess.probe_search import ProbeUciSearch, ProbingEngine
from master.cli.chess.uci_search import END_S_MAX, ExactUciSearch, Fleet, UciSearch
from master.cli.input_lines import input_lines
from master.cli.output import echo_exactly
from master.cli.place import Place, place_options, trust_option
from master.games.chess.book.polyglot import PolyglotBook
from master.games.chess.uci.commands import (
    LINE_BYTES_MAX,
    Command,
    IsReady,
    PonderHit,
    Quit,
    Stop,
    read_line,
)
from master.games.chess.uci.options import FAST, MEGABYTE, REPRODUCIBLE, Bounds
from master.games.chess.uci.session import Wish, book_lines, new_session, receive
from master.games.chess.uci.thinking import STATUS_EVERY_S, LostTime, Thinking
from master.games.chess.uci.wording import Effort, Iteration, message

EVENTS_WAITING_MAX = 1_000
"""A board that sends faster is read no further until some are done."""

COMMANDS_WAITING_MAX = 1_000
"""A search that does not end keeps no more lines waiting; others are refused."""

TICK_S = STATUS_EVERY_S
"""Time between two checks of the clock while nothing happens."""

SWITCH_S = 0.0005
"""A thread that wants the interpreter waits no longer; Python's 5 ms are many moves at the end."""


@click.command("uci")
@engine_option
@syzygy_option
@book_options
@trust_option
@place_options
def uci_command(
    place: Place, engine: str | None, syzygy: str | None, book: PolyglotBook | None,
    is_bookless: bool, is_trusting: bool,
) -> None:  # fmt: skip
    """Run as a UCI engine for chess boards and match programs.

    The board sends commands to standard input (uci, isready, setoption name Hash value 256,
    position startpos moves e2e4, go wtime 60000 btime 60000, stop, quit) and is answered on
    standard output. Options: Hash, Threads, MultiPV, Ponder, UCI_Chess960, UCI_ShowWDL, Move
    Overhead, Mode, and OwnBook if there is a book. The end of the input is `quit`: it ends a search
    with the best move so far.

    In the Mode `reproducible` one thread searches, and its result at a depth is always the
    same, as by `manyply search chess --mode reproducible`; `fast` plays better. Analysers
    (--workers, --analyser, --fleet) search for this board in that mode, and it is the default
    then: their result is the same too, also when some of them crash.

    With --engine another engine is used, such as uci:stockfish. Without analysers that is the
    program itself on this machine, with all its options, and it is started again if it ends.
    With --analyser, --workers or --fleet analysers search that have the same engine: the machine
    that is free and fast searches for the best move, and several machines at once for the lines of
    MultiPV and for searchmoves. Each line takes one thread.
    """
    if place.master is not None:
        raise click.UsageError(
            "a board has analysers of its own: leave out --master, use --analyser, --fleet,"
            " --workers"
        )
    if is_trusting and not place.is_here:
        raise click.UsageError("--trust is for --analyser and --fleet")
    if is_bookless and book is not None:
        raise click.UsageError("--book and --no-book contradict each other: leave out one")
    usual = None if is_bookless or book is not None else usual_book()
    engine = engine_text(engine, syzygy)
    sys.setswitchinterval(SWITCH_S)
    if engine is not None:
        if place.is_here:
            _run_probes(place, engine, book or usual)
        else:
            _run_relay(engine, book)
        return
    if not place.is_here:
        _Engine(book or usual).run()
        return
    from master.cli.chess.search_fleet import uci_fleet  # loads both daemons

    with uci_fleet(place, is_trusting) as fleet:
        _Engine(book or usual, fleet).run()


def _run_probes(place: Place, engine: str, book: PolyglotBook | None) -> None:
    """Be an engine whose searches are probes of analysers by another one."""
    digest, name = chosen_engine(engine)
    from master.cli.chess.search_fleet import fleet_probes  # loads both daemons

    with fleet_probes(with_engine(place, engine)) as probes:
        _Engine(book, probing=ProbingEngine(digest, name, probes)).run()


def _run_relay(engine: str, book: PolyglotBook | None) -> None:
    """Be the program of another engine, on this machine; it may have a book of its own."""
    if is_digest(engine):
        raise click.UsageError(
            "--engine DIGEST is the engine of analysers: give --analyser, --fleet or --workers too"
        )
    from master.cli.chess.uci_relay import EngineRelay, relay_spec  # for it alone

    EngineRelay(relay_spec(engine), book, usual_tables()).run()


class _Engine:
    """One board's engine, from the first line to the last.

    Args:
        book: for moves of a game by the clock; None: there is none.
        fleet: analysers that share reproducible searches.
        probing: another engine on analysers, which searches instead of ours.
    """

    def __init__(
        self,
        book: PolyglotBook | None,
        fleet: Fleet | None = None,
        probing: ProbingEngine | None = None,
    ) -> None:
        self._book, self._fleet, self._probing = book, fleet, probing
        mode = FAST if fleet is None else REPRODUCIBLE
        name = "" if probing is None else probing.name
        self._session = new_session(_bounds(mode, name, has_book=book is not None))
        self._events: queue.Queue[Command | _Report] = queue.Queue(EVENTS_WAITING_MAX)
        self._waiting: deque[Command] = deque()
        self._running: _Running | None = None
        self._table: FastTable | KeyedTable | None = None
        self._table_made = "", 0  # mode and megabytes
        self._lost = LostTime()

    def run(self) -> None:
        """Carry out lines until the last."""
        threading.Thread(target=self._read, name="reader", daemon=True).start()
        is_over = False
        while not is_over:
            if self._running is not None:
                is_over = self._follow(self._running)
            else:
                command = self._waiting.popleft() if self._waiting else self._events.get()
                is_over = not isinstance(command, _Report) and self._carry_out(command)

    def _read(self) -> None:
        """Read to the end; runs in a thread of its own."""
        for line in input_lines(LINE_BYTES_MAX):
            command = read_line(line)
            if command is not None:
                self._events.put(command)
        self._events.put(Quit())

    def _carry_out(self, command: Command) -> bool:
        """Carry out a command while nothing is searched; return whether it was the last."""
        reaction = receive(self._session, command)
        self._session = reaction.session
        if reaction.is_table_forgotten and self._table is not None:
            self._table.clear()
        if isinstance(command, IsReady) and self._probing is None:
            self._table_of_size(self._session.options.mode)
        _say(reaction.replies)
        if reaction.wish is not None:
            self._begin(reaction.wish)
        return reaction.is_over

    def _begin(self, wish: Wish) -> None:
        if lines := book_lines(wish, self._book):
            _say(lines)
            return
        running = _Running(Thinking(wish, self._lost.begin(wish)))
        if running.thinking.has_moves:
            running.search = self._search(running)
        else:
            _say(running.thinking.without_moves(running.effort()))
        self._running = running
        self._settle(running)

    def _search(self, running: _Running) -> UciSearch | ExactUciSearch | ProbeUciSearch:
        """Begin a search in the set mode, or in the one that supports the request."""

        def report(iteration: Iteration, is_end: bool) -> None:
            self._events.put(_Report(running, iteration, is_end))

        if self._probing is not None:
            return ProbeUciSearch(running.thinking, self._probing, running.elapsed_s, report)
        wish = running.thinking.wish
        mode = wish.options.mode
        if mode == REPRODUCIBLE and (wish.go.moves or wish.options.line_count > 1):
            _say((message(f"expected Mode {FAST} for searchmoves or MultiPV: it is searched so"),))
            mode = FAST
        table = self._table_of_size(mode)
        if isinstance(table, KeyedTable):
            return ExactUciSearch(running.thinking, table, running.elapsed_s, report, self._fleet)
        return UciSearch(running.thinking, table, running.elapsed_s, report)

    def _table_of_size(self, mode: str) -> FastTable | KeyedTable:
        """Return the table, made anew where size or mode changed; a small one where memory lacks.

        The old one goes first: there may be no memory for two.
        """
        made, wanted_mb = (mode, self._session.options.hash_mb), self._session.options.hash_mb
        if self._table is None or self._table_made != made:
            kind = KeyedTable if mode == REPRODUCIBLE else FastTable
            self._table, self._table_made = None, made
            try:
                self._table = kind(wanted_mb * MEGABYTE)
            except MemoryError:
                _say((message(f"expected a smaller Hash: no memory for {wanted_mb} MB"),))
                self._table = kind(MEGABYTE)
        return self._table

    def _follow(self, running: _Running) -> bool:
        """Handle the search's next event, or the clock; return whether all is over."""
        try:
            event = self._events.get(timeout=running.wait_s())
        except queue.Empty:
            event = None
        if isinstance(event, Quit):
            self._abandon(running)
            return True
        if isinstance(event, _Report):
            if event.running is running:
                running.hear(event)
        elif event is not None:
            self._receive_meanwhile(running, event)
        running.tick()
        self._settle(running)
        return False

    def _receive_meanwhile(self, running: _Running, command: Command) -> None:
        if isinstance(command, Stop):
            running.thinking.stop()
        elif isinstance(command, PonderHit):
            running.thinking.ponder_hit(running.elapsed_s())
        elif isinstance(command, IsReady):
            _say(("readyok",))
        elif len(self._waiting) < COMMANDS_WAITING_MAX:
            self._waiting.append(command)
        else:
            _say((message("expected stop before so many other lines: one is left out"),))

    def _settle(self, running: _Running) -> None:
        """Answer, once the search has ended and an answer may be given."""
        if running.has_ended and not running.thinking.is_held:
            _say((running.thinking.answer(),))
            self._lost.end(running.elapsed_s())
            self._running = None

    def _abandon(self, running: _Running) -> None:
        """Answer with the best move so far; a search that does not end is left to the process."""
        running.thinking.stop()
        running.tick()
        give_up_s = time.perf_counter() + END_S_MAX
        while not running.has_ended and (left_s := give_up_s - time.perf_counter()) > 0:
            try:
                event = self._events.get(timeout=left_s)
            except queue.Empty:
                break
            if isinstance(event, _Report) and event.running is running:
                running.hear(event)
        _say((running.thinking.answer(),))


class _Running:
    """A search that has not been answered yet, and its clock."""

    def __init__(self, thinking: Thinking) -> None:
        self.thinking = thinking
        self.search: UciSearch | ExactUciSearch | ProbeUciSearch | None = None
        self._has_reported_end = False
        self._began_s = time.perf_counter()

    @property
    def has_ended(self) -> bool:
        """Whether nothing is searched any more."""
        return self.search is None or self._has_reported_end

    def elapsed_s(self) -> float:
        """Return the seconds since `go`."""
        return time.perf_counter() - self._began_s

    def effort(self) -> Effort:
        """Return the nodes, time and table use so far."""
        if self.search is None:
            return Effort(0, self.elapsed_s(), 0.0)
        return Effort(self.search.nodes, self.elapsed_s(), self.search.fill)

    def wait_s(self) -> float:
        """Return how long nothing need be done by itself."""
        if self.has_ended:
            return TICK_S
        return max(min(self.thinking.deadline_s - self.elapsed_s(), TICK_S), 0.0)

    def hear(self, report: _Report) -> None:
        """Handle an event of the search."""
        self._has_reported_end = report.is_end
        _say(self.thinking.iterated(report.iteration, self.effort()))

    def tick(self) -> None:
        """Check the clock: stop the search, or print its progress."""
        if self.search is None or self._has_reported_end:
            return
        if self.thinking.is_enough(self.elapsed_s()):
            self.search.stop()
        elif self.elapsed_s() >= TICK_S:
            _say(self.thinking.status(self.search.current_move, self.effort()))


class _Report:
    """An event of a search in the queue.

    Args:
        running: the search.
        iteration: its latest iteration.
        is_end: whether it is the last event.
    """

    def __init__(self, running: _Running, iteration: Iteration, is_end: bool) -> None:
        self.running = running
        self.iteration = iteration
        self.is_end = is_end


def _bounds(mode: str, engine: str, *, has_book: bool) -> Bounds:
    return Bounds(BYTES_MAX // MEGABYTE, len(os.sched_getaffinity(0)), mode, engine, has_book)


def _say(lines: list[str] | tuple[str, ...]) -> None:
    for line in lines:
        echo_exactly(line)
