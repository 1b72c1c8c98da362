"""Endpoints as processes: secrets, the page's token, and strangers that take no descriptor."""

import asyncio
import os
import re
import signal
import socket
import sys
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.error import HTTPError

import pytest

from engine_ext.noop.runner import noop_context
from master.api.client import MasterClient
from master.config.paths import control_socket_path
from master.contract.job_words import JobState
from master.contract.views import JobRequest
from protocol.access.lock import Lock, SharedSecret
from protocol.aio import connect_tcp
from protocol.guards.secret_files import make_secret, read_secret
from protocol.session import MasterSession
from protocol.sides import MasterSide
from tests.daemons.analyser_programs import (
    ANALYSER,
    ENVIRON,
    HERE,
    STEP_S_MAX,
    Process,
    ended,
    line_with,
    listening,
    started,
    works_with,
)
from tests.daemons.analyser_programs import works_with as works
from tests.daemons.command_line import MANYPLY, POSITION, Home, rest_of

pytestmark = [pytest.mark.sockets, pytest.mark.slow]
ROLLOUT = ("rollout", POSITION, "--trials", "36", "--plies", "0", "--json", "--local", "0")


@pytest.fixture
def secret_file(tmp_path: Path) -> Path:
    path = tmp_path / "shared"
    make_secret(path)
    return path


def locked(path: Path | None, nonce: str = "5" * 32) -> MasterSide:
    lock = None if path is None else Lock(read_secret(path), nonce)
    return MasterSide(MasterSession("s"), lock=lock)


async def answers(port: int, *lines: str) -> list[str]:
    """Say lines to a port; return all that comes back until its end."""
    async with asyncio.timeout(STEP_S_MAX):
        reader, writer = await asyncio.open_connection(HERE, port)
        writer.write("".join(f"{line}\n" for line in lines).encode())
        said = (await reader.read()).decode().splitlines()
        writer.close()
    return said


async def status(port: int, path: Path) -> str:
    """Return what an analyser tells a master that knows its secret."""
    async with asyncio.timeout(STEP_S_MAX):
        reader, writer = await asyncio.open_connection(HERE, port)
        nonce = (await reader.readline()).decode().split()[2]
        lock = Lock(read_secret(path), "7" * 32)
        writer.write(f"response {lock.nonce} {lock.master_proof(nonce)}\nstatus\n".encode())
        said = (await reader.readuntil(b"refused")) + await reader.readline()
        writer.close()
    return said.decode()


@pytest.mark.when_changed
async def test_who_knows_the_secret_works_and_others_are_counted(
    secret_file: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    make_secret(other)
    async with listening("--secret", str(secret_file)) as (process, port):
        for path, code in ((None, "no-secret"), (other, "bad-secret"), (other, "bad-secret")):
            link = await connect_tcp(HERE, port, locked(path))
            with pytest.raises(Exception, match=code):
                await works(link)
        assert "bad-secret" in await line_with(process, "bad-secret")
        await works(await connect_tcp(HERE, port, locked(secret_file)))
        said = await status(port, secret_file)
    assert "refused: bad-secret 2, no-secret 1" in said


@pytest.mark.parametrize("line", ["help", "who", "status", "master 2.2 name=x", "\x16\x03\x01"])
async def test_stranger_learns_that_a_secret_is_asked_for_and_nothing_else(
    line: str, secret_file: Path
) -> None:
    async with listening("--secret", str(secret_file), "--name", "attic") as (_, port):
        said = await answers(port, line, *["?"] * 9)
    assert re.fullmatch(r"challenge 2\.2 [0-9a-f]{32}", said[0])
    assert {line.split()[0] for line in said[1:]} == {"error"}
    assert "attic" not in "".join(said)


async def test_handshake_that_was_overheard_is_of_no_use(secret_file: Path) -> None:
    """What one master said is said again, and what it was told is told to another master."""
    async with listening("--secret", str(secret_file)) as (_, port):
        heard = await status(port, secret_file)
        greeting = next(line for line in heard.splitlines() if line.startswith("analyser"))
        lock = Lock(read_secret(secret_file), "7" * 32)
        old = f"response {lock.nonce} {lock.master_proof('1' * 32)}"
        said = await answers(port, old)
    assert said[-1].startswith("error bad-secret")
    side = locked(secret_file)
    side.tick(0.0)
    side.receive(f"challenge 2.2 {'1' * 32}\n{greeting}\n".encode(), 0.0)
    assert side.is_closed
    assert b"error bad-secret" in side.bytes_to_send()


@pytest.mark.when_changed
async def test_nothing_listens_beyond_this_machine_unguarded(secret_file: Path) -> None:
    for argv in (ANALYSER, (sys.executable, "-m", "master")):
        state = ("--state-dir", str(secret_file.parent)) if argv is not ANALYSER else ()
        async with started(*argv, *state, "--listen", ":0") as process:
            assert "--secret" in await line_with(process, "anybody who reaches")
            assert await ended(process) == 2
        for guard in (("--secret", str(secret_file)), ("--open",)):
            async with started(*argv, *state, "--listen", ":0", *guard) as process:
                await line_with(process, "listening")


async def test_socket_that_was_handed_over_is_no_exception() -> None:
    with socket.create_server(("0.0.0.0", 0)) as handed:  # that is the point
        for guard, word in (((), "anybody who reaches"), (("--open",), "listening")):
            async with started(*ANALYSER, *guard, stdin=handed) as process:
                await line_with(process, word)


async def test_address_that_is_not_allowed_gets_that_answer(secret_file: Path) -> None:
    async with listening("--allow", "192.0.2.0/24") as (process, port):
        assert (await answers(port))[0].startswith("error not-allowed")
        assert "192.0.2" not in (await line_with(process, "not-allowed"))


@asynccontextmanager
async def dialled_in(home: Home, master: Path, analyser: Path) -> AsyncIterator[str]:
    """Run a master that listens and an analyser that dials it; yield the master's line of it."""
    own = ("--state-dir", str(home.state), "--listen", f"{HERE}:0", "--secret", str(master))
    async with started(sys.executable, "-m", "master", *own, env=home.environ) as process:
        found = re.search(r"port (\d+)", await line_with(process, "listening"))
        assert found is not None
        words = ("--connect", f"{HERE}:{found[1]}", "--secret", str(analyser), "-v")
        async with started(*ANALYSER, *words) as dialling:
            yield await line_with(dialling, "serving" if master == analyser else "bad-secret")


@pytest.mark.when_changed
async def test_dialling_in_asks_for_the_secret_as_well(
    home: Home, secret_file: Path, tmp_path: Path
) -> None:
    async with dialled_in(home, secret_file, secret_file) as line:
        assert "serving" in line
    other = tmp_path / "other"
    make_secret(other)
    async with dialled_in(home, secret_file, other) as line:
        assert "bad-secret" in line


@pytest.mark.when_changed
async def test_rollout_over_a_locked_analyser_is_the_same_and_asks_for_the_secret(
    home: Home, secret_file: Path
) -> None:
    alone = (await home.run(*ROLLOUT[:-2], "--local", "1")).report
    async with listening("--secret", str(secret_file), "--workers", "1") as (_, port):
        over = (*ROLLOUT, "--analyser", f"{HERE}:{port}")
        found = (await home.run(*over, "--secret", str(secret_file))).report
        refused = await home.run(*over)
    assert found["alternatives"] == alone["alternatives"]
    assert refused.code == 1
    assert "no-secret" in refused.complaint


def test_secret_is_long_enough_to_be_one() -> None:
    with pytest.raises(ValueError, match="16 to 1024"):
        SharedSecret(b"password")


WRAPPED = """
for name in allow deny; do mount --bind "$RULES/hosts.$name" /etc/hosts.$name || exit 77; done
exec "$@"
"""
"""Runs a program that sees other hosts.allow and hosts.deny, in a mount namespace of its own."""


@pytest.mark.skipif(not Path("/etc/hosts.deny").exists(), reason="libwrap0 is not installed")
@pytest.mark.skipif(os.getuid() != 0, reason="a mount namespace takes root")
@pytest.mark.parametrize(
    ("allow", "deny", "answer"),
    [
        ("", "manyply-analyser: 127.0.0.1", "error not-allowed"),
        ("", "manyply-master: ALL", "analyser "),
        ("manyply-analyser: 127.", "ALL: ALL", "analyser "),
        ("manyply-analyser: 192.0.2.", "ALL: ALL", "error not-allowed"),
    ],
)
async def test_rules_of_the_real_libwrap_are_obeyed(
    tmp_path: Path, allow: str, deny: str, answer: str
) -> None:
    for name, rules in (("allow", allow), ("deny", deny)):
        (tmp_path / f"hosts.{name}").write_text(f"{rules}\n")
    wrapped = ("unshare", "-m", "sh", "-c", WRAPPED, "sh", *ANALYSER)
    environ = ENVIRON | {"RULES": str(tmp_path)}
    async with started(*wrapped, "--listen", f"{HERE}:0", "--libwrap", env=environ) as process:
        found = re.search(r"port (\d+)", await line_with(process, "listening"))
        assert found is not None
        async with asyncio.timeout(STEP_S_MAX):
            reader, writer = await asyncio.open_connection(HERE, int(found[1]))
            assert (await reader.readline()).decode().startswith(answer)
            writer.close()


@asynccontextmanager
async def mastering(home: Home, *options: str) -> AsyncIterator[str]:
    """Run a master; yield where its page is, if it has one."""
    argv = (sys.executable, "-m", "master", "--state-dir", str(home.state), *options)
    async with started(*argv, env=home.environ) as process:
        said = await line_with(process, "the page is on" if "--web" in options else "ready")
        found = re.search(r"http://\S+", said)
        if found is not None:
            await line_with(process, "ready")
        yield "" if found is None else found[0]


async def reported(asked: str | urllib.request.Request) -> str:
    """Return what is answered, in a thread."""

    def read() -> str:
        with urllib.request.urlopen(asked, timeout=STEP_S_MAX) as answer:
            return str(answer.read().decode())

    return await asyncio.to_thread(read)


@pytest.mark.when_changed
async def test_page_is_found_and_a_job_is_halted_there(home: Home) -> None:
    async with mastering(home, "--web", f"{HERE}:0") as url:
        ended = await home.run("web", "--no-browser")
        assert ended.code == 0, ended
        found, _, token = ended.out.strip().partition("#token=")
        assert found == url
        assert "<title>manyply</title>" in await reported(url)
        async with MasterClient(control_socket_path(home.state, home.environ)) as client:
            assert (await client.about()).page == url
            job = await client.submit(JobRequest(noop_context(), 1_000))
            assert '"state":"running"' in await reported(f"{url}api/jobs")
            assert '"rounds":[]' in await reported(f"{url}api/jobs/{job}/course")
            assert '"is_live":true' in await reported(f"{url}api/jobs/{job}/flow")
            fields = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            halt = urllib.request.Request(f"{url}api/jobs/{job}/halt", b"{}", fields)
            assert await reported(halt) == f'{{"job":{job}}}'
            assert (await client.show(job)).state is JobState.HALTED


async def test_page_beyond_this_machine_takes_its_token(home: Home) -> None:
    async with mastering(home, "--web", "0.0.0.0:0", "--open") as url:
        assert await reported(f"{url}healthz") == "ok\n"
        with pytest.raises(HTTPError, match="401"):
            await reported(f"{url}api/jobs")


@pytest.mark.when_changed
async def test_master_without_a_page_says_so(home: Home) -> None:
    async with mastering(home):
        ended = await home.run("web")
    assert ended.code == 2
    assert "serves no page: start it with manyply-master --web" in ended.complaint


@pytest.mark.when_changed
async def test_without_a_master_one_is_started_for_the_page(home: Home) -> None:
    with socket.create_server((HERE, 0)) as other:
        port = str(other.getsockname()[1])
    async with home.running("web", "--local", "1", "--port", port) as web:
        said = await line_with(web, "until Ctrl-C")
        assert "a master runs in this terminal until Ctrl-C, with 1 worker" in said
        assert web.stdout is not None
        link = (await web.stdout.readline()).decode().strip()
        assert "<title>manyply</title>" in await reported(link.partition("#")[0])
        again = await home.run("web", "--no-browser")
        assert again.out.strip() == link
        refused = await home.run("web", "--local", "2")
        assert refused.code == 2
        assert refused.complaint.endswith("leave out --workers to open its page")
        web.send_signal(signal.SIGINT)
        ended = await rest_of(web)
    assert (ended.code, ended.complaint) == (130, "")


MASTER = (sys.executable, "-m", "master")
STRANGERS = 200


def limited(count: int, *argv: str) -> tuple[str, ...]:
    """Return a command that may have so many descriptors."""
    return ("prlimit", f"--nofile={count}", *argv)


@asynccontextmanager
async def strangers(port: int) -> AsyncIterator[None]:
    """Hold as many connections as one gets, and say nothing on them."""
    opened = await asyncio.gather(
        *(asyncio.open_connection(HERE, port) for _ in range(STRANGERS)), return_exceptions=True
    )
    writers = [found[1] for found in opened if not isinstance(found, BaseException)]
    assert len(writers) > STRANGERS // 2
    try:
        yield
    finally:
        for writer in writers:
            writer.close()


async def port_of(process: Process) -> int:
    found = re.search(r"port (\d+)", await line_with(process, "on port"))
    assert found is not None
    return int(found[1])


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    "argv",
    [
        (*MANYPLY, "rollout", POSITION, "--trials", "36"),
        MASTER,
        (*ANALYSER, "--listen", f"{HERE}:0"),
    ],
)
@pytest.mark.parametrize("count", [10, 16, 31])
@pytest.mark.when_changed
async def test_too_few_descriptors_are_one_line(
    tmp_path: Path, argv: tuple[str, ...], count: int
) -> None:
    home = Home(tmp_path)
    async with started(*limited(count, *argv), env=home.environ) as process:
        ended = await rest_of(process)
    assert ended.code == 1
    (line,) = ended.err.splitlines()
    assert re.fullmatch(
        rf"manyply[a-z-]*: {count} open files are allowed: expected 32 or more \(ulimit -n\)", line
    )


@pytest.mark.timeout(240)
@pytest.mark.when_changed
async def test_owner_and_analysers_come_through_while_strangers_hold_all_they_get(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    argv = limited(64, *MASTER, "--listen", f"{HERE}:0")
    async with started(*argv, env=home.environ) as master:
        port = await port_of(master)
        await line_with(master, "ready")
        async with strangers(port):
            assert (await home.run("jobs")).code == 0
            dialling = (*ANALYSER, "--connect", f"{HERE}:{port}", "--workers", "1")
            async with started(*dialling, env=home.environ):
                done = await home.run("rollout", POSITION, "--trials", "36", "--truncate", "2")
                assert done.code == 0, done
        assert master.returncode is None


@pytest.mark.timeout(240)
@pytest.mark.when_changed
async def test_master_comes_through_to_an_analyser_whose_port_strangers_hold() -> None:
    argv = limited(64, *ANALYSER, "--listen", f"{HERE}:0", "--workers", "1")
    async with started(*argv) as analyser:
        port = await port_of(analyser)
        async with strangers(port):
            await works_with(await connect_tcp(HERE, port, MasterSide()))
        assert analyser.returncode is None
