"""The place where the user wants work to be done, and its options.

Nothing that computes is imported here: a command that computes by itself starts without it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from master.cli.arguments import CountType, Decorator
from master.cli.configuration import is_configured
from master.config.fleet_list import FleetEntry, FleetError, read_fleet
from master.config.fleet_specs import EXPECTED, LOCAL_MAX, FleetSpec, read_analysers, read_fleets
from master.config.paths import control_socket_path, is_served
from protocol.address import PORT_MAX, Address
from protocol.guards.address_option import read_address
from protocol.guards.home_paths import home_path
from protocol.guards.number_ranges import WholeRange
from protocol.guards.renamed_option import RenamedOption

WAIT_S = 60.0
"""A machine that starts again is back within it; a command in a script must end some day."""


@dataclass(frozen=True)
class Place:
    """Where the user wants jobs to run.

    Args:
        master: Path of a master's control socket; None: one that runs here, if any, else
            this process.
        analysers: Analysers to use; they make this process the master.
        fleets: Fleets that engines place; their analysers dial in to this process.
        listen: Where they dial in; None: an address that faces the engine, any port.
        local: Local worker threads; None: all cores, unless a master runs here.
        is_computing: Whether a master in this process needs analysers: not to look at jobs.
        secret: File of the secret that analysers reached over a network have to know; None: the
            user's own, if there is one.
        tls: File of this machine's identity for those analysers; None: TLS is not spoken.
        local_port: Source port of links to them; None: any.
        wait_s: Jobs and questions are given up when no analyser could be used for so long; None:
            the usual time.
    """

    master: str | None = None
    analysers: tuple[FleetEntry, ...] = ()
    local: int | None = None
    fleets: tuple[FleetSpec, ...] = ()
    listen: Address | None = None
    is_computing: bool = True
    secret: str | None = field(default=None, compare=False)
    tls: Path | None = field(default=None, compare=False)
    local_port: int | None = field(default=None, compare=False)
    wait_s: float | None = field(default=None, compare=False)

    @property
    def patience_s(self) -> float:
        """Time to wait without an analyser; no limit with fleets: their engines report."""
        if self.wait_s is not None:
            return self.wait_s
        return math.inf if self.fleets else WAIT_S

    @property
    def is_here(self) -> bool:
        """Whether the user named workers, analysers or fleets for this process."""
        return bool(self.analysers or self.fleets) or self.local is not None


def socket_path(place: Place, state_dir: Path) -> Path | None:
    """Return the control socket asked for, or that of a master that runs here."""
    if place.master is not None:
        return home_path(place.master)
    path = control_socket_path(state_dir)
    return path if not place.is_here and is_served(path) else None


def place_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the place of a job; the command is given them as `place`."""

    @wraps(function)
    def with_place(
        *args: Any,
        analysers: tuple[FleetEntry, ...],
        fleet: tuple[FleetSpec, ...],
        fleet_file: tuple[FleetEntry, ...],
        listen: Address | None,
        local: int | None,
        master: str | None,
        secret: str | None,
        tls: Path | None,
        local_port: int | None,
        wait_for_analysers: float | None,
        **rest: Any,
    ) -> Any:
        if local is None and any(spec.kind == "local" for spec in fleet):
            local = 0  # the cores are theirs
        started = (entry for spec in fleet if not spec.is_placed for entry in spec.entries())
        placed = tuple(spec for spec in fleet if spec.is_placed)
        if listen is not None and not placed:
            raise click.UsageError("--listen is for analysers of a --fleet that dial in")
        place = _place_of((*analysers, *fleet_file, *started), placed, local, master)
        place = replace(
            place,
            listen=listen,
            secret=secret,
            tls=tls,
            local_port=local_port,
            wait_s=wait_for_analysers,
        )
        return function(*args, place=place, **rest)

    return _place_options(with_place)


def _place_of(
    analysers: tuple[FleetEntry, ...],
    fleets: tuple[FleetSpec, ...],
    local: int | None,
    master: str | None,
) -> Place:
    if master is not None:
        analysers = () if is_configured("analysers") else analysers
        local = None if is_configured("local") else local
    place = Place(master, analysers, local, fleets)
    if master is not None and place.is_here:
        raise click.UsageError(
            "--master uses a master's own fleet: leave out --analyser, --fleet, --workers"
        )
    if local == 0 and not (analysers or fleets):
        raise click.UsageError(
            "--workers 0 leaves nobody to compute: give --analyser HOST:PORT or --fleet SPEC"
        )
    return place


def _read_wait(
    context: click.Context, option: click.Parameter, value: float | None
) -> float | None:
    """Check the option; a callback, since a range of floats takes `nan`."""
    if value is not None and not value >= 0.0:
        raise click.BadParameter("expected seconds, 0 or more, or inf")
    return value


def _read_fleet_file(
    context: click.Context, option: click.Parameter, value: str | None
) -> tuple[FleetEntry, ...]:
    """Return the analysers of a list; a callback."""
    try:
        return () if value is None else read_fleet(home_path(value))
    except FleetError as error:
        raise click.BadParameter(str(error), ctx=context, param=option) from error


trust_option = click.option(
    "--trust", "is_trusting", is_flag=True,
    help="Do not double-check results of network analysers (twice as fast).",
)  # fmt: skip
"""Of a search that is shared."""

_SHOWN = "master.cli.place.fleet_options"
"""Of a context's `meta`: the help records of fleet options are wanted."""


class FleetOption(RenamedOption):
    """An option for machines and connections, which `--help-fleet` explains instead of `--help`."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the line of the help, where fleet options are wanted."""
        return super().get_help_record(ctx) if ctx.meta.get(_SHOWN) else None


def show_fleet_options(ctx: click.Context) -> None:
    """Have helps of a context, and of those within it, explain fleet options too."""
    ctx.meta[_SHOWN] = True


def _help_fleet(ctx: click.Context, param: click.Parameter, is_asked: bool) -> None:
    """Print the fleet options of a command."""
    if not is_asked or ctx.resilient_parsing:
        return
    show_fleet_options(ctx)
    formatter = ctx.make_formatter()
    formatter.write_usage(ctx.command_path, "[OPTIONS] ...")
    options = [each for each in ctx.command.params if isinstance(each, FleetOption)]
    with formatter.section("Options for machines and connections"):
        formatter.write_dl([r for each in options if (r := each.get_help_record(ctx)) is not None])
    click.echo(formatter.getvalue().rstrip("\n"))
    ctx.exit()


def _fleet_option(*names: str, **settings: Any) -> Decorator:
    return click.option(*names, cls=FleetOption, **settings)


_options = (
    click.option("--help-fleet", is_flag=True, is_eager=True, expose_value=False,
                 callback=_help_fleet, help="Show the options for machines and connections:"
                 " --analyser, --fleet, --workers, --master, ... and exit."),
    _fleet_option("--analyser", "analysers", multiple=True, metavar="HOST:PORT",
                  callback=read_analysers,
                  help="Use this analyser; repeat for more. exec:COMMAND starts one."),
    _fleet_option("--fleet", multiple=True, metavar="SPEC", callback=read_fleets,
                  help=f"Start and use analysers: {EXPECTED}; repeat for more."),
    _fleet_option("--fleet-file", metavar="FILE", callback=_read_fleet_file,
                  help="TOML list of analysers to use."),
    _fleet_option("--listen", metavar="HOST:PORT", callback=read_address,
                  help="Address that analysers started by --fleet connect back to.  [default: this"
                  " machine's address as the cluster sees it, any port]"),
    _fleet_option("--workers", "local", old_names=["--local"], type=CountType(0, LOCAL_MAX),
                  metavar="N", help="Worker threads here, 0 for none.  [default: all cores]"),
    _fleet_option("--master", metavar="PATH",
                  help="Use the master with this control socket.  [default: the local one]"),
    _fleet_option("--secret", metavar="FILE",
                  help="Secret that analysers at HOST:PORT know, or `none`.  [default:"
                  " ~/.config/manyply/secret, if it is there]"),
    _fleet_option("--tls", metavar="FILE", type=click.Path(path_type=Path),
                  help="Use TLS with analysers at HOST:PORT; `manyply cert` makes the file."),
    _fleet_option("--local-port", type=WholeRange(1, PORT_MAX), metavar="PORT",
                  help="Source port of links to analysers at HOST:PORT."),
    _fleet_option("--wait-for-analysers", type=float, metavar="SECONDS", callback=_read_wait,
                  help="Give up, with exit code 1, after this long without a usable analyser. 0:"
                  " as soon as that is clear (a link that may still come up is tried for 5 s);"
                  f" inf: never.  [default: {WAIT_S:g}; inf with --fleet on a cluster]"),
)  # fmt: skip
"""In the order of the help."""


def _place_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options behind a command's own, wherever it has the decorator."""
    own = list(getattr(function, "__click_params__", ()))
    function.__dict__["__click_params__"] = []
    for option in reversed(_options):
        function = option(function)
    function.__dict__["__click_params__"] += own
    return function
