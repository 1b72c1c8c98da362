import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from analyser import endpoints
from analyser.agent import Agent
from analyser.endpoints import EndpointError, dial, listen, serve_connection
from protocol.address import Address
from protocol.aio import Inherited, InheritedKind, Link, connect_tcp, from_socket, serve_tcp
from protocol.session import MasterSession
from protocol.sides import MasterSide
from tests.analyser.conftest import MakeAgent
from tests.analyser.driven_master import DrivenMaster, LeftError, expected, until

HERE = "127.0.0.1"

pytestmark = pytest.mark.sockets


async def works(link: Link) -> None:
    """Be a master that gets one part done, stores it and leaves."""
    side = link.connection
    assert isinstance(side, MasterSide)
    side.session = side.session or MasterSession("s1")
    master = DrivenMaster(link, side.session)
    await master.begin()
    request = master.ask(1, 10)
    assert await master.results(11) == expected(request)
    master.ack()
    await link.aclose("enough")


async def test_listening_analyser_serves_who_dials(make_agent: MakeAgent) -> None:
    listener = await listen(make_agent(), Address(HERE, 0))
    for _ in range(2):
        await works(await connect_tcp(HERE, listener.port, MasterSide(MasterSession("s1"))))
    await listener.aclose()


async def test_handed_listener_is_served(make_agent: MakeAgent) -> None:
    with socket.create_server((HERE, 0)) as sock:
        port = sock.getsockname()[1]
        listener = await listen(make_agent(), sock.dup())
    await works(await connect_tcp(HERE, port, MasterSide()))
    await listener.aclose()


async def test_address_in_use_is_named(make_agent: MakeAgent) -> None:
    with socket.create_server((HERE, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(EndpointError, match=f"cannot listen on {HERE}:{port}: .*in use"):
            await listen(make_agent(), Address(HERE, port))


@asynccontextmanager
async def dialling(agent: Agent, port: int) -> AsyncIterator["asyncio.Task[None]"]:
    task = asyncio.create_task(dial(agent, Address(HERE, port)))
    yield task
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_dialling_analyser_comes_back_after_each_end(
    make_agent: MakeAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoints, "BACK_OFF_S_MIN", 0.001)
    served: asyncio.Queue[str] = asyncio.Queue()

    async def serve(link: Link) -> None:
        await works(link)
        served.put_nowait(link.peer)

    listener = await serve_tcp(HERE, 0, MasterSide, serve)
    async with dialling(make_agent(), listener.port), asyncio.timeout(20):
        peers = [await served.get() for _ in range(3)]
    assert len(set(peers)) == 3
    await listener.aclose()


async def test_dialling_analyser_waits_for_a_master_that_is_not_there_yet(
    make_agent: MakeAgent, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(endpoints, "BACK_OFF_S_MIN", 0.001)
    with socket.create_server((HERE, 0)) as sock:
        port = sock.getsockname()[1]
    is_served = asyncio.Event()

    async def serve(link: Link) -> None:
        await works(link)
        is_served.set()

    async with dialling(make_agent(), port), asyncio.timeout(20):
        await until(lambda: "Connection refused" in caplog.text)
        listener = await serve_tcp(HERE, port, MasterSide, serve)
        await is_served.wait()
    await listener.aclose()
    assert f"{HERE}:{port}: Connection refused" in caplog.text


def unused_port() -> int:
    with socket.create_server((HERE, 0)) as sock:
        port: int = sock.getsockname()[1]
    return port


@pytest.mark.parametrize("back_off_s", [0.001, 30.0])
async def test_dialling_analyser_gives_up_after_a_while(
    make_agent: MakeAgent, monkeypatch: pytest.MonkeyPatch, back_off_s: float
) -> None:
    monkeypatch.setattr(endpoints, "BACK_OFF_S_MIN", back_off_s)
    address = Address(HERE, unused_port())
    text = f"gave up: {address} was no master for 0.01 s: "
    async with asyncio.timeout(20):
        with pytest.raises(EndpointError, match=text):
            await dial(make_agent(), address, give_up_s=0.01)


async def test_who_hangs_up_without_a_word_is_no_master(
    make_agent: MakeAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoints, "BACK_OFF_S_MIN", 0.001)

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with await asyncio.start_server(hang_up, HERE, 0) as server:
        address = Address(HERE, server.sockets[0].getsockname()[1])
        async with asyncio.timeout(20):
            with pytest.raises(EndpointError, match=r"was no master for 0\.02 s: "):
                await dial(make_agent(), address, give_up_s=0.02)


async def test_closed_analyser_does_not_give_up(make_agent: MakeAgent) -> None:
    agent = make_agent()
    await agent.pause("not lent")
    giving_up = asyncio.create_task(dial(agent, Address(HERE, unused_port()), give_up_s=0.001))
    await asyncio.wait({giving_up}, timeout=0.02)
    assert not giving_up.done()
    agent.reopen()
    with pytest.raises(EndpointError, match="gave up"):
        await giving_up


async def test_closed_analyser_dials_when_it_opens(make_agent: MakeAgent) -> None:
    agent, served = make_agent(), asyncio.Event()
    await agent.pause("not lent")

    async def serve(link: Link) -> None:
        assert agent.is_open
        await works(link)
        served.set()

    listener = await serve_tcp(HERE, 0, MasterSide, serve)
    async with dialling(agent, listener.port), asyncio.timeout(20):
        for _ in range(50):
            await asyncio.sleep(0)
        assert not served.is_set()
        agent.reopen()
        await served.wait()
    await listener.aclose()


@pytest.mark.parametrize("family", [socket.AF_UNIX, socket.AF_INET])
async def test_handed_connection_is_served_to_its_end(
    make_agent: MakeAgent, family: socket.AddressFamily
) -> None:
    ours, its = _connected_pair(family)
    handed = Inherited(InheritedKind.CONNECTION, its)
    serving = asyncio.create_task(serve_connection(make_agent(), handed))
    await works(await from_socket(ours, MasterSide()))
    async with asyncio.timeout(20):
        await serving


def _connected_pair(family: socket.AddressFamily) -> tuple[socket.socket, socket.socket]:
    if family is socket.AF_UNIX:
        return socket.socketpair()
    with socket.create_server((HERE, 0)) as listener:
        ours = socket.create_connection(listener.getsockname())
        return ours, listener.accept()[0]


async def test_dialling_master_gets_busy_with_a_name(make_agent: MakeAgent) -> None:
    listener = await listen(make_agent(), Address(HERE, 0))
    first = DrivenMaster(await connect_tcp(HERE, listener.port, MasterSide()), MasterSession("s1"))
    await first.begin()
    second = DrivenMaster(
        await connect_tcp(HERE, listener.port, MasterSide()), MasterSession("s2"), "bob"
    )
    with pytest.raises(LeftError, match="busy, serves alice"):
        await second.begin()
    await first.link.aclose()
    await listener.aclose()
