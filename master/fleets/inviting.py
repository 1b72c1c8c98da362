"""The fleets of one command: started with it, and ended with it.

A listener runs for the time of the command. The analysers prove a secret that was made up for this
command; all others are turned away.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from master.config.fleet_specs import FleetSpec
from master.fleets.kept import new_ticket
from master.fleets.placers import make_placer
from master.fleets.placing import FleetFailedError, Invitation, MemberState, Placer
from master.service.analysers.endpoints import listen_for_analysers
from protocol.access.lock import SharedSecret
from protocol.access.rules import Access
from protocol.address import Address
from protocol.aio import Link
from protocol.guards.access_control import AccessControl
from protocol.guards.secret_files import NEW_SECRET_BYTES

EVERYWHERE = "0.0.0.0"
"""Where engines come from several sides."""


@dataclass
class InvitedFleet:
    """One fleet of a command, and its placer."""

    spec: FleetSpec
    placer: Placer
    ticket: str

    async def lines(self) -> list[str]:
        """Return the engine's report of each analyser, as lines for people."""
        try:
            members = await self.placer.members()
        except FleetFailedError as error:
            return [f"{self.spec.text}: {error}"]
        return [f"{member.name}: {member.text}" for member in members]

    async def states(self) -> set[MemberState]:
        """Return the states of its analysers; none if the engine does not answer."""
        try:
            return {member.state for member in await self.placer.members()}
        except FleetFailedError:
            return set()


@asynccontextmanager
async def invited_fleets(
    specs: Sequence[FleetSpec],
    listen: Address | None,
    serve: Callable[[Link], Awaitable[None]],
    warn: Callable[[str], None],
) -> AsyncIterator[tuple[InvitedFleet, ...]]:
    """Have fleets placed, whose analysers dial in; end them.

    Args:
        specs: the fleets to place; none: nothing listens.
        listen: address for the analysers; None: this machine's as the engine sees it, any port.
        serve: serves the link of an analyser that has shown the secret.
        warn: shows people a line.

    Raises:
        FleetFailedError: a fleet cannot be placed; none stays then.
        MasterError: the address cannot be used.
    """
    if not specs:
        yield ()
        return
    secret = secrets.token_urlsafe(NEW_SECRET_BYTES)
    fleets = [_fleet(spec) for spec in specs]
    shared = SharedSecret(secret.encode())
    access = Access(shared, secret_of={fleet.ticket: shared for fleet in fleets}.get)
    async with AsyncExitStack() as stack:
        hosts = [listen.host if listen and listen.host else await _own_host(f) for f in fleets]
        host = hosts[0] if len(set(hosts)) == 1 else EVERYWHERE
        address = Address(host, listen.port if listen else 0)
        listener = await listen_for_analysers(address, AccessControl(access, warn), serve)
        stack.push_async_callback(listener.aclose)
        for fleet, host in zip(fleets, hosts, strict=True):
            invitation = Invitation(host, listener.port, fleet.ticket, secret)
            stack.push_async_callback(_stop, fleet, warn)
            await _start(fleet, invitation)
        yield tuple(fleets)


def _fleet(spec: FleetSpec) -> InvitedFleet:
    ticket = new_ticket(spec.kind)
    try:
        return InvitedFleet(spec, make_placer(spec, ticket), ticket)
    except FleetFailedError as error:
        raise FleetFailedError(f"{spec.text}: {error}") from None


async def _own_host(fleet: InvitedFleet) -> str:
    try:
        return await fleet.placer.own_host()
    except FleetFailedError as error:
        raise FleetFailedError(f"{fleet.spec.text}: {error}") from None


async def _start(fleet: InvitedFleet, invitation: Invitation) -> None:
    try:
        await fleet.placer.start(invitation, fleet.spec.count)
    except FleetFailedError as error:
        raise FleetFailedError(f"{fleet.spec.text}: {error}") from None


async def _stop(fleet: InvitedFleet, warn: Callable[[str], None]) -> None:
    """End a fleet, also when the command is being cancelled."""
    ending = asyncio.ensure_future(fleet.placer.stop())
    try:
        await asyncio.shield(ending)
    except asyncio.CancelledError:
        await asyncio.wait([ending])
        raise
    except FleetFailedError as error:
        warn(f"{fleet.spec.text} could not be ended: {error}")
