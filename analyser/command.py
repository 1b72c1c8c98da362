"""The command `manyply-analyser`: its options, the engines that it starts, and its exit codes."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from analyser.agent import Agent, AgentConfig
from analyser.connecting_options import (
    Connecting,
    connecting_options,
    name_option,
    verbose_option,
)
from analyser.endpoints import EndpointError
from analyser.lending_options import Lending, lending_options
from analyser.limits import (
    LimitError,
    be_nice,
    check_address_space,
    default_worker_count,
    end_with_parent,
    limit_memory,
    pin_to_cores,
)
from analyser.serving import Endpoints, begin_log, find_endpoints, serve
from engine_ext import contexts, services
from protocol.access.rules import Access, EndpointRefusedError
from protocol.aio import new_runner
from protocol.aio.shortages import SHORTAGES, shortage
from protocol.exit_codes import ExitCode
from protocol.guards.access_control import AccessControl
from protocol.guards.number_ranges import WholeRange
from protocol.guards.options import endpoint_options

log = logging.getLogger("manyply.analyser")

engine_option = click.option(
    "--engine", "engines", multiple=True, metavar="uci:COMMAND[,OPTION=VALUE]...",
    help="Use another engine than our own: a program that speaks UCI, such as uci:stockfish or "
    "uci:stockfish,Hash=64.",
)  # fmt: skip


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@connecting_options()
@click.option(
    "--workers", type=WholeRange(1, 4096), metavar="N",
    help="Threads.  [default: all cores allowed]",
)  # fmt: skip
@name_option
@engine_option
@lending_options
@verbose_option
@endpoint_options("manyply-analyser", has_ticket=True)
@click.version_option(None, "-V", "--version", package_name="manyply")
def main(
    access: Access, workers: int | None, engines: tuple[str, ...], connecting: Connecting,
    lending: Lending,
) -> None:  # fmt: skip
    """Lend this machine's cores to one master at a time.

    A socket that systemd hands over (LISTEN_FDS) is served without any option.
    SIGTERM, SIGUSR1, SIGUSR2 and Ctrl-C finish the parts at hand and leave; a second one leaves at
    once.
    A quota of processor time (cgroups) bounds the default number of threads too.

    \b
    Exit codes:
      0  a master's work is done, a signal ended it, or --idle-exit did
      1  the address or the inherited socket cannot be used, or --give-up-after ended it
      2  bad options, as a listener without a secret
    """
    is_placed = connecting.stdio or bool(access.ticket) or lending.with_parent
    begin_log("manyply-analyser", connecting.verbose, is_service=not is_placed)
    use_engines(engines)
    try:
        worker_count = _limited(lending, workers)
        check_address_space(worker_count)
        config = AgentConfig(
            name=connecting.name,
            worker_count=worker_count,
            games=services.games(),
            drain_s=lending.drain_s,
        )
        endpoints = find_endpoints(access, connecting, lending)
        with new_runner() as runner:
            runner.run(_run(config, endpoints, lending))
    except EndpointRefusedError as error:
        _fail(str(error), ExitCode.BAD_INPUT)
    except EndpointError as error:
        _fail(str(error))
    except SHORTAGES as error:
        if not (text := shortage(error)):
            raise
        _fail(text)


def use_engines(texts: Sequence[str]) -> None:
    """Start the engines named in the option, and print their names.

    Raises:
        click.BadParameter: a text names no engine, or one that cannot be used.
    """
    for text in texts:
        try:
            game, which = services.named_engine(text)
            name = services.use_engine(game, which)
        except contexts.EngineChoiceError as error:
            raise click.BadParameter(str(error), param_hint="'--engine'") from error
        log.warning("%s by %s, engine %s", game, name, services.engine_digest(game))


def _limited(lending: Lending, workers: int | None) -> int:
    """Limit this process by the options; return its number of workers."""
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


def _fail(text: str, code: ExitCode = ExitCode.JOB_FAILED) -> NoReturn:
    _say(text)
    sys.exit(code)


async def _run(config: AgentConfig, endpoints: Endpoints, lending: Lending) -> None:
    await serve(
        Agent(config, AccessControl(endpoints.access, log.warning)), endpoints, lending, _say
    )


def _say(text: str) -> None:
    click.echo(f"manyply-analyser: {text}", err=True)
