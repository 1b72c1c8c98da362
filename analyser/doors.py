"""How masters reach an analyser: it listens, it dials, or it was handed a descriptor.

Knows transports and back-off.  Must not know what is said over a link.
"""

from __future__ import annotations

import asyncio
import logging
import random

from analyser.agent import Agent
from protocol.aio import Listener, connect_tcp, from_socket, open_stdio, serve_socket, serve_tcp
from protocol.aio.inherited import Inherited, InheritedKind

BACK_OFF_S_MIN = 0.1
BACK_OFF_S_MAX = 30.0
"""Decorrelated jitter between these: a whole fleet does not dial in step."""

SERVED_S_MIN = 5.0
"""A link that lasted this long was a success: the next attempt starts at the minimum."""

log = logging.getLogger("manyply.analyser")


async def listen(agent: Agent, host: str | None, port: int) -> Listener:
    """Listen on an address; OSError if it cannot be used."""
    return await serve_tcp(host, port, agent.make_side, agent.serve)


async def dial(agent: Agent, host: str, port: int, local_port: int | None = None) -> None:
    """Keep a link to a listening master, for ever."""
    loop = asyncio.get_running_loop()
    delay_s = BACK_OFF_S_MIN
    while True:
        started = loop.time()
        try:
            link = await connect_tcp(host, port, agent.make_side(), local_port)
        except OSError as error:
            log.warning("%s:%d: %s", host, port, error)
        else:
            await agent.serve(link)
        if loop.time() - started >= SERVED_S_MIN:
            delay_s = BACK_OFF_S_MIN
        delay_s = min(BACK_OFF_S_MAX, random.uniform(BACK_OFF_S_MIN, delay_s * 3))
        await asyncio.sleep(delay_s)


async def serve_inherited(agent: Agent, handed: Inherited) -> Listener | None:
    """Serve what the parent handed over: one connection to its end, or a listening socket.

    Returns:
        The listener of a listening socket; None when the one connection has ended.
    """
    if handed.kind is InheritedKind.LISTENER:
        assert handed.sock is not None
        return await serve_socket(handed.sock, agent.make_side, agent.serve)
    if handed.kind is InheritedKind.CONNECTION and handed.sock is not None:
        link = await from_socket(handed.sock, agent.make_side())
    else:
        link = await open_stdio(agent.make_side())
    await agent.serve(link)
    return None
