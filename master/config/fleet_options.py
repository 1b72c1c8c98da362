"""The click options that name analysers and fleets, the same for commands, master and relay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from master.config.fleet_list import FleetEntry, FleetError, parse_fleet_address
from master.config.fleet_specs import FleetSpec, parse_fleet_spec
from protocol.guards.address_option import read_address

LOCAL_MAX = 1_024
"""Threads of one machine; more is a typing error."""

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def listen_option(name: str = "listen") -> Decorator:
    """Return the option of where analysers dial in; the command gets it by this name."""
    return click.option(
        "--listen", name, callback=read_address, metavar="HOST:PORT",
        help="Accept analysers that dial in with `manyply-analyser --connect`. Beyond this machine"
        " that takes --secret, --libwrap or --open.",
    )  # fmt: skip


local_option = click.option(
    "--local", type=click.IntRange(0, LOCAL_MAX), default=0, metavar="N",
    help="Worker threads of its own, in a child process.  [default: 0, none]",
)  # fmt: skip


def read_analysers(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> tuple[FleetEntry, ...]:
    """Read addresses as an option's callback."""
    try:
        return tuple(FleetEntry("", parse_fleet_address(text)) for text in dict.fromkeys(texts))
    except FleetError as error:
        raise click.BadParameter(str(error), ctx=ctx, param=param) from error


def read_fleets(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> tuple[FleetSpec, ...]:
    """Read fleets in a word as an option's callback."""
    try:
        return tuple(map(parse_fleet_spec, dict.fromkeys(texts)))
    except FleetError as error:
        raise click.BadParameter(str(error), ctx=ctx, param=param) from error
