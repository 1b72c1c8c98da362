"""Processes of a fleet: kept, replaced when killed, ended in time, found again."""

import asyncio
import logging
import os
import queue
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager

import pytest

from master.config.fleet_specs import parse_fleet_spec
from master.fleets import child, process_fleet
from master.fleets.child import Child, ChildState, analyser_argv, analyser_name
from master.fleets.placing import FleetFailedError, Invitation, Member, MemberState
from master.fleets.process_fleet import ProcessPlacer
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


TICKET = "trial-1"
INVITATION = Invitation("127.0.0.1", 9, TICKET, "correct horse battery staple", give_up_s=60)
STAND_IN = (sys.executable, "-c", "import sys, time; sys.stdin.readline(); time.sleep(60)")
"""Stands in for an analyser, whose command line it has."""


@pytest.fixture
async def placer(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable[[str], ProcessPlacer]]:
    monkeypatch.setattr(process_fleet, "OWN", STAND_IN)

    def make(text: str) -> ProcessPlacer:
        return ProcessPlacer(parse_fleet_spec(text), TICKET, {})

    yield make
    await make("local:9").stop()


def states(members: tuple[Member, ...]) -> str:
    return "".join(member.state.value[0] for member in members)


async def until(placer: ProcessPlacer, expected: str) -> None:
    async with asyncio.timeout(20):
        while states(await placer.members()) != expected:  # noqa: ASYNC110  # nobody tells
            await asyncio.sleep(0.05)


@pytest.mark.slow
@pytest.mark.sockets
async def test_fleet_is_started_scaled_found_again_and_ended(
    placer: Callable[[str], ProcessPlacer],
) -> None:
    fleet = placer("local:2")
    assert await fleet.own_host() == "127.0.0.1"
    assert await fleet.start(INVITATION, 2) == {"count": "2"}
    names = [member.name for member in await fleet.members()]
    assert names == [f"{TICKET}-1", f"{TICKET}-2"]
    assert await fleet.scale(INVITATION, 3) == {"count": "3"}
    again = ProcessPlacer(parse_fleet_spec("local:2"), TICKET, {"count": "3"})
    assert states(await again.members()) == "rrr"
    await again.scale(INVITATION, 1)
    await until(again, "r")
    await again.stop()
    await until(again, "l")
    await again.stop()


@pytest.mark.slow
@pytest.mark.sockets
async def test_one_that_has_ended_is_lost(placer: Callable[[str], ProcessPlacer]) -> None:
    members = await placer("local:1").members()
    assert members == (Member(f"{TICKET}-1", MemberState.LOST, "no such process"),)


@pytest.mark.slow
@pytest.mark.sockets
async def test_program_that_ends_at_once_is_said_and_none_is_left(
    placer: Callable[[str], ProcessPlacer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_fleet, "OWN", ("false",))
    with pytest.raises(FleetFailedError, match=r"trial-1-1: sh: false ended at once; trial-1-2:"):
        await placer("local:2").start(INVITATION, 2)


@pytest.mark.slow
@pytest.mark.sockets
async def test_hosts_have_one_analyser_each() -> None:
    fleet = ProcessPlacer(parse_fleet_spec("ssh:attic,cellar"), TICKET, {})
    with pytest.raises(FleetFailedError, match="each host has one analyser"):
        await fleet.scale(INVITATION, 3)
