"""`manyply nboard`: an engine for Othello boards that speak the NBoard protocol.

The module reads and prints lines. The core (master/games/othello/nboard.py,
master/games/othello/nboard.py) interprets and answers them.

A thread reads, since a `ping` must take effect while a search runs. The main thread searches, in
steps of a fraction of a second, so that Ctrl-C takes effect as well. Lines are carried out in
order: a `pong` comes after the end of all earlier requests, and hastens that end.
"""

from __future__ import annotations

import queue
import threading
import time

import click

from master.cli.input_lines import input_lines
from master.cli.output import echo_exactly
from master.games.othello.nboard import (
    LINE_BYTES_MAX,
    Watch,
    Wish,
    is_stopping,
    new_session,
    receive,
    thinking,
)

LINES_WAITING_MAX = 1_000
"""Boards wait for answers; one that does not is read no further until some are done."""

QUIT = "quit"


@click.command("nboard")
def nboard_command() -> None:
    """Run as an NBoard engine for Othello programs.

    The board sends commands to standard input (nboard 2, set depth 12, set game (;GM[Othello]
    ... ;), move F5, go, hint 3, analyze, ping 1, learn, quit) and is answered on standard
    output. The end of the input is `quit`: it ends a search with the best move so far.
    """
    inbox = _Inbox()
    threading.Thread(target=inbox.fill, name="reader", daemon=True).start()
    session = new_session()
    while True:
        reaction = receive(session, inbox.next_line())
        session = reaction.session
        for reply in reaction.replies:
            echo_exactly(reply)
        if reaction.is_over:
            return
        if reaction.wish is not None:
            _think(reaction.wish, inbox)


def _think(wish: Wish, inbox: _Inbox) -> None:
    started = time.perf_counter()
    watch = Watch(lambda: time.perf_counter() - started, inbox.has_stopping)
    for line in thinking(wish, watch):
        echo_exactly(line)


class _Inbox:
    """Lines that were read and not yet carried out, and how many of them stop a search."""

    def __init__(self) -> None:
        self._lines: queue.Queue[str] = queue.Queue(LINES_WAITING_MAX)
        self._lock = threading.Lock()
        self._stopping_count = 0

    def fill(self) -> None:
        """Read to the end; runs in a thread of its own."""
        for line in input_lines(LINE_BYTES_MAX):
            self._put(line)
        self._put(QUIT)

    def next_line(self) -> str:
        """Wait for the next line."""
        line = self._lines.get()
        self._count(line, -1)
        return line

    def has_stopping(self) -> bool:
        """Whether a line that ends a search is waiting."""
        with self._lock:
            return self._stopping_count > 0

    def _put(self, line: str) -> None:
        self._count(line, 1)
        self._lines.put(line)

    def _count(self, line: str, change: int) -> None:
        if is_stopping(line):
            with self._lock:
                self._stopping_count += change
