"""One job, whoever computes it: the same bits."""

import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.daemons.analyser_programs import HERE, LAUNCH, Process, line_with, listening, started
from tests.daemons.command_line import POSITION, Home, rest_of

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

MOVES = ("rollout", POSITION, "--dice", "31", "--candidates", "2", "--json")
GOALS = {
    "trials": ("--trials", "700"),
    "stop-se": ("--stop-se", "0.021"),
    "stop-settled": (
        "--dice", "51", "--candidates", "4", "--trials", "450", "--stop-settled", "2",
    ),  # the later ones of options given twice count
}  # fmt: skip
STOPPED_BY = {"trials": "trials", "stop-se": "stop_se", "stop-settled": "trials"}
GAMES = {"stop-settled": [450, 144, 450, 144]}
"""Of each alternative, where they are not all alike."""


@pytest.fixture(params=GOALS)
def job(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """A rollout's arguments, for each of the rules that end one."""
    return *MOVES, *GOALS[request.param]


@pytest.fixture(scope="module")
def straight_runs() -> dict[tuple[str, ...], Any]:
    return {}


@pytest.fixture
async def straight(
    job: tuple[str, ...], straight_runs: dict[tuple[str, ...], Any], tmp_path: Path
) -> Any:
    """The job's report when one local worker computes all of it."""
    if job not in straight_runs:
        home = Home(tmp_path / "straight")
        straight_runs[job] = (await home.run(*job, "--local", "1")).report
    return straight_runs[job]


@asynccontextmanager
async def all_listening(count: int) -> AsyncIterator[list[tuple[Process, int]]]:
    async with AsyncExitStack() as stack:
        options = [("-v", "--workers", "1", "--name", f"m{number}") for number in range(count)]
        yield [await stack.enter_async_context(listening(*each)) for each in options]


@asynccontextmanager
async def listening_late(endpoint: socket.socket) -> AsyncIterator[Process]:
    """Run an analyser at a bound socket, which begins to listen only now."""
    endpoint.listen()
    launch = (
        sys.executable,
        "-c",
        LAUNCH,
        str(endpoint.fileno()),
        "analyser",
        "-v",
        "--workers",
        "1",
    )
    async with started(*launch, pass_fds=[endpoint.fileno()]) as process:
        yield process


def analysers(*ports: int) -> list[str]:
    return ["--local", "0", *(word for p in ports for word in ("--analyser", f"{HERE}:{p}"))]


def test_rules_end_where_the_fleet_tests_expect(straight: Any, job: tuple[str, ...]) -> None:
    goal = next(name for name, words in GOALS.items() if job == (*MOVES, *words))
    assert straight["stopped_by"] == STOPPED_BY[goal]
    assert 400 <= straight["trials"] <= 2000
    games = [each["trials"] for each in straight["alternatives"]]
    assert games == GAMES.get(goal, [straight["trials"]] * 2)


@pytest.mark.when_changed
async def test_two_local_workers(home: Home, job: tuple[str, ...], straight: Any) -> None:
    assert (await home.run(*job, "--local", "2")).report == straight


@pytest.mark.when_changed
async def test_three_analysers(home: Home, job: tuple[str, ...], straight: Any) -> None:
    async with all_listening(3) as programs:
        ports = [port for _, port in programs]
        assert (await home.run(*job, *analysers(*ports))).report == straight


@pytest.mark.when_changed
async def test_one_of_three_is_killed_and_one_joins_late(
    home: Home, job: tuple[str, ...], straight: Any
) -> None:
    async with all_listening(2) as ((steady, first), (victim, second)):
        with socket.socket() as endpoint:
            endpoint.bind((HERE, 0))  # ours from now on, and closed to callers until it listens
            late_port = endpoint.getsockname()[1]
            steady.send_signal(signal.SIGSTOP)  # so that the job waits for the late one
            async with home.running(*job, *analysers(first, second, late_port)) as process:
                await home.has_stored(1)  # of some 1,400, within a second
                victim.send_signal(signal.SIGKILL)
                async with listening_late(endpoint) as late:
                    await home.has_stored(home.stored_trials() + 1)
                    steady.send_signal(signal.SIGCONT)
                    ended = await rest_of(process)
                    await line_with(late, "serving")
            assert ended.report == straight
            assert f"{HERE}:{late_port}: cannot connect" in ended.err
