"""Links over TCP, TLS and other sockets: work, strangers turned away, and floods held back."""

import asyncio
import contextlib
import os
import select
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from protocol.access.lock import SharedSecret
from protocol.access.rules import Access, Identity
from protocol.aio import listener as listener_module
from protocol.aio.link import Link
from protocol.aio.listener import Listener
from protocol.aio.pipes import from_pipes
from protocol.aio.tcp import (
    connect_tcp,
    from_socket,
    listening_hosts,
    serve_socket,
    serve_tcp,
)
from protocol.guards.access_control import AccessControl
from protocol.messages import MasterHello, Ready, Trial, Trials
from protocol.plain import ANSWER_BYTES_HIGH
from protocol.sides import AnalyserSide, MasterSide, PeerClosed
from tests.protocol.aio.peers import (
    EXPECTED,
    HELLO,
    analyse,
    analyser_side,
    collect,
    roll_out,
    start_work,
)
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

HOST = "127.0.0.1"


def test_master_dials_analyser(run: Run) -> None:
    async def scenario() -> None:
        listener = await serve_tcp(HOST, 0, analyser_side, analyse)
        for _ in range(2):
            link = await connect_tcp(HOST, listener.port, MasterSide())
            assert link.peer == f"{HOST}:{listener.port}"
            assert await roll_out(link) == EXPECTED
        await listener.aclose()

    run(scenario())


def test_analyser_dials_master(run: Run) -> None:
    async def scenario() -> None:
        found: asyncio.Future[list[tuple[float, ...]]] = asyncio.Future()

        async def serve(link: Link) -> None:
            found.set_result(await roll_out(link))

        listener = await serve_tcp(HOST, 0, MasterSide, serve)
        link = await connect_tcp(HOST, listener.port, analyser_side())
        await analyse(link)
        assert await found == EXPECTED
        await listener.aclose()

    run(scenario())


def test_unix_listener_that_was_handed_over(run: Run, tmp_path: Path) -> None:
    async def scenario() -> None:
        with socket.socket(socket.AF_UNIX) as listening, socket.socket(socket.AF_UNIX) as sock:
            listening.bind(str(tmp_path / "s"))
            listening.listen()
            listener = await serve_socket(listening, analyser_side, analyse)
            assert listener.addresses == []
            sock.connect(str(tmp_path / "s"))
            assert await roll_out(await from_socket(sock.dup(), MasterSide())) == EXPECTED
            await listener.aclose()

    run(scenario())


def test_source_port_can_be_fixed(run: Run) -> None:
    async def scenario() -> None:
        with socket.create_server((HOST, 0)) as probe:
            local_port = probe.getsockname()[1]
        peers: list[str] = []

        async def serve(link: Link) -> None:
            peers.append(link.peer)
            await analyse(link)

        listener = await serve_tcp(HOST, 0, analyser_side, serve)
        link = await connect_tcp(HOST, listener.port, MasterSide(), local_port)
        await roll_out(link)
        assert peers == [f"{HOST}:{local_port}"]
        await listener.aclose()

    run(scenario())


async def test_nobody_there_is_an_os_error() -> None:
    with socket.create_server((HOST, 0)) as probe:
        port = probe.getsockname()[1]
    with pytest.raises(OSError, match=str(port)):
        await connect_tcp(HOST, port, MasterSide())


async def test_host_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.aio.tcp.CONNECT_TIMEOUT_S", 0.02)
    with contextlib.ExitStack() as stack:
        full = stack.enter_context(socket.create_server((HOST, 0), backlog=0))
        for _ in range(4):  # fill the queue of connections nobody accepts
            sock = stack.enter_context(socket.socket())
            sock.setblocking(False)
            sock.connect_ex(full.getsockname())
        with pytest.raises(TimeoutError):
            await connect_tcp(HOST, full.getsockname()[1], MasterSide())


def test_conn_limits(run: Run) -> None:
    async def scenario() -> None:
        listener = await serve_tcp(HOST, 0, analyser_side, analyse, link_count_max=1)
        first = await connect_tcp(HOST, listener.port, MasterSide())
        await start_work(first)
        second = await connect_tcp(HOST, listener.port, MasterSide())
        events = [event async for event in second]
        assert isinstance(events[-1], PeerClosed)
        assert len(await collect(first, 1, 3)) == 3
        await first.aclose()
        await listener.aclose()

    run(scenario())


def test_listener_that_closes_ends_its_links(run: Run) -> None:
    async def scenario() -> None:
        listener = await serve_tcp(HOST, 0, analyser_side, analyse)
        link = await connect_tcp(HOST, listener.port, MasterSide())
        await start_work(link)
        await listener.aclose()
        events = [event async for event in link]
        assert events == [PeerClosed("bye")]
        await link.aclose()

    run(scenario())


async def test_task_that_fails_is_reported_and_its_link_closed() -> None:
    reports: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reports.append(context))

    async def fail(link: Link) -> None:
        raise AssertionError("broken invariant")

    listener = await serve_tcp(HOST, 0, analyser_side, fail)
    link = await connect_tcp(HOST, listener.port, MasterSide())
    events = [event async for event in link]
    assert events[-1] == PeerClosed("bye")
    await link.aclose()
    await listener.aclose()
    assert [str(report["exception"]) for report in reports] == ["broken invariant"]


def test_peer_that_never_reads_does_not_block_the_other_direction(run: Run) -> None:
    """The sources' broadcast deadlock: both sides write, nobody reads."""

    async def scenario() -> None:
        ours, theirs = socket.socketpair()
        theirs.sendall(b"analyser 2.2 name=attic cores=2\n")
        link = await from_socket(ours, MasterSide())
        await link.events()
        link.send(MasterHello(name="me"))
        theirs.sendall(b"ready 2\n")
        (event,) = await link.events()
        assert isinstance(getattr(event, "message", None), Ready)
        part = 0
        while link.connection.is_writable:
            part += 1
            context = f"noop/1 {part} " + "x" * 8_000
            link.send(Trials(part=part, attempt=0, first_seq=0, count=1_000, context=context))
            await asyncio.sleep(0)
        waiting = asyncio.ensure_future(link.drain())
        theirs.sendall(b"".join(b"trial 1 0 %d 0.5\n" % seq for seq in range(1_000)))
        seqs: list[int] = []
        while len(seqs) < 1_000:
            messages = [getattr(event, "message", None) for event in await link.events()]
            seqs += [message.seq for message in messages if isinstance(message, Trial)]
        assert seqs == list(range(1_000))
        assert not waiting.done()
        with theirs:
            link.abort()
            await waiting

    run(scenario())


async def test_endpoint_is_reached_at_its_own_address_or_at_all_of_the_machine() -> None:
    assert await listening_hosts("127.0.0.1", 0) == ["127.0.0.1"]
    for everywhere in (None, ""):
        assert "0.0.0.0" in await listening_hosts(everywhere, 0)


PING = b"ping abcdefghijklmnopqrstuvwxyz\n"
KERNEL_BYTES = 1 << 14  # as little as there may be on the way: TCP's own buffers grow to megabytes
Open = Callable[[], Awaitable[tuple[Link, int, int]]]


async def tcp() -> tuple[Link, int, int]:
    """Return a link, and the peer's descriptors: to read, to write."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        peer = socket.socket()
        for sock in (listening, peer):
            for buffer in (socket.SO_SNDBUF, socket.SO_RCVBUF):
                sock.setsockopt(socket.SOL_SOCKET, buffer, KERNEL_BYTES)
        peer.connect(listening.getsockname())
        ours, _address = listening.accept()
    return await from_socket(ours, analyser_side()), os.dup(peer.fileno()), peer.detach()


async def unix() -> tuple[Link, int, int]:
    """As the control socket, and what inetd hands over."""
    ours, peer = socket.socketpair()
    return await from_socket(ours, analyser_side()), os.dup(peer.fileno()), peer.detach()


async def pipes() -> tuple[Link, int, int]:
    """As ssh starts an analyser."""
    down, up = os.pipe(), os.pipe()
    return await from_pipes(down[0], up[1], analyser_side(), "us"), up[0], down[1]


@pytest.mark.parametrize("open_endpoint", [tcp, unix, pipes])
def test_flood_is_held_back_and_goes_on_when_it_reads(run: Run, open_endpoint: Open) -> None:
    async def scenario() -> None:
        link, reading, writing = await open_endpoint()
        for descriptor in (reading, writing):
            os.set_blocking(descriptor, False)
        sent, waiting = 0, b""
        while not is_held_back(link) or not is_full(writing):
            waiting = waiting or PING * 100
            try:
                taken = os.write(writing, waiting)
            except BlockingIOError:
                taken = 0
            sent, waiting = sent + taken, waiting[taken:]
            await asyncio.sleep(0)
        core = link.connection
        assert ANSWER_BYTES_HIGH < core._out_bytes < ANSWER_BYTES_HIGH + 100
        assert not link.is_closed
        heard = bytearray()
        while len(heard) < sent // len(PING) * len(PING):
            try:
                heard += os.read(reading, 1 << 16)
            except BlockingIOError:
                await asyncio.sleep(0)
            if heard.startswith(b"analyser "):
                del heard[: heard.index(b"\n") + 1]
        assert heard == PING.replace(b"ping", b"pong") * (sent // len(PING))
        assert not is_held_back(link)
        link.abort()
        os.close(reading)
        os.close(writing)

    run(scenario())


def is_held_back(link: Link) -> bool:
    return link.connection.has_input and not link.connection.is_listening and link._is_read_paused


def is_full(descriptor: int) -> bool:
    """Whether nothing more can be written: the reader has stopped, and its buffers are full."""
    return not select.select([], [descriptor], [], 0)[1]


SECRET = SharedSecret(b"correct horse battery staple")
ATTIC = pem(machine("attic", HERE))
LAPTOP = pem(machine("laptop", HERE))
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
        laptop = Access(secret, identity(tmp_path, LAPTOP, "laptop"))
        listener, keeper = await opened(attic)
        for _ in range(2):
            link = await dial(listener.port, laptop)
            assert link.peer == f"{HERE}:{listener.port}"
            assert await roll_out(link) == EXPECTED
        await listener.aclose()
        assert not keeper.counts

    run(scenario())


STRANGERS = {
    "foreign": pem(machine("laptop", HERE, authority=STRANGER), STRANGER),
    "expired": pem(machine("laptop", HERE, made=LONG_AGO)),
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
            await dial(listener.port, Access(tls=identity(tmp_path, LAPTOP, "laptop")))
        await listener.aclose()

    run(scenario())


def test_plain_text_is_turned_away_without_an_answer(run: Run, tmp_path: Path) -> None:
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
        link = await dial(port, Access(SECRET, identity(tmp_path, LAPTOP, "laptop")))
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
        laptop = Access(tls=identity(tmp_path, LAPTOP, "laptop"))
        first, second = await dial(listener.port, laptop), None
        write(path, pem(machine("attic", HERE)))
        second = await dial(listener.port, laptop)
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
            dialled = asyncio.create_task(
                dial(port, Access(tls=identity(tmp_path, LAPTOP, "laptop")))
            )
            await asyncio.sleep(0)
            accepted, _ = await asyncio.to_thread(listening.accept)
            accepted.setblocking(False)
            served = asyncio.create_task(analyse(await from_socket(
                accepted, AnalyserSide(HELLO), attic
            )))  # fmt: skip
            assert await roll_out(await dialled) == EXPECTED
            await served

    run(scenario())
