"""The running daemon: it opens an endpoint, keeps hours and mains power, and drains at signals."""

from __future__ import annotations

import asyncio
import logging
import math
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import click

from analyser.agent import Agent
from analyser.connecting_options import Connecting
from analyser.endpoints import dial, handed_over, listen, serve_connection
from analyser.lending import Hours, is_on_battery, opening
from analyser.lending_options import Lending
from engine_ext import services
from protocol.access.rules import Access
from protocol.aio import Inherited, InheritedKind, Listener
from protocol.aio.notify import keep_watchdog, notify_parent

log = logging.getLogger("manyply.analyser")

CHECK_S = 30.0
"""Interval between checks for: mains power lost, a clock that was set, a machine that slept."""

SUPPLIES = Path("/sys/class/power_supply")
"""Linux's folder of mains and batteries."""

DRAINING_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGUSR2)
"""The last two are Grid Engine's warnings (`qsub -notify`) before it stops or kills a job."""

IDLE_CHECK_S = 1.0
"""An idle analyser leaves at most this much late."""


@dataclass(frozen=True)
class Terms:
    """When a machine is lent: within any of the hours, none being always; maybe on mains only."""

    hours: tuple[Hours, ...] = ()
    is_mains_only: bool = False


@dataclass(frozen=True)
class Sight:
    """Whether the terms allow serving now.

    Args:
        refusal: The reason why no master may be served; empty if one may be.
        notice: A line for people about it.
        recheck_s: Seconds until the next check is due.
    """

    refusal: str
    notice: str
    recheck_s: float


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def check(terms: Terms) -> Sight:
    """Return whether the machine is lent now."""
    now = utc_now()
    hours = opening(now, terms.hours)
    until = "" if hours.changes_at is None else f" until {hours.changes_at:%H:%M}"
    left_s = CHECK_S
    if hours.changes_at is not None:
        left_s = max(0.0, min(CHECK_S, (hours.changes_at - now).total_seconds()))
    if not hours.is_open:
        return Sight(f"not lent{until}", f"no master is served{until}", left_s)
    if terms.is_mains_only and is_on_battery(SUPPLIES):
        return Sight("not lent on battery", "on battery: no master is served", left_s)
    return Sight("", f"masters are served{until}", left_s)


async def keep_terms(agent: Agent, terms: Terms, say: Callable[[str], None]) -> None:
    """Open and close an agent by its terms, for ever; pass `say` one line for each change."""
    while True:
        sight = check(terms)
        if bool(sight.refusal) is agent.is_open:
            say(sight.notice)
        if not sight.refusal:
            agent.reopen()
        elif agent.is_open:
            await agent.pause(sight.refusal)
            continue  # that may have taken a while
        else:
            agent.refuse(sight.refusal)
        await asyncio.sleep(sight.recheck_s)


async def wait_idle(agent: Agent, idle_s: float) -> None:
    """Return once no master was served for `idle_s`; time outside the terms does not count."""
    loop = asyncio.get_running_loop()
    while True:
        since, now = agent.idle_since, loop.time()
        if since is not None and now >= since + idle_s:
            return
        await asyncio.sleep(min(IDLE_CHECK_S, idle_s if since is None else since + idle_s - now))


LOG_LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)


@dataclass(frozen=True)
class Endpoints:
    """The ways in which masters connect, and their access control."""

    access: Access
    connecting: Connecting
    handed: Inherited | None = None


def begin_log(program: str, verbose: int, *, is_service: bool) -> None:
    """Log to stderr: warnings, and more with `verbose`.

    Args:
        program: the first word of each line.
        verbose: how often that option is given.
        is_service: it runs for itself: then its log says when masters come and leave. Of a program
            that a command has started, stderr is the terminal of that command.
    """
    logging.basicConfig(
        stream=sys.stderr,
        level=LOG_LEVELS[min(max(verbose, is_service), len(LOG_LEVELS) - 1)],
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
    for number in DRAINING_SIGNALS:
        loop.add_signal_handler(number, _on_signal, stop, number.name)
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


def _on_signal(stop: asyncio.Event, name: str) -> None:
    if stop.is_set():
        services.kill_engines()
        os._exit(0)  # a second signal: unfinished parts are computed elsewhere
    log.info("%s: the parts at hand are finished", name)
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
