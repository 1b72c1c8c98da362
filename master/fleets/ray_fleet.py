"""A fleet on Ray: detached actors, one analyser below each.

Ray is not imported here: see ray_calls.py.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from typing import Any

from master.fleets.placing import (
    FleetFailedError,
    Invitation,
    Kept,
    Member,
    MemberState,
    below_worker,
    call,
    local_host,
    one_line,
)
from master.reports.texts import counted
from protocol.address import parse_address

CONNECT_S = 10.0
"""A head node that has not answered by then does not; Ray itself tries for minutes."""

AUTO = "auto"
"""The cluster that this machine is a node of."""

_ARGV = (sys.executable, "-P", "-m", "master.fleets.ray_calls")

Ask = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
"""Does one call on Ray."""


class RayPlacer:
    """A Placer for a cluster of Ray.

    Args:
        where: the head's HOST:PORT, or `auto`.
        fleet: its ticket.
        kept: how many it was asked for.
        ask: does one call.
    """

    def __init__(self, where: str, fleet: str, kept: Kept, ask: Ask | None = None) -> None:
        self._where, self._fleet = where, fleet
        self._count = int(kept.get("count", "0"))
        self._ask = ask or ask_ray

    async def own_host(self) -> str:
        """Return this machine's address as nodes of the cluster see it."""
        if self._where == AUTO:
            return str((await self._call("host"))["host"])
        return await local_host(parse_address(self._where).host)

    def preview(self, invitation: Invitation, count: int | None) -> list[str]:
        """Return what each actor would start."""
        size = "an actor for each processor" if count is None else counted(count, "actor")
        return [
            f"# Ray, {self._where}: {size}, detached, of one processor each",
            *below_worker(invitation, f"{self._fleet}-NUMBER-PROCESS", "1"),
        ]

    async def start(self, invitation: Invitation, count: int | None) -> Kept:
        """Have so many actors; None: as many as the cluster has processors."""
        answer = await self._call(
            "start",
            count=count,
            arguments=invitation.arguments(),
            secret=invitation.secret,
            version=version("manyply"),
        )
        self._count = int(answer["count"])
        return {"count": str(self._count)}

    async def scale(self, invitation: Invitation, count: int) -> Kept:
        """Have more or fewer; those with the highest numbers drain."""
        if count == 0:
            await self.stop()
            self._count = 0
            return {"count": "0"}
        return await self.start(invitation, count)

    async def members(self) -> tuple[Member, ...]:
        """Return each actor's report of its analyser, and the actors that Ray has lost."""
        answer = await self._call("members")
        found = {said[0]: _member(self._fleet, *said) for said in answer["members"]}
        return tuple(
            found.get(number) or _gone(self._fleet, number)
            for number in sorted({*found, *range(1, self._count + 1)})
        )

    async def stop(self) -> None:
        """Drain all analysers, then end their actors."""
        await self._call("stop")

    async def _call(self, name: str, **words: Any) -> dict[str, Any]:
        if self._where != AUTO:
            await _reach(self._where)
        answer = await self._ask(
            {"call": name, "where": self._where, "fleet": self._fleet, **words}
        )
        if "failed" in answer:
            raise FleetFailedError(f"Ray: {one_line(answer['failed'])}")
        return answer


def _member(fleet: str, number: int, name: str, state: str, text: str, host: str) -> Member:
    return Member(name or f"{fleet}-{number}", MemberState(state), text, host)


def _gone(fleet: str, number: int) -> Member:
    return Member(f"{fleet}-{number}", MemberState.LOST, "Ray has this actor no more")


async def _reach(where: str) -> None:
    """Knock at a head node; FleetFailedError."""
    address = parse_address(where)
    try:
        async with asyncio.timeout(CONNECT_S):
            _, writer = await asyncio.open_connection(address.host, address.port)
    except OSError:
        raise FleetFailedError(f"no head node of Ray answers at {where}") from None
    writer.close()


async def ask_ray(order: dict[str, Any]) -> dict[str, Any]:
    """Do one call in a process of its own; the secret goes to its standard input."""
    try:
        said = await call(_ARGV, stdin_text=json.dumps(order))
    except FleetFailedError as error:
        raise FleetFailedError(f"is the cluster of Ray up? {error}") from None
    answer: dict[str, Any] = json.loads(said)
    return answer
