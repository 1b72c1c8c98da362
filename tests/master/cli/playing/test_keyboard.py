"""Keys that act at once, on a terminal without echo that is restored afterwards."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from master.cli.playing import keyboard as tried
from master.cli.playing.keyboard import Keyboard, QuietTerminal, read_key
from master.cli.playing.play_terminal import Leave
from master.cli.terminal import SHOW_CURSOR
from tests.master.cli.sessions import session
from tests.master.cli.terminals import DEADLINE_S, new_terminal

Patch = pytest.MonkeyPatch
KEYS = {"\x1b[A": "up", "\x1bOA": "up", "\x1b[B": "down"}


@contextmanager
def keys_pressed(keys: str, monkeypatch: Patch) -> Iterator[int]:
    """Have a terminal as standard input and output, and keys pressed there; give its other end.

    The terminal's keys are taken at once, lest it makes lines of them.
    """
    pytest.importorskip("readline", reason="this Python has no line editor")
    screen_end, program_end = new_terminal(80)
    with (
        monkeypatch.context() as patched,
        open(program_end, encoding="utf-8", closefd=False) as stdin,
        open(program_end, "w", encoding="utf-8") as stdout,
    ):
        patched.setattr(sys, "stdin", stdin)
        patched.setattr(sys, "stdout", stdout)
        patched.setenv("TERM", "xterm")
        with Keyboard({}):
            os.write(screen_end, keys.encode())
            yield screen_end
    os.close(screen_end)


def asked(monkeypatch: Patch) -> Iterator[str]:
    """Yield what is read of keys, until the end of input; the line editor gives `edited`."""
    monkeypatch.setattr(tried, "ask", lambda prompt: "edited")
    with Keyboard(KEYS) as keyboard, suppress(Leave):
        assert keyboard.is_open
        while True:
            yield keyboard.ask("? ")


@pytest.mark.parametrize(
    ("keys", "lines"),
    [
        ("\x1b[A", ["up"]),
        ("\x1bOA\x1b[B\x1b[A", ["up", "down", "up"]),
        ("\r\n", ["", ""]),
        ("u\x1b[A", ["edited", "up"]),
        ("\x1b[A\x10\t", ["up", "edited", "edited"]),
        ("\u00e9\u5350", ["edited", "edited"]),
        ("\x1b[1;5A\x1b[3~\x1b[H\x1bx\x7f\x08\x1b[B", ["down"]),
    ],
)
def test_a_key_says_what_it_stands_for_or_begins_a_line(
    keys: str, lines: list[str], monkeypatch: Patch
) -> None:
    with keys_pressed(f"{keys}\x04", monkeypatch):
        assert list(asked(monkeypatch)) == lines


def test_a_key_is_shown_as_if_it_were_typed(monkeypatch: Patch) -> None:
    with keys_pressed("\x1b[A\x04", monkeypatch) as screen_end:
        assert list(asked(monkeypatch)) == ["up"]
        sent = b""
        while b"\n" not in sent:
            sent += os.read(screen_end, 1000)
    assert sent.startswith(b"? up\r\n")


def test_escape_alone_is_a_key(monkeypatch: Patch) -> None:
    with keys_pressed("\x1b", monkeypatch):
        assert read_key(sys.stdin.fileno()) == "\x1b"


def test_an_endless_sequence_has_an_end(monkeypatch: Patch) -> None:
    with keys_pressed("\x1b[" + "1;" * 30, monkeypatch):
        assert len(read_key(sys.stdin.fileno())) == tried.KEY_CHARACTERS_MAX


def test_where_no_terminal_is_lines_are_read(monkeypatch: Patch) -> None:
    monkeypatch.setattr(tried, "ask", lambda prompt: f"read after {prompt}")
    with Keyboard(KEYS) as keyboard:
        assert not keyboard.is_open
        assert keyboard.ask("? ") == "read after ? "


PROGRAM = """
import sys
from master.cli.playing.keyboard import QuietTerminal
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
import sys, time
from master.cli.playing.keyboard import QuietTerminal
with QuietTerminal(lambda: None) as terminal:
    try:
        print("open", terminal.is_open, flush=True)
        while True:
            time.sleep(0.01)  # pause() would miss a signal that comes just before it
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    print("read", sys.stdin.read(3), flush=True)
"""


@pytest.mark.sockets
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


@pytest.mark.sockets
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_who_is_killed_gives_the_terminal_back(number: signal.Signals) -> None:
    with session("-c", PROGRAM) as tried:
        tried.until("open True")
        tried.process.send_signal(number)
        assert tried.ended() == -number
        assert tried.is_as_usual
    assert SHOW_CURSOR in tried.sent


@pytest.mark.sockets
def test_what_was_typed_before_ctrl_c_is_forgotten() -> None:
    with session("-c", PROGRAM_INTERRUPTED) as tried:
        tried.until("open True")
        tried.press("old")
        tried.press("\x03")
        tried.until("interrupted")
        tried.press("new")
        tried.until("read new")
        assert tried.ended() == 0


@pytest.mark.sockets
def test_who_loses_the_terminal_dies_of_that_alone() -> None:
    with session("-c", PROGRAM) as tried:
        tried.until("open True")
        tried.hang_up()
        assert tried.process.wait(DEADLINE_S) == -signal.SIGHUP


@pytest.mark.sockets
def test_ctrl_c_gives_the_terminal_back() -> None:
    with session("-c", PROGRAM) as tried:
        tried.until("open True")
        tried.press("\x03")
        assert tried.ended() == -signal.SIGINT
        assert tried.is_as_usual


@pytest.mark.sockets
def test_who_is_stopped_gives_the_terminal_back_until_it_goes_on() -> None:
    with session("-c", PROGRAM) as tried:
        tried.until("open True")
        tried.process.send_signal(signal.SIGSTOP)
        assert os.WIFSTOPPED(os.waitpid(tried.process.pid, os.WUNTRACED)[1])
        tried.process.send_signal(signal.SIGCONT)
        tried.until("returned")
        assert not tried.is_as_usual


@pytest.mark.sockets
def test_ctrl_z_where_nobody_could_go_on_stops_nothing() -> None:
    with session("-c", PROGRAM) as tried:
        tried.until("open True")
        tried.press("\x1a")
        tried.until(SHOW_CURSOR)
        tried.until("returned")
        assert not tried.is_as_usual


@pytest.mark.sockets
def test_a_dumb_terminal_stays_as_it_is() -> None:
    with session("-c", PROGRAM, environ={"TERM": "dumb"}) as tried:
        tried.until("open False")
        assert tried.is_as_usual


@pytest.mark.sockets
def test_where_no_terminal_is_nothing_happens() -> None:
    with QuietTerminal(lambda: None) as terminal:
        assert not terminal.is_open
