"""`manyply-relay`: shows a fleet to a master above as one analyser.

The command, its options and exit codes; it connects an agent above with a fleet below.
"""

from __future__ import annotations

import functools
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import click

from analyser.agent import Agent, AgentConfig
from analyser.connecting_options import (
    Connecting,
    connecting_options,
    name_option,
    verbose_option,
)
from analyser.endpoints import EndpointError
from analyser.lending_options import Lending, some_lending_options
from analyser.limits import LimitError, end_with_parent
from analyser.serving import Endpoints, begin_log, find_endpoints, serve
from master.config.fleet_list import FleetEntry
from master.config.fleet_specs import (
    FleetSpec,
    NamedFleet,
    fleet_options,
    listen_option,
)
from master.contract.errors import MasterError, UnguardedError
from master.fleets.inviting import invited_fleets
from master.relay.fleet import Fleet
from master.service.collector import relax_collector
from protocol.access.rules import Access, EndpointRefusedError
from protocol.address import PORT_MAX, Address
from protocol.aio import new_runner
from protocol.aio.shortages import SHORTAGES, shortage
from protocol.exit_codes import ExitCode
from protocol.guards.access_control import AccessControl
from protocol.guards.number_ranges import WholeRange
from protocol.guards.options import endpoint_options

PREFIX = "up-"
"""Prefix of options for the master above; those for analysers below have none."""


def upper_endpoint_options(daemon: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds the options above; the command gets them as `up_access`.

    Args:
        daemon: its name in hosts.allow and hosts.deny.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @endpoint_options(daemon, has_ticket=True)
        def read(access: Access) -> Access:
            return access

        options: list[click.Option] = getattr(read, "__click_params__", [])
        names = [option.name for option in options if option.name]

        @functools.wraps(command)
        def with_endpoint(*args: Any, **rest: Any) -> Any:
            up_access = read(**{name: rest.pop(f"up_{name}") for name in names})
            return command(*args, up_access=up_access, **rest)

        with_endpoint.__dict__["__click_params__"] = [
            *getattr(command, "__click_params__", []),
            *map(_renamed, options),
        ]
        return with_endpoint

    return decorate


def _renamed(option: click.Option) -> click.Option:
    """Return an option under its name for the master above."""
    option.name = f"up_{option.name}"
    option.opts = [f"--{PREFIX}{name.removeprefix('--')}" for name in option.opts]
    return option


log = logging.getLogger("manyply.relay")
PATH = click.Path(path_type=Path)


@dataclass(frozen=True)
class Below:
    """The analysers below.

    Args:
        access: access control for analysers that dial in or are reached over a network.
        listen: addresses at which analysers may dial in; None: nowhere.
        entries: analysers to call on, or to start.
        placed: fleets that engines place; their analysers dial in.
        local_port: Source port of links to those that are called on; None: any.
    """

    access: Access
    listen: Address | None
    entries: tuple[FleetEntry, ...]
    placed: tuple[FleetSpec, ...]
    local_port: int | None


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@connecting_options(PREFIX)
@upper_endpoint_options("manyply-relay")
@listen_option("below_listen")
@fleet_options
@click.option(
    "--local-port",
    "below_local_port",
    type=WholeRange(1, PORT_MAX),
    metavar="PORT",
    help="Source port of links to analysers at HOST:PORT.",
)
@endpoint_options("manyply-relay")
@name_option
@some_lending_options("idle_exit", "give_up_after", "drain_s", "with_parent")
@verbose_option
@click.version_option(None, "-V", "--version", package_name="manyply")
def main(
    access: Access,
    up_access: Access,
    connecting: Connecting,
    lending: Lending,
    below_listen: Address | None,
    named: Callable[[], NamedFleet],
    below_local_port: int | None,
) -> None:
    """Present a fleet to a master above as one analyser.

    The relay connects to the master above like manyply-analyser: --up-listen, --connect or --stdio.
    Its fleet is that of manyply and manyply-master: --listen, --analyser, --fleet, --fleet-file,
    --workers. Options that begin with --up- concern the master above alone. Relays can be chained.

    A master is served once the first analyser is there; it gets notice of later changes.
    SIGTERM and Ctrl-C finish the parts at hand and leave; a second one leaves at once.

    \b
    Exit codes:
      0  a master's work is done, a signal ended it, or --idle-exit did
      1  an address, the fleet list, or the inherited socket cannot be used, or
         --give-up-after ended it
      2  bad options, as a listener without a secret
    """
    begin_log("manyply-relay", connecting.verbose, is_service=not connecting.stdio)
    try:
        fleet = named()
        if not (below_listen or fleet):
            raise click.UsageError(
                "nobody would compute: give --listen HOST:PORT, --analyser HOST:PORT, --fleet SPEC,"
                " --fleet-file FILE or --workers N"
            )
        below = Below(access, below_listen, fleet.entries, fleet.placed, below_local_port)
        if lending.with_parent:
            end_with_parent()
        endpoints = find_endpoints(up_access, connecting, lending)
        relax_collector()
        with new_runner() as runner:
            runner.run(_run(below, endpoints, lending))
    except (EndpointRefusedError, UnguardedError) as error:
        _fail(str(error), ExitCode.BAD_INPUT)
    except (EndpointError, MasterError) as error:
        _fail(str(error))
    except LimitError as error:
        _fail(f"--with-parent: {error}")
    except SHORTAGES as error:
        if not (text := shortage(error)):
            raise
        _fail(text)


async def _run(below: Below, endpoints: Endpoints, lending: Lending) -> None:
    """Serve masters with the fleet until the end.

    Raises:
        MasterError: the fleet's address cannot be used.
        EndpointError: that of the master above cannot be.
        EndpointRefusedError: anybody could use it.
    """
    config = AgentConfig(endpoints.connecting.name, 0, (), drain_s=lending.drain_s)
    async with Fleet(config.name, below.access, log.warning, below.local_port, log.info) as fleet:
        keeper = AccessControl(endpoints.access, log.warning)
        agent = Agent(config, keeper, fleet.open_backend)
        port = await fleet.start(below.listen, below.entries)
        if port is not None:
            _say(f"listening for analysers on port {port}")
        async with invited_fleets(below.placed, None, fleet.serve_link, log.warning):
            await serve(agent, endpoints, lending, _say)


def _fail(text: str, code: ExitCode = ExitCode.JOB_FAILED) -> NoReturn:
    _say(text)
    sys.exit(code)


def _say(text: str) -> None:
    click.echo(f"manyply-relay: {text}", err=True)
