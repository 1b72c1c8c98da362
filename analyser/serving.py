"""The running daemon: it opens an endpoint, keeps the terms, handles signals, and drains."""

from __future__ import annotations

import asyncio
import logging
import math
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass

import click

from analyser.agent import Agent
from analyser.connecting_options import Connecting
from analyser.endpoints import dial, handed_over, listen, serve_connection
from analyser.lending_options import Lending
from analyser.opening import Terms, keep_terms, wait_idle
from engine_ext import services
from protocol.access.rules import Access
from protocol.aio import Inherited, InheritedKind, Listener
from protocol.aio.notify import keep_watchdog, notify_parent

LOG_LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)


@dataclass(frozen=True)
class Endpoints:
    """The ways in which masters connect, and their access control."""

    access: Access
    connecting: Connecting
    handed: Inherited | None = None


def begin_log(program: str, verbose: int) -> None:
    """Log to stderr: warnings, and more with `verbose`."""
    logging.basicConfig(
        stream=sys.stderr,
        level=LOG_LEVELS[min(verbose, len(LOG_LEVELS) - 1)],
        format=f"{program}: %(message)s",
    )


def find_endpoints(access: Access, connecting: Connecting, lending: Lending) -> Endpoints:
    """Return the endpoint of the options; an inherited socket or pipes are taken here, once.

    Raises:
        EndpointError: the inherited socket or pipes cannot be used.
        click.UsageError: no endpoint is given, or several are.
    """
    connecting.check()
    if lending.give_up_after < math.inf and connecting.connect is None:
        raise click.UsageError("--give-up-after belongs to --connect")
    if not connecting.is_handed_over:
        return Endpoints(access, connecting)
    handed = handed_over()
    if handed.kind is InheritedKind.PIPES and not connecting.stdio:
        raise click.UsageError(
            f"give --{connecting.prefix}listen HOST:PORT, --connect HOST:PORT or --stdio, or hand"
            " over a socket"
        )
    return Endpoints(access, connecting, handed)


async def serve(
    agent: Agent, endpoints: Endpoints, lending: Lending, say: Callable[[str], None]
) -> None:
    """Serve until the endpoint closes, a signal arrives or `idle_exit` is over; drain and close.

    Args:
        agent: It serves the masters.
        endpoints: The ways in which masters connect.
        lending: The hours, and the limits of waiting.
        say: Shows people a line.

    Raises:
        EndpointError: the endpoint cannot be used.
        EndpointRefusedError: it has no access control and is reachable from other machines.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _on_signal, stop)
    terms = Terms(lending.hours, is_mains_only=lending.battery == "stop")
    keeping = asyncio.create_task(keep_terms(agent, terms, say))  # checks before any listener opens
    serving = asyncio.create_task(_serve(agent, endpoints, lending.give_up_after, say))
    ends = [serving, keeping, asyncio.create_task(stop.wait())]
    if lending.idle_exit is not None:
        ends.append(asyncio.create_task(wait_idle(agent, lending.idle_exit)))
    beside = [*ends, asyncio.create_task(keep_watchdog())]
    try:
        ended, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        notify_parent("STOPPING=1")
        keeping.cancel()
        for task in ended:
            await task
        if serving not in ended:
            await agent.drain()
    finally:
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        await agent.close()


def _on_signal(stop: asyncio.Event) -> None:
    if stop.is_set():
        services.kill_engines()
        os._exit(0)  # a second signal: unfinished parts are computed elsewhere
    stop.set()


async def _serve(
    agent: Agent, endpoints: Endpoints, give_up_s: float, say: Callable[[str], None]
) -> None:
    """Open the endpoint and serve it; return when an inherited connection has ended."""
    handed, connecting = endpoints.handed, endpoints.connecting
    if handed is not None and handed.kind is not InheritedKind.LISTENER:
        notify_parent("READY=1")
        await serve_connection(agent, handed)
    elif connecting.connect is not None:
        notify_parent("READY=1")
        await agent.wait_open()
        agent.load()
        await dial(agent, connecting.connect, connecting.local_port, give_up_s)
    else:
        where = connecting.listen if handed is None else handed.sock
        assert where is not None, "one door is given"
        await _serve_listener(agent, await listen(agent, where), say)


async def _serve_listener(agent: Agent, listener: Listener, say: Callable[[str], None]) -> None:
    if listener.addresses:
        say(f"listening on port {listener.port}")
    notify_parent("READY=1")
    try:
        await agent.wait_open()
        agent.load()
        await asyncio.Event().wait()
    finally:
        await listener.aclose()
