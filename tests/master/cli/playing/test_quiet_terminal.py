"""A terminal that shows no keys, and is given back: master.cli.playing.quiet_terminal."""

from __future__ import annotations

import os
import signal

import pytest

from master.cli.playing.quiet_terminal import QuietTerminal
from master.cli.terminal import SHOW_CURSOR
from tests.master.cli.sessions import session
from tests.master.cli.terminals import DEADLINE_S

pytestmark = pytest.mark.sockets
PROGRAM = """
import sys
from master.cli.playing.quiet_terminal import QuietTerminal
with QuietTerminal(lambda: print("returned", flush=True)) as terminal:
    print("open", terminal.is_open, flush=True)
    while (key := sys.stdin.read(1)) != "q":
        with terminal.aside():
            print("key", key, flush=True)
        print("again", flush=True)
print("closed", terminal.is_open, flush=True)
sys.stdin.read(1)
"""

PROGRAM_INTERRUPTED = """
import signal, sys
from master.cli.playing.quiet_terminal import QuietTerminal
with QuietTerminal(lambda: None) as terminal:
    try:
        print("open", terminal.is_open, flush=True)
        while True:
            signal.pause()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    print("read", sys.stdin.read(3), flush=True)
"""


def test_keys_come_at_once_and_are_not_shown() -> None:
    with session("-c", PROGRAM) as tried:
        tried.until("open True")
        assert not tried.is_as_usual
        tried.press("x")
        tried.until("again")
        assert not tried.is_as_usual
        tried.press("q")
        tried.until("closed False")
        assert tried.is_as_usual
    assert "key x" in tried.sent


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_who_is_killed_gives_the_terminal_back(number: signal.Signals) -> None:
    with session("-c", PROGRAM) as tried:
        tried.until("open True")
        tried.process.send_signal(number)
        assert tried.ended() == -number
        assert tried.is_as_usual
    assert SHOW_CURSOR in tried.sent


def test_what_was_typed_before_ctrl_c_is_forgotten() -> None:
    with session("-c", PROGRAM_INTERRUPTED) as tried:
        tried.until("open True")
        tried.press("old")
        tried.press("\x03")
        tried.until("interrupted")
        tried.press("new")
        tried.until("read new")
        assert tried.ended() == 0


def test_who_loses_the_terminal_dies_of_that_alone() -> None:
    with session("-c", PROGRAM) as tried:
        tried.until("open True")
        tried.hang_up()
        assert tried.process.wait(DEADLINE_S) == -signal.SIGHUP


def test_ctrl_c_gives_the_terminal_back() -> None:
    with session("-c", PROGRAM) as tried:
        tried.until("open True")
        tried.press("\x03")
        assert tried.ended() == -signal.SIGINT
        assert tried.is_as_usual


def test_who_is_stopped_gives_the_terminal_back_until_it_goes_on() -> None:
    with session("-c", PROGRAM) as tried:
        tried.until("open True")
        tried.process.send_signal(signal.SIGSTOP)
        assert os.WIFSTOPPED(os.waitpid(tried.process.pid, os.WUNTRACED)[1])
        tried.process.send_signal(signal.SIGCONT)
        tried.until("returned")
        assert not tried.is_as_usual


def test_ctrl_z_where_nobody_could_go_on_stops_nothing() -> None:
    with session("-c", PROGRAM) as tried:
        tried.until("open True")
        tried.press("\x1a")
        tried.until(SHOW_CURSOR)
        tried.until("returned")
        assert not tried.is_as_usual


def test_a_dumb_terminal_stays_as_it_is() -> None:
    with session("-c", PROGRAM, environ={"TERM": "dumb"}) as tried:
        tried.until("open False")
        assert tried.is_as_usual


def test_where_no_terminal_is_nothing_happens() -> None:
    with QuietTerminal(lambda: None) as terminal:
        assert not terminal.is_open
