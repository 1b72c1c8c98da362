"""An analyser below a worker is kept while it lives, replaced when killed, and ended in time."""

import logging
import os
import queue
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from master.fleets import child
from master.fleets.child import Child, ChildState, analyser_argv, analyser_name
from master.fleets.placing import MemberState
from protocol import messages

STEP_S_MAX = 10.0
LIVES = "import sys; sys.stdin.read(); print(sys.argv[1:], file=sys.stderr); sys.stdin.close();"
"""Reads its secret, then says its arguments."""
WAITS = f"{LIVES} import time; time.sleep(60)"
STUBBORN = (
    "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    " print('up', file=sys.stderr, flush=True); time.sleep(60)"
)
ECHO = "import sys; print('heard', sys.stdin.read(), file=sys.stderr); sys.exit(1)"

Reports = queue.Queue[tuple[ChildState, str]]


@contextmanager
def kept(code: str) -> Iterator[tuple[Child, Reports]]:
    reports: Reports = queue.Queue()
    one = Child((sys.executable, "-c", code), "secret", lambda *said: reports.put(said))
    one.start()
    try:
        yield one, reports
    finally:
        one.stop()


def next_of(reports: Reports) -> tuple[ChildState, str]:
    return reports.get(timeout=STEP_S_MAX)


def process_of(report: tuple[ChildState, str]) -> int:
    state, text = report
    assert state is ChildState.RUNNING
    return int(text.removeprefix("process "))


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_states_are_those_of_members() -> None:
    assert {each.value for each in ChildState} <= {each.value for each in MemberState}


def test_limit_of_names_is_the_protocols() -> None:
    assert child.NAME_CHARACTERS_MAX == messages.NAME_CHARACTERS_MAX


def test_name_is_plain_and_unique() -> None:
    assert analyser_name("dask-night", "tcp://127.0.0.1:4711") == "dask-night-127.0.0.1:4711"
    assert analyser_name("dask-night", "w0") == "dask-night-w0"
    odd = [analyser_name("f", each) for each in ("a b", "a/b", "a-b", "é" * 80, "x" * 80, "x" * 81)]
    assert len({*odd}) == len(odd)
    for name in odd:
        messages.AnalyserHello(name=name, cores=1)


def test_command_is_of_this_python_and_ends_with_its_parent() -> None:
    argv = analyser_argv(("--connect", "127.0.0.1:1"), "one", 3)
    assert argv[:4] == (sys.executable, "-P", "-m", "analyser")
    assert argv[4:10] == ("--connect", "127.0.0.1:1", "--workers", "3", "--name", "one")
    assert argv[-1] == "--with-parent"


def test_first_process_of_a_container_needs_no_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getpid", lambda: 1)
    assert "--with-parent" not in analyser_argv((), "one", 1)


def test_secret_goes_in_and_the_last_line_comes_out(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), kept(ECHO) as (_, reports):
        process_of(next_of(reports))
        assert next_of(reports) == (ChildState.LOST, "heard secret")
    assert caplog.messages == ["heard secret"]


@pytest.mark.slow
def test_killed_one_is_replaced_and_one_that_left_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "PAUSE_S_MIN", 0.01)
    with kept(WAITS) as (one, reports):
        first = process_of(next_of(reports))
        os.kill(first, signal.SIGKILL)
        assert next_of(reports) == (
            ChildState.PENDING, "killed by SIGKILL; starts again in 0.01 s",
        )  # fmt: skip
        second = process_of(next_of(reports))
        assert second != first
        assert one.state is ChildState.RUNNING
    assert not runs(second)


def test_program_that_is_missing_is_named() -> None:
    reports: Reports = queue.Queue()
    one = Child(("/nowhere/python",), "", lambda *said: reports.put(said))
    one.start()
    assert next_of(reports) == (
        ChildState.LOST, "cannot start an analyser: No such file or directory",
    )  # fmt: skip
    one.stop()


@pytest.mark.slow
def test_one_that_does_not_drain_is_killed(caplog: pytest.LogCaptureFixture) -> None:
    with kept(STUBBORN) as (one, reports):
        pid = process_of(next_of(reports))
        while not caplog.messages:  # it ignores signals from here on
            pass
        one.stop(within_s=0.1)
        assert not runs(pid)
        one.stop()
    assert reports.empty(), "what was stopped is no news"
