"""`manyply external`: an opponent for gnubg, and for other programs that speak its protocol."""

from __future__ import annotations

import asyncio
import signal
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path

import click

from engine_ext.backgammon.match_table import MatchTable
from master.cli.arguments import reads
from master.cli.backgammon.external.external_endpoint import ExternalEndpoint
from master.cli.backgammon.external.external_options import level_of, level_options
from master.cli.input_lines import input_lines
from master.cli.interruptible import interruptible
from master.cli.output import echo_exactly, echo_notice
from master.games.backgammon.external.best_action import Level
from master.games.backgammon.external.commands import LINE_BYTES_MAX
from master.games.backgammon.external.fibs_state import SessionRules
from master.games.backgammon.external.session import ExternalReaction, carry_out, receive
from protocol.access.addresses import Network, parse_network
from protocol.access.rules import Access
from protocol.address import Address
from protocol.aio.event_loop import new_runner
from protocol.guards.access_control import AccessControl
from protocol.guards.address_option import read_address
from protocol.guards.libwrap import LibwrapError, load_libwrap

LIBWRAP_NAME = "manyply-external"


def _read_networks(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> tuple[object, ...]:
    return tuple(reads(parse_network)(ctx, param, text) for text in texts)


@click.command("external")
@click.option(
    "--listen", metavar="HOST:PORT", callback=read_address,
    help="Listen there, as localhost:4327. Beyond this machine that takes --libwrap or --open.",
)  # fmt: skip
@click.option(
    "--socket", "path", metavar="PATH", type=click.Path(path_type=Path),
    help="Listen on a Unix socket, which only you can use.",
)  # fmt: skip
@level_options
@click.option(
    "--jacoby/--no-jacoby", default=True, show_default=True,
    help="Jacoby rule in money play, which a board does not say.",
)  # fmt: skip
@click.option(
    "--beavers/--no-beavers", default=False, show_default=True,
    help="Beaver in money play; gnubg allows that by `set beavers`, and does not say so.",
)  # fmt: skip
@click.option(
    "--allow", multiple=True, metavar="NETWORK", callback=_read_networks,
    help="Let in programs of this network only, such as 192.168.1.0/24; repeat for more.",
)  # fmt: skip
@click.option(
    "--libwrap", is_flag=True,
    help=f"Ask hosts.allow and hosts.deny; the name there is {LIBWRAP_NAME}.",
)  # fmt: skip
@click.option("--open", "is_open", is_flag=True, help="Let in everybody who reaches the address.")
def external_command(
    listen: Address | None,
    path: Path | None,
    ply: int,
    cube_ply: int | None,
    table: MatchTable | None,
    jacoby: bool,
    beavers: bool,
    allow: tuple[Network, ...],
    libwrap: bool,
    is_open: bool,
) -> None:
    """Be an external player of GNU Backgammon, or of a program that speaks as it does.

    In gnubg, `set player 1 external localhost:4327` lets player 1 be this engine. A line is a
    FIBS board (board:You:Other:5:0:0:...), and is answered by a move (8/5 6/5), roll, double,
    take, drop or beaver; also understood are evaluation fibsboard BOARD, version, help and quit.
    Without --listen and --socket lines are read from standard input and answered on standard
    output.
    """
    if listen is not None and path is not None:
        raise click.UsageError("--listen and --socket exclude each other")
    if listen is None and (allow or libwrap or is_open):
        raise click.UsageError("--allow, --libwrap and --open belong to --listen")
    level = level_of(ply, cube_ply, table)
    rules = SessionRules(jacoby=jacoby, beavers=beavers)
    if listen is None and path is None:
        _answer_stdin(level, rules)
        return
    keeper = AccessControl(_access(allow, is_open=is_open, is_libwrap=libwrap), echo_notice)
    with new_runner() as runner:
        runner.run(_serve(listen, path, level, rules, keeper))


def _access(allow: tuple[Network, ...], *, is_open: bool, is_libwrap: bool) -> Access:
    try:
        is_let_in = load_libwrap(LIBWRAP_NAME) if is_libwrap else None
    except LibwrapError as error:
        raise click.UsageError(str(error)) from error
    return Access(allowed=allow, is_let_in=is_let_in, is_open=is_open)


def _answer_stdin(level: Level, rules: SessionRules) -> None:
    is_debugging = False
    for line in input_lines(LINE_BYTES_MAX):
        reaction = receive(line, rules, version("manyply"), is_debugging=is_debugging)
        is_debugging = reaction.is_debugging
        for reply in reaction.replies:
            echo_exactly(reply)
        if reaction.wish is not None:
            echo_exactly(interruptible(partial(carry_out, reaction.wish, level)))
        if reaction.is_over:
            return


async def _serve(
    listen: Address | None,
    path: Path | None,
    level: Level,
    rules: SessionRules,
    keeper: AccessControl,
) -> None:
    """Serve until SIGINT or SIGTERM."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    software = version("manyply")

    def react(line: str, is_debugging: bool) -> ExternalReaction:
        return receive(line, rules, software, is_debugging=is_debugging)

    endpoint = ExternalEndpoint(react, level, keeper)
    try:
        if listen is not None:
            await endpoint.open(listen)
            echo_notice(f"listening on {replace(listen, port=endpoint.port)}")
        else:
            assert path is not None, "one of them is given"
            await endpoint.open_path(path)
            echo_notice(f"listening on {path}")
        await stop.wait()
    finally:
        await endpoint.aclose()
