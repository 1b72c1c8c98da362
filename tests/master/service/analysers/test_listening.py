"""Where analysers dial in; what is said there is the handler's."""

import asyncio

import pytest

from master.contract.errors import MasterError
from master.service.analysers.endpoints import listen_for_analysers
from protocol.access.rules import NOBODY_ELSE
from protocol.address import Address
from protocol.aio import Link
from protocol.guards.access_control import AccessControl
from protocol.sides import MasterSide

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
