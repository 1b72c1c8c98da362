"""`manyply ubgi`: an engine for backgammon interfaces that speak UBGI.

master.games.backgammon.external.ubgi interprets the lines.

A thread reads, since a `stop` must take effect while the engine computes. Lines are carried out in
order; a waiting `stop` or `quit` hastens the end of all earlier requests, and the answer is then
the static one. The end of the input hastens nothing.
"""

from __future__ import annotations

import queue
import threading
from dataclasses import replace
from functools import partial
from importlib.metadata import version

import click

from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.play import SearchStopped
from engine_ext.control import RunControl
from master.cli.backgammon.rule_options import level_of, level_options
from master.cli.input_lines import input_lines
from master.cli.interruptible import interruptible
from master.cli.output import echo_exactly
from master.games.backgammon.external.fibs_board import SessionRules
from master.games.backgammon.external.ubgi import (
    LINE_BYTES_MAX,
    QUIT,
    Session,
    Wish,
    carry_out,
    is_stopping,
    receive,
)

LINES_WAITING_MAX = 1_000
"""An interface that sends faster is read no further until some are done."""


@click.command("ubgi")
@level_options
@click.option(
    "--jacoby/--no-jacoby", default=True, show_default=True,
    help="Jacoby rule in money play, for FIBS boards; an XGID has it.",
)  # fmt: skip
def ubgi_command(ply: int, cube_ply: int | None, table: MatchTable | None, jacoby: bool) -> None:
    """Run as a UBGI engine (Universal Backgammon Interface) for backgammon programs.

    The interface sends lines to standard input and is answered on standard output. As version 0.1
    has it: ubgi, isready, setoption name Plies value 2, newgame, newsession type match length 7,
    setscore 0 0, setcube value 1 owner center, setturn p0, position gnubgid ID, dice 3 1, go role
    chequer (or cube, turn), stop, quit. As draft 0.01 has it: an XGID or a FIBS board alone, which
    is answered by the best action alone: a move, a blank line, roll, double, take or drop.
    """
    level = level_of(ply, cube_ply, table)
    session = Session(level, SessionRules(jacoby=jacoby), version("manyply"))
    inbox = _Inbox()
    threading.Thread(target=inbox.fill, name="reader", daemon=True).start()
    while True:
        reaction = receive(session, inbox.next_line())
        session = reaction.session
        for reply in reaction.replies:
            echo_exactly(reply)
        if reaction.wish is not None:
            echo_exactly(_answer(reaction.wish, inbox))
        if reaction.is_over:
            return


def _answer(wish: Wish, inbox: _Inbox) -> str:
    """Return the answer; after a stop, that of the static evaluation."""
    control = RunControl()
    inbox.begin(control)
    try:
        return interruptible(partial(carry_out, wish, control))
    except SearchStopped:
        return carry_out(replace(wish, level=replace(wish.level, ply=0, cube_ply=0)))
    finally:
        inbox.end()


class _Inbox:
    """Lines that were read and not yet carried out, and how many of them stop the engine."""

    def __init__(self) -> None:
        self._lines: queue.Queue[str] = queue.Queue(LINES_WAITING_MAX)
        self._lock = threading.Lock()
        self._stopping_count = 0
        self._control: RunControl | None = None

    def fill(self) -> None:
        """Read to the end; runs in a thread of its own."""
        for line in input_lines(LINE_BYTES_MAX):
            if is_stopping(line):
                self._stop()
            self._lines.put(line)
        self._lines.put(QUIT)

    def next_line(self) -> str:
        """Wait for the next line."""
        line = self._lines.get()
        with self._lock:
            # The end of the input was not counted.
            self._stopping_count -= is_stopping(line) and self._stopping_count > 0
        return line

    def begin(self, control: RunControl) -> None:
        """Let the next stopping line end a computation; one that waits ends it at once."""
        with self._lock:
            self._control = control
            if self._stopping_count:
                control.stop()

    def end(self) -> None:
        """Note that the computation is answered."""
        with self._lock:
            self._control = None

    def _stop(self) -> None:
        with self._lock:
            self._stopping_count += 1
            if self._control is not None:
                self._control.stop()
