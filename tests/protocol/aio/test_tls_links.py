"""Links over TLS: the household's machines work, others are turned away and counted."""

import asyncio
import contextlib
import socket
from pathlib import Path

import pytest

from protocol.access.lock import SharedSecret
from protocol.access.rules import Access, Identity
from protocol.aio import listener as listener_module
from protocol.aio.link import Link
from protocol.aio.listener import Listener
from protocol.aio.tcp import connect_tcp, from_socket, serve_tcp
from protocol.guards.access_control import AccessControl
from protocol.sides import AnalyserSide, MasterSide
from tests.protocol.aio.peers import EXPECTED, HELLO, analyse, roll_out
from tests.protocol.conftest import Run
from tests.protocol.household import (
    HERE,
    LONG_AGO,
    STRANGER,
    identity,
    machine,
    pem,
    revoked,
    write,
)

pytestmark = pytest.mark.sockets

SECRET = SharedSecret(b"correct horse battery staple")
ATTIC = pem(machine("attic", HERE))
DESK = pem(machine("desk", HERE))
THIEF = machine("thief", HERE)


async def opened(access: Access) -> tuple[Listener, AccessControl]:
    keeper = AccessControl(access)

    def side() -> AnalyserSide:
        return AnalyserSide(HELLO, lock=access.lock())

    return await serve_tcp(HERE, 0, side, analyse, keeper=keeper), keeper


async def dial(port: int, access: Access) -> Link:
    return await connect_tcp(HERE, port, MasterSide(lock=access.lock()), tls=access.tls)


@pytest.mark.parametrize("secret", [None, SECRET])
def test_household_works(run: Run, tmp_path: Path, secret: SharedSecret | None) -> None:
    async def scenario() -> None:
        attic = Access(secret, identity(tmp_path, ATTIC, "attic"))
        desk = Access(secret, identity(tmp_path, DESK, "desk"))
        listener, keeper = await opened(attic)
        for _ in range(2):
            link = await dial(listener.port, desk)
            assert link.peer == f"{HERE}:{listener.port}"
            assert await roll_out(link) == EXPECTED
        await listener.aclose()
        assert not keeper.counts

    run(scenario())


STRANGERS = {
    "foreign": pem(machine("desk", HERE, authority=STRANGER), STRANGER),
    "expired": pem(machine("desk", HERE, made=LONG_AGO)),
    "revoked": pem(THIEF),
}


@pytest.mark.parametrize("stranger", STRANGERS)
def test_stranger_is_turned_away_and_counted(run: Run, tmp_path: Path, stranger: str) -> None:
    async def scenario() -> None:
        attic = identity(tmp_path, ATTIC + revoked(THIEF), "attic")
        other = identity(tmp_path, STRANGERS[stranger], "other")
        listener, keeper = await opened(Access(tls=attic))
        with contextlib.suppress(OSError):  # of TLS 1.3 it may hear of it behind its handshake
            link = await dial(listener.port, Access(tls=other))
            async with asyncio.timeout(9):
                assert await link.events() != []
            assert link.is_closed
        await counted(keeper, 1)
        await listener.aclose()

    run(scenario())


async def counted(keeper: AccessControl, count: int) -> None:
    async with asyncio.timeout(9):
        while keeper.counts["tls-failed"] < count:  # noqa: ASYNC110  # nobody tells
            await asyncio.sleep(0.005)
    assert keeper.counts == {"tls-failed": count}


def test_server_of_strangers_is_refused(run: Run, tmp_path: Path) -> None:
    async def scenario() -> None:
        listener, _ = await opened(Access(tls=identity(tmp_path, STRANGERS["foreign"], "a")))
        with pytest.raises(OSError, match="certificate verify failed"):
            await dial(listener.port, Access(tls=identity(tmp_path, DESK, "desk")))
        await listener.aclose()

    run(scenario())


def test_plain_text_is_turned_away_and_told_nothing(run: Run, tmp_path: Path) -> None:
    async def scenario() -> None:
        listener, keeper = await opened(Access(tls=identity(tmp_path, ATTIC)))
        reader, writer = await asyncio.open_connection(HERE, listener.port)
        writer.write(b"master 2.2 name=me\n" * 9)
        async with asyncio.timeout(9):
            said = await reader.read()
        writer.close()
        assert b"analyser" not in said
        assert b"challenge" not in said
        await counted(keeper, 1)
        await listener.aclose()

    run(scenario())


async def relay(port: int, here: Identity, there: Identity) -> Listener:
    """Stand in the middle of two TLS channels, and pass on what is said."""

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            writer.write(data)
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        context = there.client_context()
        other, to_other = await asyncio.open_connection(
            HERE, port, ssl=context, server_hostname=HERE
        )
        await asyncio.gather(pass_on(reader, to_other), pass_on(other, writer))

    server = await asyncio.start_server(serve, HERE, 0, ssl=here.server_context())
    return server  # type: ignore[return-value]  # it has what is used of one


def test_member_in_the_middle_passes_no_proof_on(run: Run, tmp_path: Path) -> None:
    """Its certificates are good, but the channel is another one than was proved for."""

    async def scenario() -> None:
        attic = Access(SECRET, identity(tmp_path, ATTIC, "attic"))
        middle = identity(tmp_path, pem(THIEF), "middle")
        listener, keeper = await opened(attic)
        server = await relay(listener.port, middle, middle)
        port = server.sockets[0].getsockname()[1]  # type: ignore[attr-defined]
        link = await dial(port, Access(SECRET, identity(tmp_path, DESK, "desk")))
        reasons = [str(event) async for event in link]
        assert any("bad-secret" in reason for reason in reasons)
        await link.aclose()
        server.close()  # type: ignore[attr-defined]
        await listener.aclose()
        assert not keeper.counts["tls-failed"]

    run(scenario())


@pytest.mark.parametrize("limit", ["UNSETTLED_OF_ONE_MAX", "UNSETTLED_MAX", "SECURING_MAX"])
def test_those_who_never_finish_a_handshake_make_room(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(listener_module, limit, 5)

    async def scenario() -> None:
        access = Access(tls=identity(tmp_path, ATTIC))
        listener, _ = await opened(access)
        slow = [socket.create_connection((HERE, listener.port)) for _ in range(12)]
        link = await dial(listener.port, access)
        assert await roll_out(link) == EXPECTED
        for sock in slow[:7]:
            sock.settimeout(9)
            with contextlib.suppress(ConnectionResetError):
                assert sock.recv(1) == b""
        assert len(listener._securing) <= 5
        for sock in slow:
            sock.close()
        await listener.aclose()

    run(scenario())


def test_renewed_certificate_is_shown_to_the_next(run: Run, tmp_path: Path) -> None:
    async def scenario() -> None:
        path = write(tmp_path / "attic", ATTIC)
        attic = identity(tmp_path, ATTIC, "attic")
        listener, _ = await opened(Access(tls=attic))
        desk = Access(tls=identity(tmp_path, DESK, "desk"))
        first, second = await dial(listener.port, desk), None
        write(path, pem(machine("attic", HERE)))
        second = await dial(listener.port, desk)
        shown = [certificate_of(link) for link in (first, second)]
        assert shown[0] != shown[1]
        for link in (first, second):
            assert await roll_out(link) == EXPECTED
        await listener.aclose()

    run(scenario())


def certificate_of(link: Link) -> bytes:
    channel = link._transport.get_extra_info("ssl_object")  # type: ignore[union-attr]
    certificate: bytes = channel.getpeercert(binary_form=True)
    return certificate


def test_socket_that_was_handed_over_speaks_tls(run: Run, tmp_path: Path) -> None:
    async def scenario() -> None:
        attic = identity(tmp_path, ATTIC, "attic")
        with socket.create_server((HERE, 0)) as listening:
            port = listening.getsockname()[1]
            dialled = asyncio.create_task(dial(port, Access(tls=identity(tmp_path, DESK, "desk"))))
            await asyncio.sleep(0)
            accepted, _ = await asyncio.to_thread(listening.accept)
            accepted.setblocking(False)
            served = asyncio.create_task(analyse(await from_socket(
                accepted, AnalyserSide(HELLO), attic
            )))  # fmt: skip
            assert await roll_out(await dialled) == EXPECTED
            await served

    run(scenario())
