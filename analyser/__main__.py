"""`manyply-analyser`: lends this machine's cores to a master."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
from dataclasses import dataclass

import click

from analyser.agent import Agent, AgentConfig
from analyser.doors import dial, listen, serve_inherited
from analyser.notify import notify_parent
from engine_ext import services
from protocol.address import Address, AddressError, parse_address
from protocol.aio.inherited import InheritedKind, inherited

PORT_DEFAULT = 4321
EXIT_BAD_INPUT = 2
EXIT_UNUSABLE_ADDRESS = 1

log = logging.getLogger("manyply.analyser")


def _read_address(ctx: click.Context, param: click.Parameter, value: str | None) -> Address | None:
    if value is None:
        return None
    try:
        return parse_address(value)
    except AddressError as error:
        raise click.BadParameter(str(error)) from error


@dataclass(frozen=True)
class Doors:
    """Where masters come from; exactly one is given, or the parent handed a socket."""

    listen: Address | None
    connect: Address | None
    is_stdio: bool
    local_port: int | None


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--listen",
    callback=_read_address,
    metavar="HOST:PORT",
    help="Listen for a master on this address.",
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
@click.option("--name", help="What to be called.  [default: the host's name]")
@click.option("-v", "--verbose", count=True, help="Say more on stderr; twice for everything.")
@click.version_option(package_name="manyply")
def main(
    listen: Address | None,
    connect: Address | None,
    stdio: bool,
    local_port: int | None,
    workers: int | None,
    name: str | None,
    verbose: int,
) -> None:
    """Lend this machine's cores to one master at a time.

    A listening socket that systemd hands over (LISTEN_FDS) is served without any option.
    SIGTERM and Ctrl-C finish the parts at hand and leave; a second one leaves at once.

    \b
    Exit codes:
      0  a master's work is done, or a signal ended it
      1  the address cannot be used
      2  bad options
    """
    logging.basicConfig(
        stream=sys.stderr,
        level=(logging.WARNING, logging.INFO, logging.DEBUG)[min(verbose, 2)],
        format="manyply-analyser: %(message)s",
    )
    doors = Doors(listen, connect, stdio, local_port)
    _check(doors)
    config = AgentConfig(
        name=name or socket.gethostname() or "analyser",
        worker_count=workers or len(os.sched_getaffinity(0)),
        games=services.games(),
    )
    sys.exit(_run(config, doors))


def _check(doors: Doors) -> None:
    count = sum((doors.listen is not None, doors.connect is not None, doors.is_stdio))
    if count > 1:
        raise click.UsageError("--listen, --connect and --stdio exclude one another")
    if count == 0 and inherited().kind is not InheritedKind.LISTENER:
        raise click.UsageError(
            "give --listen HOST:PORT, --connect HOST:PORT or --stdio, or hand over a socket"
        )
    if doors.local_port is not None and doors.connect is None:
        raise click.UsageError("--local-port belongs to --connect")


def _run(config: AgentConfig, doors: Doors) -> int:
    try:
        import uvloop  # noqa: PLC0415  # absent on some systems; asyncio's own loop will do
    except ImportError:
        return asyncio.run(_serve(config, doors))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_serve(config, doors))


async def _serve(config: AgentConfig, doors: Doors) -> int:
    agent = Agent(config)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _on_signal, stop)
    serving = asyncio.create_task(_open(agent, doors))
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            serving.result()
        else:
            notify_parent("STOPPING=1")
            await agent.drain()
    except OSError as error:
        click.echo(f"manyply-analyser: {error}", err=True)
        return EXIT_UNUSABLE_ADDRESS
    finally:
        for task in (serving, stopping):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await task
        await agent.close()
    return 0


def _on_signal(stop: asyncio.Event) -> None:
    if stop.is_set():
        os._exit(0)  # a second signal: what is unfinished is computed elsewhere
    stop.set()


async def _open(agent: Agent, doors: Doors) -> None:
    """Open the door asked for and serve it; return when a handed connection has ended."""
    if doors.connect is not None:
        notify_parent("READY=1")
        await dial(agent, doors.connect.host, doors.connect.port, doors.local_port)
        return
    if doors.listen is not None:
        listener = await listen(agent, doors.listen.host or None, doors.listen.port)
        click.echo(f"listening on port {listener.port}", err=True)
    else:
        served = await serve_inherited(agent, inherited())
        if served is None:
            return
        listener = served
    notify_parent("READY=1")
    try:
        await asyncio.Event().wait()
    finally:
        await listener.aclose()


if __name__ == "__main__":
    main()
