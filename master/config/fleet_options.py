"""Analysers and fleets as options name them: callbacks of click.

Knows click, and how an address and a fleet are written. Must not start or call anybody.
"""

from __future__ import annotations

import click

from master.config.fleet_list import FleetEntry, FleetError, parse_fleet_address
from master.config.fleet_specs import FleetSpec, parse_fleet_spec


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
