"""Analysers dial in, or are dialled again and again."""

import asyncio
import random
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from master.config.certificates import certificate_pem
from master.config.fleet_list import ExecAddress, FleetAddress, FleetEntry
from master.contract.errors import MasterError
from master.service.analysers import dialler
from master.service.analysers.dialler import (
    LEFT_AT_ONCE,
    NO_GREETING,
    NO_GREETING_OVER_TLS,
    WAIT_S_MAX,
    WAIT_S_MIN,
    Backoff,
    Dialler,
)
from master.service.analysers.endpoints import Endpoint, listen_for_analysers
from protocol.access.rules import NOBODY_ELSE, Access
from protocol.address import Address
from protocol.aio import Link
from protocol.aio.tcp import serve_tcp
from protocol.guards.access_control import AccessControl
from protocol.messages import VERSION
from protocol.sides import MasterSide
from tests.master.service.hall import Hall
from tests.master.service.watching import until
from tests.protocol.aio.peers import analyse, analyser_side
from tests.protocol.household import AUTHORITY, HERE, STRANGER, identity, machine, pem

GREETING = b"analyser 2.2 name=attic cores=1\n"
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Caller:
    """A dialler that does not wait between attempts, and what it warned of."""

    def __init__(self, address: FleetAddress, access: Access = NOBODY_ELSE) -> None:
        self.warnings: list[str] = []
        entry = FleetEntry("cellar", address)
        self.dialler = Dialler(
            entry,
            Hall().analyser_handler,
            self.warnings.append,
            access,
            uniform=lambda low, high: 0.0,
        )
        self.running = asyncio.create_task(self.dialler.run())

    async def first_reason(self) -> str:
        async with asyncio.timeout(5):
            return await self.dialler.first_reason

    async def close(self) -> None:
        self.running.cancel()
        await asyncio.gather(self.running, return_exceptions=True)


@asynccontextmanager
async def calling(address: FleetAddress, access: Access = NOBODY_ELSE) -> AsyncIterator[Caller]:
    caller = Caller(address, access)
    try:
        yield caller
    finally:
        await caller.close()


@asynccontextmanager
async def listening(serve: Serve) -> AsyncIterator[Address]:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield Address("127.0.0.1", server.sockets[0].getsockname()[1])
    server.close()


OWN = pem(machine("desk"))
FOREIGN = pem(machine("thief", HERE, authority=STRANGER), STRANGER)


@pytest.mark.sockets
@pytest.mark.parametrize(
    ("own", "theirs", "reason"),
    [
        (OWN, FOREIGN, "its certificate is not accepted: "),
        (FOREIGN + certificate_pem(AUTHORITY.certificate), pem(machine("attic", HERE)),
         NO_GREETING_OVER_TLS),
    ],
    ids=["theirs", "ours"],
)  # fmt: skip
async def test_certificate_that_is_not_accepted_is_said(
    tmp_path: Path, own: bytes, theirs: bytes, reason: str
) -> None:
    keeper = AccessControl(Access(tls=identity(tmp_path, theirs, "theirs")))
    listener = await serve_tcp(HERE, 0, analyser_side, analyse, keeper=keeper)
    access = Access(tls=identity(tmp_path, own, "own"))
    async with calling(Address(HERE, listener.port), access) as caller:
        assert (await caller.first_reason()).startswith(reason)
    await listener.aclose()


@pytest.mark.sockets
async def test_source_port_can_be_fixed() -> None:
    ports: list[int] = []
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    async def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ports.append(writer.get_extra_info("peername")[1])
        writer.close()

    async with listening(note) as address:
        entry, hall = FleetEntry("cellar", address), Hall()
        dialler = Dialler(
            entry, hall.analyser_handler, print, local_port=port, uniform=lambda *_: 60.0
        )
        running = asyncio.create_task(dialler.run())
        async with asyncio.timeout(5):
            await dialler.first_reason
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert ports == [port]


@pytest.mark.sockets
async def test_refused_connection_is_warned_of_once() -> None:
    async with calling(Address("127.0.0.1", 9)) as caller:
        assert await caller.first_reason() == "cannot connect: Connection refused"
        for _ in range(50):
            await asyncio.sleep(0)
        assert caller.warnings == ["analyser 127.0.0.1:9: cannot connect: Connection refused"]
        assert (caller.dialler.endpoint.name, caller.dialler.endpoint.state) == (
            "cellar",
            "connecting",
        )


@pytest.mark.sockets
async def test_analyser_that_was_busy_is_tried_again_until_it_is_ready() -> None:
    calls = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal calls
        calls += 1
        writer.write(GREETING)
        await reader.readline()
        writer.write(b"busy by=somebody\n" if calls < 3 else b"ready 2\n")
        await reader.read()
        writer.close()

    async with listening(serve) as address, calling(address) as caller:
        assert await caller.first_reason() == "busy, serves somebody"
        async with asyncio.timeout(5):
            while caller.dialler.endpoint.state != "ready":  # noqa: ASYNC110  # nobody tells of it
                await asyncio.sleep(0)
        assert caller.warnings == [f"analyser {address}: busy, serves somebody"]


@pytest.mark.sockets
@pytest.mark.parametrize(
    ("greeting", "reason"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n", "not-manyply: no greeting of an analyser came"),
        (b"analyser 3.0 name=x cores=1\n", f"wrong-version: 3.0 here is {VERSION}"),
        (b"", LEFT_AT_ONCE),
    ],
)
async def test_stranger_is_warned_of_with_the_reason(greeting: bytes, reason: str) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(greeting)
        writer.close()

    async with listening(serve) as address, calling(address) as caller:
        assert await caller.first_reason() == reason
        assert caller.warnings[0] == f"analyser {address}: {reason}"


@pytest.mark.sockets
async def test_one_that_waits_and_leaves_may_speak_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialler, "TLS_WAITS_S", 0.0)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with listening(serve) as address, calling(address) as caller:
        assert await caller.first_reason() == NO_GREETING


@pytest.mark.sockets
async def test_command_that_cannot_be_started_is_named(tmp_path: Path) -> None:
    address = ExecAddress((str(tmp_path / "none"),))
    async with calling(address) as caller:
        assert await caller.first_reason() == "cannot connect: No such file or directory"


@pytest.mark.sockets
async def test_words_of_ssh_begin_with_the_host_and_are_shown_once(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    calls.touch()
    words = "printf 'Permission denied (publickey).\\r\\nBye' >&2"
    refuses = f"{words}; echo >> {calls}; exit 255"
    async with calling(ExecAddress(("sh", "-c", refuses), "me@attic")) as caller:
        await until(lambda: calls.read_text().count("\n") >= 3)
        assert await caller.first_reason() == "Bye"
    assert caller.warnings == ["me@attic: Permission denied (publickey).", "me@attic: Bye"]


@pytest.mark.sockets
async def test_host_that_does_not_exist_is_named() -> None:
    async with calling(Address("no-such-host.invalid", 1)) as caller:
        assert (await caller.first_reason()).startswith("cannot connect: ")


@pytest.mark.sockets
def test_program_that_path_lacks_is_the_one_beside_us(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, path = tmp_path / "venv", tmp_path / "path"
    for folder in (ours, path):
        folder.mkdir()
    (ours / "manyply-analyser").touch(0o755)
    monkeypatch.setattr(sys, "executable", str(ours / "python"))
    monkeypatch.setenv("PATH", str(path))
    argv = ("manyply-analyser", "--stdio")
    assert dialler._found(argv) == (str(ours / "manyply-analyser"), "--stdio")
    assert dialler._found(("./manyply-analyser",)) == ("./manyply-analyser",)
    assert dialler._found(("ssh", "cellar")) == ("ssh", "cellar")
    (path / "manyply-analyser").touch(0o755)
    assert dialler._found(argv) == argv


def test_waits_stay_in_their_range_and_reach_the_end_of_it() -> None:
    backoff = Backoff(random.Random(1).uniform)
    waits = [backoff.next_wait_s() for _ in range(200)]
    assert all(WAIT_S_MIN <= wait <= WAIT_S_MAX for wait in waits)
    assert max(waits) == WAIT_S_MAX


def test_first_wait_after_a_success_is_short() -> None:
    backoff = Backoff(lambda low, high: high)
    grown = [backoff.next_wait_s() for _ in range(3)]
    assert grown == sorted(grown)
    backoff.reset()
    assert backoff.next_wait_s() <= 3 * WAIT_S_MIN + 1e-9


def test_session_comes_back_through_its_own_endpoint_or_from_one_that_dials_in_to_another() -> None:
    attic, cellar = (
        Endpoint("", "attic:1", is_returning=True),
        Endpoint("", "cellar:1", is_returning=True),
    )
    one, other = Endpoint.inbound("a:50001"), Endpoint.inbound("a:50002")
    assert attic.leads_back_to(attic)
    assert other.leads_back_to(one)
    assert not cellar.leads_back_to(attic)
    assert not one.leads_back_to(attic)
    assert not attic.leads_back_to(one)


KEEPER = AccessControl(NOBODY_ELSE)


async def test_each_link_is_served_by_a_masters_side() -> None:
    sides: asyncio.Queue[object] = asyncio.Queue()

    async def serve(link: Link) -> None:
        await sides.put(link.connection)

    listener = await listen_for_analysers(Address("127.0.0.1", 0), KEEPER, serve)
    _, writer = await asyncio.open_connection("127.0.0.1", listener.port)
    assert isinstance(await sides.get(), MasterSide)
    writer.close()
    with pytest.raises(MasterError, match=r"cannot listen on 127\.0\.0\.1:.*: "):
        await listen_for_analysers(Address("127.0.0.1", listener.port), KEEPER, serve)
    await listener.aclose()


async def test_a_endpoint_that_nothing_guards_stays_shut() -> None:
    async def serve(link: Link) -> None: ...

    with pytest.raises(MasterError, match="anybody who reaches"):
        await listen_for_analysers(Address("0.0.0.0", 0), KEEPER, serve)
