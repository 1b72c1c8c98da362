"""Doors with a lock, as processes: who knows the secret works, and nobody else learns anything."""

import asyncio
import os
import re
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from protocol.access.lock import Lock, SharedSecret
from protocol.aio import connect_tcp
from protocol.guards.secret_files import make_secret, read_secret
from protocol.session import MasterSession
from protocol.sides import MasterSide
from tests.daemons.analyser_programs import (
    ANALYSER,
    ENVIRON,
    HERE,
    ended,
    line_with,
    listening,
    started,
)
from tests.daemons.analyser_programs import works_with as works
from tests.daemons.command_line import POSITION, Home

pytestmark = [pytest.mark.sockets, pytest.mark.slow]
STEP_S_MAX = 20.0
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


async def test_address_that_is_not_allowed_is_told_so(secret_file: Path) -> None:
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
