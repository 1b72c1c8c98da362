"""`manyply-analyser`: lends this machine's cores to a master.

Knows options, signals and exit codes.  Must not know what is said over a link.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import signal
import socket
import sys
from dataclasses import dataclass
from typing import NoReturn

import click
from pydantic import ValidationError

from analyser.agent import Agent, AgentConfig
from analyser.doors import DoorError, dial, handed_over, listen, serve_connection
from analyser.lending_options import Lending, lending_options
from analyser.limits import (
    LimitError,
    be_nice,
    default_worker_count,
    end_with_parent,
    limit_memory,
    pin_to_cores,
)
from analyser.opening import Terms, keep_terms, wait_idle
from engine_ext import services
from protocol.access.rules import Access, DoorRefusedError
from protocol.address import Address, AddressError, parse_address
from protocol.aio import Inherited, InheritedKind, Listener, new_runner
from protocol.aio.descriptors import shortage
from protocol.aio.notify import keep_watchdog, notify_parent
from protocol.guards.doorkeeper import Doorkeeper
from protocol.guards.options import door_options
from protocol.messages import NAME_CHARACTERS_MAX, AnalyserHello, to_text

log = logging.getLogger("manyply.analyser")
EXIT_UNUSABLE = 1
LOG_LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)


def _read_address(ctx: click.Context, param: click.Parameter, value: str | None) -> Address | None:
    if value is None:
        return None
    try:
        return parse_address(value)
    except AddressError as error:
        raise click.BadParameter(str(error)) from error


def _read_name(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    name = to_text(socket.gethostname(), NAME_CHARACTERS_MAX) if value is None else value
    try:
        AnalyserHello(name=name or "analyser", cores=1)
    except ValidationError as error:
        limit = f"1 to {NAME_CHARACTERS_MAX} printable characters"
        raise click.BadParameter(f"a name has {limit}") from error
    return name or "analyser"


@dataclass(frozen=True)
class Doors:
    """Where masters come from, one of these is given; and what they have to show there."""

    access: Access
    listen: Address | None = None
    connect: Address | None = None
    local_port: int | None = None
    handed: Inherited | None = None


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--listen",
    callback=_read_address,
    metavar="HOST:PORT",
    help="Listen for a master on this address. Beyond this machine that takes --secret, --libwrap "
    "or --open.",
)
@click.option(
    "--connect",
    callback=_read_address,
    metavar="HOST:PORT",
    help="Dial a master that listens there.",
)
@click.option("--stdio", is_flag=True, help="Serve stdin/stdout: inetd, ssh, systemd Accept=yes.")
@click.option("--local-port", type=click.IntRange(1, 65535), help="Source port for --connect.")
@click.option(
    "--workers", type=click.IntRange(1, 4096), help="Threads.  [default: all cores allowed]"
)
@click.option("--name", callback=_read_name, help="What to be called.  [default: the host's name]")
@lending_options
@click.option("-v", "--verbose", count=True, help="Say more on stderr; twice for everything.")
@door_options("manyply-analyser", has_ticket=True)
@click.version_option(package_name="manyply")
def main(
    access: Access,
    listen: Address | None,
    connect: Address | None,
    stdio: bool,
    local_port: int | None,
    workers: int | None,
    name: str,
    verbose: int,
    lending: Lending,
) -> None:
    """Lend this machine's cores to one master at a time.

    A socket that systemd hands over (LISTEN_FDS) is served without any option.
    SIGTERM and Ctrl-C finish the parts at hand and leave; a second one leaves at once.
    A quota of processor time (cgroups) bounds the default number of threads too.

    \b
    Exit codes:
      0  a master's work is done, a signal ended it, or --idle-exit did
      1  the address, or what was handed over, cannot be used, or --give-up-after ended it
      2  bad options
    """
    logging.basicConfig(
        stream=sys.stderr,
        level=LOG_LEVELS[min(verbose, len(LOG_LEVELS) - 1)],
        format="manyply-analyser: %(message)s",
    )
    if lending.give_up_after < math.inf and connect is None:
        raise click.UsageError("--give-up-after belongs to --connect")
    config = AgentConfig(
        name=name,
        worker_count=_limited(lending, workers),
        games=services.games(),
        drain_s=lending.drain_s,
    )
    try:
        doors = _doors(access, listen, connect, local_port, is_stdio=stdio)
        with new_runner() as runner:
            runner.run(_run(config, doors, lending))
    except (DoorError, DoorRefusedError) as error:
        _fail(str(error))
    except OSError as error:
        if not (text := shortage(error)):
            raise
        _fail(text)


def _limited(lending: Lending, workers: int | None) -> int:
    """Limit this process as it was asked for; return how many workers it is to have."""
    option = "--cores"
    try:
        if lending.cores is not None:
            pin_to_cores(lending.cores)
        count = workers or default_worker_count()
        option = "--nice"
        if lending.nice is not None:
            be_nice(lending.nice)
        option = "--memory"
        if lending.memory is not None:
            limit_memory(lending.memory, count)
    except LimitError as error:
        raise click.BadParameter(str(error), param_hint=f"'{option}'") from error
    try:
        if lending.with_parent:
            end_with_parent()
    except LimitError as error:
        _fail(f"--with-parent: {error}")
    return count


def _fail(text: str) -> NoReturn:
    _say(text)
    sys.exit(EXIT_UNUSABLE)


def _doors(
    access: Access,
    listen: Address | None,
    connect: Address | None,
    local_port: int | None,
    *,
    is_stdio: bool,
) -> Doors:
    """Return the door asked for; what the parent handed over is taken here, once."""
    if sum((listen is not None, connect is not None, is_stdio)) > 1:
        raise click.UsageError("--listen, --connect and --stdio exclude one another")
    if local_port is not None and connect is None:
        raise click.UsageError("--local-port belongs to --connect")
    if listen is not None or connect is not None:
        return Doors(access, listen, connect, local_port)
    handed = handed_over()
    if handed.kind is InheritedKind.PIPES and not is_stdio:
        raise click.UsageError(
            "give --listen HOST:PORT, --connect HOST:PORT or --stdio, or hand over a socket"
        )
    return Doors(access, handed=handed)


async def _run(config: AgentConfig, doors: Doors, lending: Lending) -> None:
    """Serve until the door closes for good, a signal comes or nobody does; then drain.

    Raises:
        DoorError: the door cannot be used.
        DoorRefusedError: anybody could use it.
    """
    agent = Agent(config, Doorkeeper(doors.access, log.warning))
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _on_signal, stop)
    terms = Terms(lending.hours, is_mains_only=lending.battery == "stop")
    keeping = asyncio.create_task(keep_terms(agent, terms, _say))  # looks before any door opens
    serving = asyncio.create_task(_serve(agent, doors, lending.give_up_after))
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


def _say(text: str) -> None:
    click.echo(f"manyply-analyser: {text}", err=True)


def _on_signal(stop: asyncio.Event) -> None:
    if stop.is_set():
        os._exit(0)  # a second signal: what is unfinished is computed elsewhere
    stop.set()


async def _serve(agent: Agent, doors: Doors, give_up_s: float) -> None:
    """Open the door asked for and serve it; return when a handed connection has ended."""
    handed = doors.handed
    if handed is not None and handed.kind is not InheritedKind.LISTENER:
        notify_parent("READY=1")
        await serve_connection(agent, handed)
    elif doors.connect is not None:
        notify_parent("READY=1")
        await agent.wait_open()
        agent.load()
        await dial(agent, doors.connect, doors.local_port, give_up_s)
    else:
        where = doors.listen if handed is None else handed.sock
        assert where is not None, "one door is given"
        await _serve_listener(agent, await listen(agent, where))


async def _serve_listener(agent: Agent, listener: Listener) -> None:
    if listener.addresses:
        _say(f"listening on port {listener.port}")
    notify_parent("READY=1")
    try:
        await agent.wait_open()
        agent.load()
        await asyncio.Event().wait()
    finally:
        await listener.aclose()


if __name__ == "__main__":
    main()
