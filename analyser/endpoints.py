"""Three ways to connect masters to an analyser: listen, dial, or use an inherited descriptor."""

from __future__ import annotations

import asyncio
import errno
import logging
import math
import random
import socket

from analyser.agent import Agent
from protocol.access.rules import NOBODY_ELSE, Access, EndpointRefusedError
from protocol.address import Address
from protocol.aio import (
    Inherited,
    InheritedKind,
    Listener,
    connect_tcp,
    from_socket,
    inherited,
    open_stdio,
    serve_socket,
    serve_tcp,
)
from protocol.aio.reasons import reason_of
from protocol.sides import AnalyserSide

BACK_OFF_S_MIN = 0.1
BACK_OFF_S_MAX = 30.0
"""A random wait between these (decorrelated jitter), so that a fleet does not dial all at once."""

SERVED_S_MIN = 5.0
"""A link that lasted this long was a success: the next attempt starts at the minimum."""

_GONE = (errno.ENOTCONN, errno.ECONNRESET, errno.ECONNABORTED, errno.EPIPE)
"""Error numbers of a socket whose peer has left."""

log = logging.getLogger("manyply.analyser")


class EndpointError(Exception):
    """An endpoint cannot be opened; the message names it and the reason in one line."""


def handed_over() -> Inherited:
    """Return the inherited socket or pipes; EndpointError if they are unusable. Call it once."""
    try:
        return inherited()
    except (OSError, ValueError) as error:
        raise EndpointError(f"what was handed over cannot be used: {error}") from error


async def listen(agent: Agent, where: Address | socket.socket) -> Listener:
    """Listen on an address, or on a socket that listens already; EndpointError if it cannot be."""
    access = agent.keeper.access

    def make_side() -> AnalyserSide:
        return agent.make_side(access.lock())

    if isinstance(where, socket.socket):
        return await serve_socket(where, make_side, agent.serve, keeper=agent.keeper)
    try:
        return await serve_tcp(
            where.host or None, where.port, make_side, agent.serve, keeper=agent.keeper
        )
    except OSError as error:
        raise EndpointError(f"cannot listen on {where}: {reason_of(error)}") from error


async def dial(
    agent: Agent,
    address: Address,
    local_port: int | None = None,
    give_up_s: float = math.inf,
) -> None:
    """Keep a link to a listening master, for ever, while the agent is open.

    Raises:
        EndpointError: no master said hello for `give_up_s`. Time in which the agent is closed does
            not count.
    """
    loop, access = asyncio.get_running_loop(), agent.keeper.access
    delay_s, reached, reason = BACK_OFF_S_MIN, loop.time(), "no master said hello"
    said = ""  # a reason that repeats is one line
    while True:
        if not agent.is_open:
            await agent.wait_open()
            delay_s, reached = BACK_OFF_S_MIN, loop.time()
        try:
            side = agent.make_side(access.lock())
            async with asyncio.timeout(_left_s(reached + give_up_s)):
                link = await connect_tcp(address.host, address.port, side, local_port, access.tls)
        except OSError as error:
            reason = reason_of(error) or reason  # a timeout has no text of its own
            log.log(logging.DEBUG if reason == said else logging.WARNING, "%s: %s", address, reason)
            said = reason
        else:
            said = ""
            started, reason = loop.time(), "no master said hello"
            await agent.serve(link)
            if side.master is not None:
                reached = loop.time()
            if loop.time() - started >= SERVED_S_MIN:
                delay_s = BACK_OFF_S_MIN
        delay_s = min(BACK_OFF_S_MAX, random.uniform(BACK_OFF_S_MIN, delay_s * 3))
        await asyncio.sleep(min(delay_s, _left_s(reached + give_up_s) or delay_s))
        if loop.time() >= reached + give_up_s:
            raise EndpointError(f"gave up: {address} was no master for {give_up_s:g} s: {reason}")


def _left_s(deadline: float) -> float | None:
    """Return the seconds until a time of the loop; None if the time is infinite."""
    left_s = deadline - asyncio.get_running_loop().time()
    return None if left_s == math.inf else max(0.0, left_s)


async def serve_connection(agent: Agent, handed: Inherited) -> None:
    """Serve one inherited connection to its end; EndpointError if it cannot be used.

    A peer that has already left is no error: port scans do this, and would fill inetd's log.
    """
    assert handed.kind is not InheritedKind.LISTENER
    try:
        access = _access_of(agent, handed.sock)
        side = agent.make_side(access.lock())
        if handed.sock is None:
            link = await open_stdio(side)
        else:
            link = await from_socket(handed.sock, side, access.tls)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in _GONE:
            log.debug("the peer has left already")
            return
        raise EndpointError(f"stdin and stdout cannot be used: {error}") from error
    await agent.serve(link)


def _access_of(agent: Agent, sock: socket.socket | None) -> Access:
    """Return the access control for the peer of an inherited connection.

    The peer of pipes or of a Unix socket is the one that started this process, for example by ssh.

    Raises:
        EndpointRefusedError: the peer is another machine, and there is no access control.
    """
    if sock is None or sock.family == socket.AF_UNIX:
        return NOBODY_ELSE
    access = agent.keeper.access
    here, there = sock.getsockname(), sock.getpeername()
    access.check_endpoint(f"port {here[1]}", [there[0]])
    if reason := access.refusal(there[0]):
        raise EndpointRefusedError(reason)
    return access
