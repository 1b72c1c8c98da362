import asyncio
import contextlib
import socket
from pathlib import Path
from typing import Any

import pytest

from protocol.aio.link import Link
from protocol.aio.tcp import (
    connect_tcp,
    from_socket,
    listening_hosts,
    serve_socket,
    serve_tcp,
)
from protocol.messages import MasterHello, Ready, Trial, Trials
from protocol.sides import MasterSide, PeerClosed
from tests.protocol.aio.peers import (
    EXPECTED,
    analyse,
    analyser_side,
    collect,
    roll_out,
    start_work,
)
from tests.protocol.conftest import Run

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
