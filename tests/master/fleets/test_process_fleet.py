"""Processes of this machine, and how they are found again; test_process_fleets.py has ssh."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable

import pytest

from master.config.fleet_specs import parse_fleet_spec
from master.fleets import process_fleet
from master.fleets.placing import FleetFailedError, Invitation, Member, MemberState
from master.fleets.process_fleet import ProcessPlacer

pytestmark = [pytest.mark.slow, pytest.mark.sockets]
TICKET = "trial-1"
INVITATION = Invitation("127.0.0.1", 9, TICKET, "correct horse battery staple", give_up_s=60)
STAND_IN = (sys.executable, "-c", "import sys, time; sys.stdin.readline(); time.sleep(60)")
"""Stands in for an analyser, whose command line it has."""


@pytest.fixture
async def placer(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable[[str], ProcessPlacer]]:
    monkeypatch.setattr(process_fleet, "OWN", STAND_IN)

    def make(text: str) -> ProcessPlacer:
        return ProcessPlacer(parse_fleet_spec(text), TICKET, {})

    yield make
    await make("local:9").stop()


def states(members: tuple[Member, ...]) -> str:
    return "".join(member.state.value[0] for member in members)


async def until(placer: ProcessPlacer, expected: str) -> None:
    async with asyncio.timeout(20):
        while states(await placer.members()) != expected:  # noqa: ASYNC110  # nobody tells
            await asyncio.sleep(0.05)


async def test_fleet_is_started_scaled_found_again_and_ended(
    placer: Callable[[str], ProcessPlacer],
) -> None:
    fleet = placer("local:2")
    assert await fleet.own_host() == "127.0.0.1"
    assert await fleet.start(INVITATION, 2) == {"count": "2"}
    names = [member.name for member in await fleet.members()]
    assert names == [f"{TICKET}-1", f"{TICKET}-2"]
    assert await fleet.scale(INVITATION, 3) == {"count": "3"}
    again = ProcessPlacer(parse_fleet_spec("local:2"), TICKET, {"count": "3"})
    assert states(await again.members()) == "rrr"
    await again.scale(INVITATION, 1)
    await until(again, "r")
    await again.stop()
    await until(again, "l")
    await again.stop()


async def test_one_that_has_ended_is_lost(placer: Callable[[str], ProcessPlacer]) -> None:
    members = await placer("local:1").members()
    assert members == (Member(f"{TICKET}-1", MemberState.LOST, "no such process"),)


async def test_program_that_ends_at_once_is_said_and_none_is_left(
    placer: Callable[[str], ProcessPlacer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_fleet, "OWN", ("false",))
    with pytest.raises(FleetFailedError, match=r"trial-1-1: sh: false ended at once; trial-1-2:"):
        await placer("local:2").start(INVITATION, 2)


async def test_hosts_have_one_analyser_each() -> None:
    fleet = ProcessPlacer(parse_fleet_spec("ssh:attic,cellar"), TICKET, {})
    with pytest.raises(FleetFailedError, match="each host has one analyser"):
        await fleet.scale(INVITATION, 3)
