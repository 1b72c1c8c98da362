"""Rollouts that are killed, interrupted, resumed and extended: the bits of the straight run."""

import asyncio
import random
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.daemons.command_line import POSITION, RUN_S_MAX, Home, rest_of

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

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
def straight(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The job's report when nothing disturbs it."""
    home = Home(tmp_path_factory.mktemp("straight"))
    with asyncio.Runner() as runner:
        return runner.run(home.run(*JOB, "--trials", str(TRIALS))).report


def going_on(home: Home) -> tuple[str, ...]:
    """Return the command that goes on with the job, or begins what was killed before it was one."""
    return RESUME if home.has_job() else (*JOB, "--trials", str(TRIALS))


@pytest.mark.when_changed
async def test_killed_twenty_times_at_random_moments(tmp_path: Path, straight: Any) -> None:
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
        assert (await home.run(*going_on(home))).report == straight
        assert (await home.run("show", "--json")).report == straight


@pytest.mark.when_changed
async def test_rollout_that_settles_is_the_same_however_often_it_is_killed(tmp_path: Path) -> None:
    moments, kills = random.Random(5), 0
    straight = (await Home(tmp_path / "straight").run(*SETTLED_JOB)).report
    home = Home(tmp_path / "killed")
    async with home.running(*SETTLED_JOB) as process:
        await home.has_stored(1)
        process.kill()
        await process.wait()
    while kills < SETTLED_KILLS and not await survives(
        home, RESUME, moments.uniform(0.5, ALIVE_S_MAX)
    ):
        kills += 1
    assert (await home.run(*RESUME)).report == straight
    assert (await home.run("show", "--json")).report == straight


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
async def test_extended_rollout_is_the_longer_rollout(home: Home, straight: Any) -> None:
    short = (await home.run(*JOB, "--trials", "40")).report
    assert short["trials"] == 40
    added = str(TRIALS - 40)
    longer = await home.run("extend", "1", "--trials", added, "--json", "--local", "2")
    assert longer.report == straight


async def midway(home: Home) -> None:
    """Wait until the job has begun and is not done."""
    async with asyncio.timeout(RUN_S_MAX):
        while not home.has_job():  # noqa: ASYNC110  # no other process tells
            await asyncio.sleep(0.02)
    await asyncio.sleep(MIDWAY_S)


@pytest.mark.when_changed
async def test_interrupted_rollout_says_how_to_go_on(home: Home, straight: Any) -> None:
    async with home.running(*JOB, "--trials", str(TRIALS)) as process:
        await midway(home)
        process.send_signal(signal.SIGINT)
        ended = await rest_of(process)
    assert ended.code == 130
    assert '"stopped_by": "halted"' in ended.out
    assert ended.complaint == "manyply: go on with: manyply resume 1"
    assert (await home.run("resume", "--json", "--local", "2")).report == straight


@pytest.mark.when_changed
async def test_second_interruption_quits_at_once(home: Home, straight: Any) -> None:
    async with home.running(*JOB, "--trials", str(TRIALS)) as process:
        await midway(home)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)  # two SIGINTs may melt into one
        ended = await rest_of(process)
    assert ended.code == 130
    assert "Traceback" not in ended.err
    assert (await home.run("resume", "--json", "--local", "2")).report == straight
