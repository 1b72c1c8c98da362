"""A command's fleets: let in with their secret alone, and ended with the command."""

import asyncio

import pytest

from master.config.fleet_specs import FleetSpec, parse_fleet_spec
from master.contract.errors import MasterError
from master.fleets import inviting
from master.fleets.inviting import invited_fleets
from master.fleets.placing import FleetFailedError, Invitation
from protocol.access.lock import Lock, SharedSecret
from protocol.address import Address
from protocol.aio import Link, connect_tcp
from protocol.messages import AnalyserHello
from protocol.sides import AnalyserSide
from tests.master.fleets.fake_placer import FakePlacer

pytestmark = pytest.mark.sockets
HERE = "127.0.0.1"
SPECS = (parse_fleet_spec("slurm:2"), parse_fleet_spec("slurm:1:night"))


class Fleets:
    """The fake engines of a command, and who was served."""

    def __init__(self, *placers: FakePlacer) -> None:
        self.placers = placers
        self.waiting = [*placers]
        self.warned: list[str] = []
        self.served: asyncio.Queue[str] = asyncio.Queue()

    def make(self, spec: FleetSpec, ticket: str) -> FakePlacer:
        del spec, ticket
        return self.waiting.pop(0)

    async def serve(self, link: Link) -> None:
        await link.deliver(lambda events: self.served.put_nowait(repr(events)))

    async def hears(self, expected: str, never: str) -> None:
        """Wait for one word in what is served, before another."""
        async with asyncio.timeout(10):
            while expected not in (heard := await self.served.get()):
                assert never not in heard


@pytest.fixture
def fleets(monkeypatch: pytest.MonkeyPatch) -> Fleets:
    found = Fleets(FakePlacer(), FakePlacer())
    monkeypatch.setattr(inviting, "make_placer", found.make)
    return found


def side(invitation: Invitation, ticket: str = "", secret: str = "") -> AnalyserSide:
    hello = AnalyserHello(name="attic", cores=1)
    secret_of = SharedSecret((secret or invitation.secret).encode())
    return AnalyserSide(hello, lock=Lock(secret_of, ticket=ticket or invitation.ticket))


async def test_only_who_has_the_secret_of_its_fleet_is_heard(fleets: Fleets) -> None:
    async with invited_fleets(SPECS, None, fleets.serve, fleets.warned.append) as invited:
        assert [fleet.spec for fleet in invited] == [*SPECS]
        for placer in fleets.placers:
            [invitation] = placer.invitations
            link = await connect_tcp(HERE, invitation.port, side(invitation))
            await fleets.hears("AnalyserHello", "bad-secret")
            await link.aclose()
        for wrong in ({"ticket": "other-1"}, {"secret": "another horse, another staple"}):
            link = await connect_tcp(HERE, invitation.port, side(invitation, **wrong))
            await fleets.hears("bad-secret", "AnalyserHello")
            await link.aclose()
    assert [placer.asked[-1] for placer in fleets.placers] == ["stop", "stop"]
    assert len({placer.invitations[0].ticket for placer in fleets.placers}) == 2


@pytest.mark.parametrize("failing", ["own_host", "start"])
async def test_fleet_that_cannot_be_placed_leaves_none(fleets: Fleets, failing: str) -> None:
    first, second = fleets.placers
    second.failing = failing
    with pytest.raises(FleetFailedError, match=f"slurm:1:night: no {failing} today"):
        async with invited_fleets(SPECS, None, fleets.serve, fleets.warned.append):
            raise AssertionError("nothing is yielded")
    assert first.present == second.present == ()
    assert ("stop" in second.asked) is (failing == "start")


async def test_fleet_that_cannot_be_ended_is_said(fleets: Fleets) -> None:
    fleets.placers[1].failing = "stop"
    async with invited_fleets(SPECS, None, fleets.serve, fleets.warned.append):
        pass
    assert fleets.warned == ["slurm:1:night could not be ended: no stop today"]
    assert fleets.placers[0].asked[-1] == "stop"


async def test_listening_address_may_be_fixed(fleets: Fleets) -> None:
    async with invited_fleets(SPECS[:1], Address(HERE, 0), fleets.serve, fleets.warned.append):
        [invitation] = fleets.placers[0].invitations
        assert invitation.host == HERE
        taken = Address(HERE, invitation.port)
        with pytest.raises(MasterError, match=r"cannot listen on 127\.0\.0\.1:"):
            async with invited_fleets(SPECS[1:], taken, fleets.serve, fleets.warned.append):
                raise AssertionError("nothing is yielded")
    assert "own_host" not in fleets.placers[0].asked


async def test_what_the_engine_says_is_at_hand(fleets: Fleets) -> None:
    async with invited_fleets(SPECS[:1], None, fleets.serve, fleets.warned.append) as (fleet,):
        assert await fleet.lines() == ["fake-1: runs", "fake-2: runs"]
        fleets.placers[0].failing = "members"
        assert await fleet.lines() == ["slurm:2: no members today"]
