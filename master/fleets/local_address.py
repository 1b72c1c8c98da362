"""This machine's address as another machine sees it. Sends nothing."""

from __future__ import annotations

import asyncio
import socket

from master.fleets.placing import CALL_S, FleetFailedError

_ANY_PORT = 9


async def local_host(host: str) -> str:
    """Return the address of this machine that packets to a host leave from.

    Raises:
        FleetFailedError: there is no such host, or no way to it.
    """
    try:
        async with asyncio.timeout(CALL_S):
            return await asyncio.to_thread(_local_host, host)
    except (OSError, TimeoutError) as error:
        reason = getattr(error, "strerror", None) or "no answer"
        raise FleetFailedError(f"no way to {host} is known ({reason})") from None


def _local_host(host: str) -> str:
    found = socket.getaddrinfo(host, _ANY_PORT, type=socket.SOCK_DGRAM)
    family, kind, _, _, address = found[0]
    with socket.socket(family, kind) as probe:
        probe.connect(address)  # of a datagram socket: only the route is looked up
        return str(probe.getsockname()[0])
