"""`manyply fleet`: analysers that stay for a running master, until they are taken down."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from master.cli.arguments import CountType, json_option, reads
from master.cli.errors import CommandError
from master.cli.jobs.job_commands import master_option
from master.cli.output import echo, echo_exactly, echo_json, echo_table
from master.config.fleet_specs import COUNT_MAX, EXPECTED, GIVE_UP_S, FleetSpec, parse_fleet_spec
from master.config.paths import control_socket_path, default_state_dir
from master.contract.errors import MasterError
from master.reports.texts import counted
from protocol.address import Address, parse_address
from protocol.guards.home_paths import home_path
from protocol.guards.number_ranges import NumberRange
from protocol.guards.renamed_option import renamed_option

if TYPE_CHECKING:
    from master.contract.views import AnalyserLine
    from master.fleets.kept import KeptFleet
    from master.fleets.permanent import FleetLine, FleetPreview, PermanentFleets

GIVE_UP_S_MAX = 86_400.0


def _read_dial(text: str) -> Address:
    """Return where to dial; port 0 is the master's own."""
    return parse_address(text if ":" in text else f"{text}:0")


@click.group("fleet")
def fleet_command() -> None:
    """Start and stop analysers that outlive one command: up, list, scale, down.

    They work for a master that runs (`manyply-master --listen HOST:PORT`) until they are taken
    down.  For one command, use its option --fleet SPEC.
    """


@fleet_command.command("up", short_help="Start analysers for the master here.", epilog=f"""\b
SPEC is one of
  {EXPECTED.replace(" or ", ", ").replace(", ", chr(10) + "  ")}
""")  # fmt: skip
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...")
@click.option(
    "--name", default="", metavar="NAME", help="Name of the fleet.  [default: by its kind]"
)
@click.option(
    "--dial", metavar="HOST[:PORT]", callback=reads(_read_dial),
    help="Where its analysers reach the master.  [default: this machine's address as the cluster"
    " sees it, the port that the master listens on]",
)  # fmt: skip
@renamed_option(
    "--give-up-after", "give_up_s", old=["--give-up"], type=NumberRange(1, GIVE_UP_S_MAX),
    default=GIVE_UP_S, show_default=True, metavar="SECONDS",
    help="An analyser exits after this long without reaching the master.",
)  # fmt: skip
@click.option(
    "--dry-run", "is_dry", is_flag=True,
    help="Print what would be submitted, and start nothing. Without a master it takes --dial"
    " HOST:PORT.",
)  # fmt: skip
@master_option
@json_option
def up_command(
    specs: tuple[str, ...],
    name: str,
    dial: Address | None,
    give_up_s: float,
    is_dry: bool,
    master: str | None,
    is_json: bool,
) -> None:
    """Start analysers, here or on a cluster, for the master that runs here."""
    from master.cli.jobs.watching import run_async

    wanted = [_parsed(spec) for spec in specs]
    if name and len(wanted) > 1:
        raise click.UsageError("--name is for one fleet: start them one by one")

    async def work() -> None:
        if is_dry:
            async with _found(master) as (fleets, _):
                previews = [await fleets.preview(spec, name, dial, give_up_s) for spec in wanted]
            for preview in previews:
                _show_preview(preview, is_json=is_json)
            return
        async with _opened(master) as (fleets, _):
            for spec in wanted:
                _show_one(await fleets.up(spec, name, dial, give_up_s), "up", is_json=is_json)

    run_async(work())


@fleet_command.command("list", short_help="List the analysers of all fleets.")
@master_option
@json_option
def list_command(master: str | None, is_json: bool) -> None:
    """List the analysers of all fleets, with their states on the cluster and at the master."""
    from master.cli.jobs.watching import run_async

    async def work() -> list[FleetLine]:
        async with _found(master) as (fleets, analysers):
            return await fleets.lines(analysers)

    lines = run_async(work())
    if is_json:
        echo_json({"analysers": [asdict(line) for line in lines]})
    elif not lines:
        echo("There is no fleet: `manyply fleet up SPEC` starts one.")
    else:
        _print_table(lines)


@fleet_command.command("scale", short_help="Change the number of a fleet's analysers.")
@click.argument("count", type=CountType(0, COUNT_MAX), metavar="N")
@click.argument("name", required=False)
@master_option
@json_option
def scale_command(count: int, name: str | None, master: str | None, is_json: bool) -> None:
    """Change the number of a fleet's analysers to N; NAME may be left out if there is one fleet."""
    from master.cli.jobs.watching import run_async

    async def work() -> KeptFleet:
        async with _found(master) as (fleets, _):
            return await fleets.scale(name or fleets.only_name(), count)

    _show_one(run_async(work()), "scaled", is_json=is_json)


@fleet_command.command("down", short_help="Stop fleets, or those named.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@master_option
@json_option
def down_command(names: tuple[str, ...], master: str | None, is_json: bool) -> None:
    """Stop fleets, all of them without a NAME: each analyser finishes its parts and exits."""
    from master.cli.jobs.watching import run_async

    async def work() -> None:
        async with _found(master) as (fleets, _):
            chosen = list(dict.fromkeys(names)) or fleets.names()
            if not chosen and not is_json:
                echo("There is no fleet.")
            for name in chosen:
                _show_one(await fleets.down(name), "down", is_json=is_json)

    run_async(work())


Opened: TypeAlias = "tuple[PermanentFleets, Sequence[AnalyserLine]]"


@asynccontextmanager
async def _opened(master: str | None) -> AsyncIterator[Opened]:
    """Yield the fleets of a running master, and its analysers."""
    from master.api.client import MasterClient
    from master.fleets.kept import FleetFolder
    from master.fleets.permanent import PermanentFleets

    async with MasterClient(_socket_path(master)) as client:
        about = await client.about()
        assert about.state_dir is not None, "it is told the owner"
        listens = parse_address(about.listens) if about.listens else None
        fleets = PermanentFleets(FleetFolder(Path(about.state_dir)), listens)
        yield fleets, await client.who()


def _socket_path(master: str | None) -> Path:
    return home_path(master) if master else control_socket_path(default_state_dir())


@asynccontextmanager
async def _found(master: str | None) -> AsyncIterator[Opened]:
    """Yield the same; of a master that has gone its fleets can still be listed and ended."""
    from master.api.client import MasterGoneError
    from master.fleets.kept import FleetFolder
    from master.fleets.permanent import PermanentFleets

    async with contextlib.AsyncExitStack() as stack:
        try:
            opened = await stack.enter_async_context(_opened(master))
        except MasterGoneError:
            if master:
                raise
            opened = PermanentFleets(FleetFolder(default_state_dir()), None), ()
        yield opened


def _parsed(text: str) -> FleetSpec:
    try:
        return parse_fleet_spec(text)
    except MasterError as error:
        raise CommandError(str(error)) from None


def _show_one(fleet: KeptFleet, verb: str, *, is_json: bool) -> None:
    if is_json:
        echo_json({"fleet": fleet.name, "spec": fleet.spec.text, "count": fleet.count, "is": verb})
    elif verb == "down":
        echo(f"{fleet.name}: taken down; its analysers finish their parts and leave")
    else:
        size = "" if fleet.count is None else f", {counted(fleet.count, 'analyser')}"
        echo(f"{fleet.name}: {fleet.spec.text}{size}, dialling {fleet.address}")


def _show_preview(preview: FleetPreview, *, is_json: bool) -> None:
    if is_json:
        echo_json({
            "fleet": preview.name, "spec": preview.spec.text, "count": preview.spec.count,
            "is": "preview", "address": str(preview.address), "submits": list(preview.lines),
        })  # fmt: skip
        return
    echo_exactly(f"# {preview.name}: {preview.spec.text}, dialling {preview.address}")
    echo_exactly("\n".join(preview.lines))


def _print_table(lines: Sequence[FleetLine]) -> None:
    rows = [
        (
            line.fleet,
            line.name,
            line.host,
            line.engine,
            line.state,
            str(line.workers) if line.workers else "",
            f"{line.trials:,}" if line.trials else "",
        )
        for line in lines
    ]
    headings = ("fleet", "analyser", "host", "engine says", "master says", "workers", "trials")
    echo_table("", headings, rows, left=5, drops=[{"trials"}, {"host"}, {"workers"}])
