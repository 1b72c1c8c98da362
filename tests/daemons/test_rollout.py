"""A rollout has the same bits, wherever it is computed and however often it is killed."""

import asyncio
import random
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.daemons.analyser_programs import (
    HERE,
    LAUNCH,
    Process,
    all_listening,
    analysers_at,
    line_with,
    started,
)
from tests.daemons.command_line import POSITION, RUN_S_MAX, Home, rest_of

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


@pytest.mark.when_changed
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
    async with all_listening(3, "-v") as programs:
        ports = [port for _, port in programs]
        assert (await home.run(*job, *analysers_at(*ports))).report == straight


@pytest.mark.when_changed
async def test_one_of_three_is_killed_and_one_joins_late(
    home: Home, job: tuple[str, ...], straight: Any
) -> None:
    async with all_listening(2, "-v") as ((steady, first), (victim, second)):
        with socket.socket() as endpoint:
            endpoint.bind((HERE, 0))  # ours from now on, and closed to callers until it listens
            late_port = endpoint.getsockname()[1]
            steady.send_signal(signal.SIGSTOP)  # so that the job waits for the late one
            async with home.running(*job, *analysers_at(first, second, late_port)) as process:
                await home.has_stored(1)  # of some 1,400, within a second
                victim.send_signal(signal.SIGKILL)
                async with listening_late(endpoint) as late:
                    await home.has_stored(home.stored_trials() + 1)
                    steady.send_signal(signal.SIGCONT)
                    ended = await rest_of(process)
                    await line_with(late, "serving")
            assert ended.report == straight
            assert f"{HERE}:{late_port}: cannot connect" in ended.err


KILLS = 20
ALIVE_S_MAX = 1.2  # a start takes about half a second here, and a first commit half of one
MIDWAY_S = 0.15  # the job needs a good part of a second on any machine
JOB = ("rollout", POSITION, "--cube", "--seed", "7", "--json", "--local", "1")
TRIALS = 250
SETTLED_JOB = (
    "rollout", POSITION, "--dice", "51", "--candidates", "4", "--stop-settled", "2",
    "--trials", "450", "--json", "--local", "1",
)  # fmt: skip
SETTLED_KILLS = 5
RESUME = ("resume", "1", "--json", "--local", "1")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The job's report when nothing disturbs it."""
    home = Home(tmp_path_factory.mktemp("straight"))
    with asyncio.Runner() as runner:
        return runner.run(home.run(*JOB, "--trials", str(TRIALS))).report


def going_on(home: Home) -> tuple[str, ...]:
    """Return the command that goes on with the job, or begins what was killed before it was one."""
    return RESUME if home.has_job() else (*JOB, "--trials", str(TRIALS))


@pytest.mark.when_changed
async def test_killed_twenty_times_at_random_moments(tmp_path: Path, undisturbed: Any) -> None:
    moments = random.Random(20)
    kills = 0
    while kills < KILLS:  # a fast machine finishes the job in between, and starts it anew
        home = Home(tmp_path / f"kills-{kills}")
        kept = []
        while kills < KILLS:
            if await survives(home, going_on(home), moments.uniform(0.0, ALIVE_S_MAX)):
                break
            kills += 1
            kept.append(home.confirmed_trials())
        assert kept == sorted(kept)
        assert (await home.run(*going_on(home))).report == undisturbed
        assert (await home.run("show", "--json")).report == undisturbed


@pytest.mark.when_changed
async def test_rollout_that_settles_is_the_same_however_often_it_is_killed(tmp_path: Path) -> None:
    moments, kills = random.Random(5), 0
    undisturbed = (await Home(tmp_path / "straight").run(*SETTLED_JOB)).report
    home = Home(tmp_path / "killed")
    async with home.running(*SETTLED_JOB) as process:
        await home.has_stored(1)
        process.kill()
        await process.wait()
    while kills < SETTLED_KILLS and not await survives(
        home, RESUME, moments.uniform(0.5, ALIVE_S_MAX)
    ):
        kills += 1
    assert (await home.run(*RESUME)).report == undisturbed
    assert (await home.run("show", "--json")).report == undisturbed


@pytest.mark.when_changed
async def test_killed_job_is_listed_with_what_is_stored_of_it(home: Home) -> None:
    async with home.running(*JOB, "--trials", "100000") as process:
        await home.has_stored(2)
        process.kill()
        await process.wait()
    stored = home.stored_trials()
    listed = (await home.run("jobs", "--json")).report
    assert (listed["state"], listed["stopped_by"]) == ("halted", "interrupted")
    assert 0 < 2 * listed["folded"] <= stored
    assert (await home.run("forget", "1")).out == "Deleted 1 job.\n"


async def survives(home: Home, command: tuple[str, ...], alive_s: float) -> bool:
    """Start or resume a job, and kill it after a time; return whether it ended before."""
    async with home.running(*command) as process:
        try:
            async with asyncio.timeout(alive_s):
                return await process.wait() == 0
        except TimeoutError:
            process.kill()
            return await process.wait() == 0


@pytest.mark.when_changed
async def test_extended_rollout_is_the_longer_rollout(home: Home, undisturbed: Any) -> None:
    short = (await home.run(*JOB, "--trials", "40")).report
    assert short["trials"] == 40
    added = str(TRIALS - 40)
    longer = await home.run("extend", "1", "--trials", added, "--json", "--local", "2")
    assert longer.report == undisturbed


async def midway(home: Home) -> None:
    """Wait until the job has begun and is not done."""
    async with asyncio.timeout(RUN_S_MAX):
        while not home.has_job():  # noqa: ASYNC110  # no other process tells
            await asyncio.sleep(0.02)
    await asyncio.sleep(MIDWAY_S)


@pytest.mark.when_changed
async def test_interrupted_rollout_says_how_to_go_on(home: Home, undisturbed: Any) -> None:
    async with home.running(*JOB, "--trials", str(TRIALS)) as process:
        await midway(home)
        process.send_signal(signal.SIGINT)
        ended = await rest_of(process)
    assert ended.code == 130
    assert '"stopped_by": "halted"' in ended.out
    assert ended.complaint == "manyply: go on with: manyply resume 1"
    assert (await home.run("resume", "--json", "--local", "2")).report == undisturbed


@pytest.mark.when_changed
async def test_second_interruption_quits_at_once(home: Home, undisturbed: Any) -> None:
    async with home.running(*JOB, "--trials", str(TRIALS)) as process:
        await midway(home)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)  # two SIGINTs may melt into one
        ended = await rest_of(process)
    assert ended.code == 130
    assert "Traceback" not in ended.err
    assert (await home.run("resume", "--json", "--local", "2")).report == undisturbed
