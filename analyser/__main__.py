"""`manyply-analyser`: lends this machine's cores to a master.

Knows options, signals and exit codes.  Must not know what is said over a link.
"""

from __future__ import annotations

import asyncio
import logging
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
from engine_ext import services
from protocol.access.rules import Access, DoorRefusedError
from protocol.address import Address, AddressError, parse_address
from protocol.aio import Inherited, InheritedKind, Listener, new_runner
from protocol.aio.descriptors import shortage
from protocol.aio.notify import keep_watchdog, notify_parent
from protocol.guards.doorkeeper import Doorkeeper
from protocol.guards.options import door_options
from protocol.messages import NAME_CHARACTERS_MAX, AnalyserHello, to_text

EXIT_UNUSABLE_DOOR = 1
log = logging.getLogger("manyply.analyser")
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
    """Where masters come from: one of these is given."""

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
@click.option("--workers", type=click.IntRange(1, 4096), help="Threads.  [default: all cores]")
@click.option("--name", callback=_read_name, help="What to be called.  [default: the host's name]")
@click.option("-v", "--verbose", count=True, help="Say more on stderr; twice for everything.")
@door_options("manyply-analyser")
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
) -> None:
    """Lend this machine's cores to one master at a time.

    A socket that systemd hands over (LISTEN_FDS) is served without any option.
    SIGTERM and Ctrl-C finish the parts at hand and leave; a second one leaves at once.

    \b
    Exit codes:
      0  a master's work is done, or a signal ended it
      1  the address, or what was handed over, cannot be used
      2  bad options
    """
    logging.basicConfig(
        stream=sys.stderr,
        level=LOG_LEVELS[min(verbose, len(LOG_LEVELS) - 1)],
        format="manyply-analyser: %(message)s",
    )
    config = AgentConfig(
        name=name,
        worker_count=workers or len(os.sched_getaffinity(0)),
        games=services.games(),
    )
    try:
        doors = _doors(listen, connect, local_port, is_stdio=stdio)
        with new_runner() as runner:
            runner.run(_run(config, access, doors))
    except (DoorError, DoorRefusedError) as error:
        _fail(str(error))
    except OSError as error:
        if not (text := shortage(error)):
            raise
        _fail(text)


def _fail(text: str) -> NoReturn:
    click.echo(f"manyply-analyser: {text}", err=True)
    sys.exit(EXIT_UNUSABLE_DOOR)


def _doors(
    listen: Address | None, connect: Address | None, local_port: int | None, *, is_stdio: bool
) -> Doors:
    """Return the door asked for; what the parent handed over is taken here, once."""
    if sum((listen is not None, connect is not None, is_stdio)) > 1:
        raise click.UsageError("--listen, --connect and --stdio exclude one another")
    if local_port is not None and connect is None:
        raise click.UsageError("--local-port belongs to --connect")
    if listen is not None or connect is not None:
        return Doors(listen, connect, local_port)
    handed = handed_over()
    if handed.kind is InheritedKind.PIPES and not is_stdio:
        raise click.UsageError(
            "give --listen HOST:PORT, --connect HOST:PORT or --stdio, or hand over a socket"
        )
    return Doors(handed=handed)


async def _run(config: AgentConfig, access: Access, doors: Doors) -> None:
    """Serve until the door closes for good or a signal comes; then drain.

    Raises:
        DoorError: the door cannot be used.
        DoorRefusedError: anybody could use it.
    """
    agent = Agent(config, Doorkeeper(access, log.warning))
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _on_signal, stop)
    serving = asyncio.create_task(_serve(agent, doors))
    beside = [asyncio.create_task(stop.wait()), asyncio.create_task(keep_watchdog())]
    try:
        await asyncio.wait({serving, beside[0]}, return_when=asyncio.FIRST_COMPLETED)
        notify_parent("STOPPING=1")
        if serving.done():
            serving.result()
        else:
            await agent.drain()
    finally:
        for task in (serving, *beside):
            task.cancel()
        await asyncio.gather(serving, *beside, return_exceptions=True)
        await agent.close()


def _on_signal(stop: asyncio.Event) -> None:
    if stop.is_set():
        os._exit(0)  # a second signal: what is unfinished is computed elsewhere
    stop.set()


async def _serve(agent: Agent, doors: Doors) -> None:
    """Open the door asked for and serve it; return when a handed connection has ended."""
    handed = doors.handed
    if handed is not None and handed.kind is not InheritedKind.LISTENER:
        notify_parent("READY=1")
        await serve_connection(agent, handed)
    elif doors.connect is not None:
        notify_parent("READY=1")
        agent.load()
        await dial(agent, doors.connect, doors.local_port)
    else:
        where = doors.listen if handed is None else handed.sock
        assert where is not None, "one door is given"
        await _serve_listener(agent, await listen(agent, where))


async def _serve_listener(agent: Agent, listener: Listener) -> None:
    if listener.addresses:
        click.echo(f"manyply-analyser: listening on port {listener.port}", err=True)
    notify_parent("READY=1")
    agent.load()
    try:
        await asyncio.Event().wait()
    finally:
        await listener.aclose()


if __name__ == "__main__":
    main()
