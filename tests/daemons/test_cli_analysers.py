"""Analysers that cannot be used: a warning, and the job goes on with the others."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.daemons.analyser_programs import ANALYSER, HERE, listening, started
from tests.daemons.command_line import POSITION, RUN_S_MAX, Home, rest_of

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

ROLLOUT = ("rollout", POSITION, "--trials", "72", "--truncate", "6")

SAYINGS = {
    "noise": bytes(range(256)) * 40,
    "web-page": b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>\r\n",
    "endless-line": b"a" * 5_000_000,
    "other-version": b"analyser 3.0 name=new cores=1 session= games=backgammon "
    b"line_bytes_max=65536 unacked_max=65536 first_unacked=1\n",
    "nothing": b"",
}


@asynccontextmanager
async def saying(words: bytes) -> AsyncIterator[int]:
    """Listen on a free port; say the same to everybody, and hang up."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            writer.write(words)
            await writer.drain()
        except OSError:
            pass  # The caller has hung up first, as it may.
        finally:
            writer.close()

    server = await asyncio.start_server(answer, HERE, 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


@pytest.mark.parametrize("words", SAYINGS.values(), ids=SAYINGS)
@pytest.mark.when_changed
async def test_analyser_that_talks_nonsense_is_a_warning(home: Home, words: bytes) -> None:
    async with saying(words) as port:
        ended = await home.run(*ROLLOUT, "--local", "1", "--analyser", f"{HERE}:{port}")
    assert ended.code == 0, ended
    assert "72 trials, complete" in ended.out
    warnings = [line for line in ended.err.splitlines() if "warning" in line]
    assert any(f"analyser {HERE}:{port}" in line for line in warnings), ended.err
    assert "Traceback" not in ended.err
    assert all(len(line) < 400 for line in ended.err.splitlines())


@pytest.mark.parametrize("words", SAYINGS.values(), ids=SAYINGS)
@pytest.mark.when_changed
async def test_nonsense_alone_is_one_line(home: Home, words: bytes) -> None:
    async with saying(words) as port:
        address = f"{HERE}:{port}"
        ended = await home.run(*ROLLOUT, "--local", "0", "--analyser", address)
    assert ended.code == 1
    assert ended.complaint.startswith(f"manyply: no analyser can be used: {address}: ")
    assert len(ended.err.splitlines()) == 1
    assert ended.out == ""


@pytest.mark.when_changed
async def test_other_version_is_named(home: Home) -> None:
    async with saying(SAYINGS["other-version"]) as port:
        ended = await home.run(*ROLLOUT, "--local", "0", "--analyser", f"{HERE}:{port}")
    assert "version" in ended.complaint


@pytest.mark.when_changed
async def test_unreachable_analyser_is_a_warning(home: Home) -> None:
    with socket.socket() as closed:
        closed.bind((HERE, 0))
        address = f"{HERE}:{closed.getsockname()[1]}"
        async with listening("--workers", "1") as (_, port):
            both = ("--analyser", address, "--analyser", f"{HERE}:{port}")
            ended = await home.run(*ROLLOUT, "--local", "0", *both)
    assert ended.code == 0, ended
    assert f"analyser {address}: cannot connect: Connection refused" in ended.err


@pytest.mark.when_changed
async def test_job_waits_for_analysers_that_cannot_be_reached_yet(home: Home) -> None:
    with socket.socket() as reserved:
        reserved.bind((HERE, 0))
        address = f"{HERE}:{reserved.getsockname()[1]}"
        fleet = ("--local", "0", "--analyser", address, "--json")
        async with home.running(*ROLLOUT, *fleet, stderr=asyncio.subprocess.PIPE) as process:
            assert process.stderr is not None
            line = (await process.stderr.readline()).decode()
            assert line.startswith(f"manyply: no analyser can be reached yet ({address}): ")
            async with asyncio.timeout(RUN_S_MAX):
                while not home.has_job():  # noqa: ASYNC110  # no other process tells
                    await asyncio.sleep(0.02)
            process.send_signal(signal.SIGINT)
            ended = await rest_of(process)
        assert ended.code == 130
        assert ended.complaint == "manyply: go on with: manyply resume 1"
    resumed = await home.run("resume", "--local", "1", "--json")
    assert (resumed.report["trials"], resumed.report["stopped_by"]) == (72, "trials")


@pytest.mark.when_changed
async def test_analyser_that_is_started_late_does_the_job(home: Home) -> None:
    with socket.socket() as reserved:
        reserved.bind((HERE, 0))
        address = f"{HERE}:{reserved.getsockname()[1]}"
        fleet = ("--local", "0", "--analyser", address, "--json")
        async with home.running(*ROLLOUT, *fleet, stderr=asyncio.subprocess.PIPE) as process:
            assert process.stderr is not None
            await process.stderr.readline()
            reserved.close()
            async with started(*ANALYSER, "--listen", address, "--workers", "1"):
                ended = await rest_of(process)
    assert (ended.code, ended.report["trials"]) == (0, 72)


@pytest.mark.when_changed
async def test_busy_analyser_is_a_warning_that_names_its_master(home: Home) -> None:
    long = ("rollout", POSITION, "--local", "0")
    async with listening("--workers", "1") as (_, port):
        mine = ("--analyser", f"{HERE}:{port}")
        async with home.running(*long, *mine):
            await home.has_stored(1)
            ended = await home.run(*ROLLOUT, "--local", "0", *mine)
    assert ended.code == 1
    assert "busy" in ended.complaint


@pytest.mark.parametrize(
    ("command", "reason"),
    [("exec:/nonexistent/analyser", "No such file"), ("exec:false", "closed the connection")],
)
@pytest.mark.when_changed
async def test_command_that_is_no_analyser_is_one_line(
    home: Home, command: str, reason: str
) -> None:
    ended = await home.run(*ROLLOUT, "--local", "0", "--analyser", command)
    assert ended.code == 1
    assert reason in ended.complaint
