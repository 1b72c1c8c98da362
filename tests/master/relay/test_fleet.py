"""Those below in service: who listens, who is called on, who is turned away."""

import asyncio

import pytest

from master.config.fleet_list import FleetEntry
from master.contract.errors import MasterError
from master.relay.fleet import Fleet
from protocol.access.rules import EVERYBODY, NOBODY_ELSE, Access
from protocol.address import Address
from protocol.aio import connect_tcp, serve_tcp
from protocol.messages import AnalyserHello, Engine, MasterHello, Ready
from protocol.sides import AnalyserSide
from tests.master.relay.test_fleet_backend import Above
from tests.master.service.watching import until

HELLO = AnalyserHello(name="a", cores=1)
ENGINE = Engine(game="noop", digest="0" * 16, power=1.0)


def open_fleet(said: list[str], access: Access = NOBODY_ELSE) -> tuple[Fleet, Above]:
    fleet, above = Fleet("relay", access, said.append), Above()
    above.shop = fleet.open_backend(above)
    return fleet, above


async def be_analyser(link: object) -> None:
    async for event in link:  # type: ignore[attr-defined]
        if isinstance(getattr(event, "message", None), MasterHello):
            link.send(ENGINE, Ready(workers=2))  # type: ignore[attr-defined]


async def test_one_dials_in_and_one_is_called_on() -> None:
    said: list[str] = []
    fleet, above = open_fleet(said)
    theirs = await serve_tcp("127.0.0.1", 0, lambda: AnalyserSide(HELLO), be_analyser)
    entry = FleetEntry("attic", Address("127.0.0.1", theirs.port))
    async with fleet:
        port = await fleet.start(Address("127.0.0.1", 0), [entry])
        assert port is not None
        link = await connect_tcp("127.0.0.1", port, AnalyserSide(HELLO))
        dialling_in = asyncio.create_task(be_analyser(link))
        assert above.shop is not None
        shop = above.shop
        await until(lambda: shop.worker_count == 4)
    await dialling_in
    assert shop.worker_count == 0
    await theirs.aclose()


async def test_nobody_listens_unless_asked_to() -> None:
    fleet, _ = open_fleet([])
    async with fleet:
        assert await fleet.start(None, []) is None


async def test_strangers_are_counted() -> None:
    said: list[str] = []
    fleet, _ = open_fleet(said, EVERYBODY)
    async with fleet:
        port = await fleet.start(Address("127.0.0.1", 0), [])
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n")
        await until(lambda: bool(fleet.keeper.counts))
        writer.close()


async def test_an_address_that_others_reach_needs_a_guard() -> None:
    fleet, _ = open_fleet([])
    async with fleet:
        with pytest.raises(MasterError, match="anybody who reaches"):
            await fleet.start(Address("", 0), [])
