"""A fleet behind a relay gives the same bits as one worker here, whatever happens to it."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from protocol.guards.secret_files import make_secret
from tests.daemons.analyser_programs import (
    HERE,
    Process,
    ended,
    line_with,
    listening,
    only_master_of,
    started,
)
from tests.daemons.command_line import POSITION, Home, rest_of
from tests.daemons.relay_programs import RELAY, RunningRelay, dialling, relaying

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

JOB = ("rollout", POSITION, "--dice", "31", "--candidates", "2", "--trials", "700", "--json")


@pytest.fixture(scope="module")
def straight_run() -> list[Any]:
    return []


@pytest.fixture
async def straight(straight_run: list[Any], tmp_path: Path) -> Any:
    """The job's report when one local worker computes all of it."""
    if not straight_run:
        straight_run.append((await Home(tmp_path / "straight").run(*JOB, "--local", "1")).report)
    return straight_run[0]


@asynccontextmanager
async def relay_of(count: int, *options: str) -> AsyncIterator[tuple[RunningRelay, list[Process]]]:
    """Run a relay and analysers that dial it."""
    async with AsyncExitStack() as stack:
        relay = await stack.enter_async_context(relaying(*options))
        pool = [
            await stack.enter_async_context(dialling(relay.down, "--name", f"m{number}"))
            for number in range(count)
        ]
        for process in pool:
            await line_with(process, "serving")
        yield relay, pool


def through(*relays: RunningRelay) -> list[str]:
    return ["--local", "0", *(word for relay in relays for word in ("--analyser", relay.up))]


@pytest.mark.when_changed
async def test_relay_of_two_gives_the_same_bits(home: Home, straight: Any) -> None:
    async with relay_of(2) as (relay, _):
        assert (await home.run(*JOB, *through(relay))).report == straight


@pytest.mark.when_changed
async def test_relay_that_is_started_by_a_command_starts_its_fleet_and_ends_it(
    home: Home, straight: Any
) -> None:
    command = " ".join((*RELAY, "--stdio", "--fleet", "local:2"))
    done = await home.run(*JOB, "--local", "0", "--analyser", f"exec:{command}")
    assert done.report == straight
    assert "closed" not in done.err, "its analysers end without a word"


@pytest.mark.when_changed
async def test_relay_below_a_relay_gives_the_same_bits(home: Home, straight: Any) -> None:
    async with relay_of(1) as (upper, _):
        lower_endpoint = ("--connect", upper.down, "--local", "1", "--name", "lower", "-v")
        async with started(*RELAY, *lower_endpoint) as lower:
            await line_with(lower, "serving")
            assert (await home.run(*JOB, *through(upper))).report == straight


@pytest.mark.when_changed
async def test_analyser_below_is_killed(home: Home, straight: Any) -> None:
    async with (
        relay_of(2) as (relay, (victim, _)),
        home.running(*JOB, *through(relay)) as process,
    ):
        await home.has_stored(1)
        victim.kill()
        assert (await rest_of(process)).report == straight


@pytest.mark.when_changed
async def test_one_of_two_relays_is_killed(home: Home, straight: Any) -> None:
    async with (
        relay_of(1) as (first, _),
        relay_of(1) as (second, _),
        home.running(*JOB, *through(first, second)) as process,
    ):
        await home.has_stored(1)
        first.process.kill()
        assert (await rest_of(process)).report == straight


@pytest.mark.when_changed
async def test_relay_finishes_its_parts_before_it_ends(home: Home, straight: Any) -> None:
    async with (
        relay_of(1) as (first, (below,)),
        relay_of(1) as (second, _),
        home.running(*JOB, *through(first, second)) as process,
    ):
        await home.has_stored(1)
        first.process.send_signal(signal.SIGTERM)
        assert await ended(first.process) == 0
        await line_with(below, "the master leaves")
        assert (await rest_of(process)).report == straight


@pytest.mark.when_changed
async def test_relay_grows_in_the_middle(home: Home, straight: Any) -> None:
    async with relay_of(1) as (relay, (first,)), home.running(*JOB, *through(relay)) as process:
        await home.has_stored(1)
        first.send_signal(signal.SIGSTOP)  # so that the job waits for the second
        async with dialling(relay.down, "--name", "late") as late:
            await line_with(late, "serving")
            await home.has_stored(home.stored_trials() + 1)
            first.send_signal(signal.SIGCONT)
            assert (await rest_of(process)).report == straight


@pytest.mark.when_changed
async def test_everybody_below_is_lost_and_somebody_comes(home: Home, straight: Any) -> None:
    async with relay_of(1) as (relay, (only,)), home.running(*JOB, *through(relay)) as process:
        await home.has_stored(1)
        only.kill()
        await line_with(relay.process, "serving")  # the master is back, and waits
        async with dialling(relay.down):
            assert (await rest_of(process)).report == straight


@pytest.mark.when_changed
async def test_moves_are_analysed_through_a_relay(home: Home) -> None:
    async with relay_of(2) as (relay, _):
        asked = ("move", POSITION, "--dice", "31", "--plies", "1", "--json")
        plain = await home.run(*asked, "--local", "1")
        relayed = await Home(home.directory / "other").run(*asked, *through(relay))
        assert relayed.report == plain.report


@pytest.mark.parametrize(
    "position",
    [
        ("othello", "-" * 27 + "OX------XO" + "-" * 27, "X", "--depth", "10"),
        ("chess", "--mode", "reproducible", "--depth", "12"),
    ],
    ids=lambda position: position[0],
)
@pytest.mark.when_changed
async def test_positions_are_searched_through_a_relay(
    home: Home, position: tuple[str, ...]
) -> None:
    asked = ("search", *position, "--json")
    async with relay_of(2) as (relay, _):
        plain = (await home.run(*asked, "--local", "1")).report
        relayed = (await home.run(*asked, *through(relay))).report
    assert relayed["value"] == plain["value"]
    assert relayed.get("best_move") == plain.get("best_move")
    assert [line["move"] for line in relayed.get("lines", ())] == [
        line["move"] for line in plain.get("lines", ())
    ]


@pytest.mark.when_changed
async def test_a_secret_above_and_another_below(home: Home, straight: Any, tmp_path: Path) -> None:
    above, below = tmp_path / "above", tmp_path / "below"
    make_secret(above)
    make_secret(below)
    secrets = ("--up-secret", str(above), "--secret", str(below))
    async with relaying(*secrets) as relay, dialling(relay.down, "--secret", str(above)) as wrong:
        assert "bad-secret" in await line_with(relay.process, "secret")
        wrong.kill()
        async with dialling(relay.down, "--secret", str(below)) as right:
            await line_with(right, "serving")
            refused = await home.run(*JOB, *through(relay), "--secret", str(below))
            assert refused.code != 0
            assert "bad-secret" in refused.complaint
            done = await home.run(*JOB, *through(relay), "--secret", str(above))
            assert done.report == straight


@pytest.mark.when_changed
async def test_a_relay_serves_one_master_as_an_analyser_does() -> None:
    async with relay_of(1) as (relay, _):
        master = await only_master_of(relay.up_port)
        assert master.link.connection.greeting.name  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--connect", f"{HERE}:1"), "nobody would compute: give --listen"),
        (("--local", "1"), "give --up-listen HOST:PORT, --connect HOST:PORT or --stdio"),
        (("--fleet", "what", "--stdio"), "names no fleet"),
        (("--local", "1", "--stdio", "--give-up-after", "5"), "belongs to --connect"),
        (("--local", "1", "--stdio", "--secret", "-"), "--stdio speaks with a master there"),
        (("--local", "1", "--stdio", "--up-secret", "-"), "--stdio speaks with a master there"),
    ],
)
@pytest.mark.when_changed
async def test_options_that_make_no_relay(options: tuple[str, ...], text: str) -> None:
    async with started(*RELAY, *options, stdin=asyncio.subprocess.PIPE) as process:
        assert text in await line_with(process, "Error")
        assert await ended(process) == 2


@pytest.mark.when_changed
async def test_endpoints_that_cannot_be_opened_end_it() -> None:
    async with listening() as (_, port):
        for code, endpoints in (
            (1, ("--up-listen", f"{HERE}:{port}", "--local", "1")),
            (1, ("--connect", f"{HERE}:1", "--listen", f"{HERE}:{port}")),
            (2, ("--connect", f"{HERE}:1", "--listen", ":0", "--secret", "none")),
            (1, ("--connect", f"{HERE}:1", "--fleet-file", "/no/such/file")),
        ):
            async with started(*RELAY, *endpoints) as process:
                assert await ended(process) == code
                await line_with(process, "manyply-relay: ")
