"""`manyply-master`: the command line of the master daemon.

Knows options and exit codes. Must not know how a daemon works.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import click

from master.config.fleet_specs import NamedFleet, fleet_options, listen_option
from master.config.paths import control_socket_path, default_state_dir
from master.contract.errors import MasterError, UnguardedError
from protocol.access.rules import Access
from protocol.address import PORT_MAX, Address
from protocol.aio.shortages import SHORTAGES, shortage
from protocol.exit_codes import ExitCode
from protocol.guards.address_option import read_address
from protocol.guards.number_ranges import WholeRange
from protocol.guards.options import endpoint_options

PATH = click.Path(path_type=Path)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@listen_option()
@fleet_options
@click.option(
    "--control",
    type=PATH,
    metavar="PATH",
    help="Control socket.  [default: in XDG_RUNTIME_DIR, else in the state directory]",
)
@click.option(
    "--control-group",
    default="",
    metavar="GROUP",
    help="Let the members of this group use the control socket, with all rights of its owner.",
)
@click.option("--state-dir", type=PATH, metavar="DIR", help="Folder of the jobs.")
@click.option(
    "--record",
    type=PATH,
    metavar="FILE",
    help="Record every decision, for `manyply replay` and the report of a fault. The file has all "
    "questions and answers, and grows to a gigabyte at most.",
)
@click.option(
    "--local-port",
    type=WholeRange(1, PORT_MAX),
    metavar="PORT",
    help="Source port of links to analysers at HOST:PORT.",
)
@click.option(
    "--metrics",
    callback=read_address,
    metavar="HOST:PORT",
    help="Serve numbers for Prometheus and autoscalers: http://HOST:PORT/metrics. Access "
    "from other machines needs --libwrap or --open, and no secret.",
)
@click.option(
    "--web",
    callback=read_address,
    metavar="HOST:PORT",
    help="Serve a page that shows jobs and analysers live, and stops jobs or goes on with them; "
    "`manyply web` opens it. Access from other machines needs --libwrap or --open, and a token.",
)
@click.option(
    "--name", default="", metavar="NAME", help="Name of this master.  [default: the host's name]"
)
@endpoint_options("manyply-master")
@click.version_option(None, "-V", "--version", package_name="manyply")
def main(
    access: Access,
    listen: Address | None,
    named: Callable[[], NamedFleet],
    control: Path | None,
    control_group: str,
    state_dir: Path | None,
    record: Path | None,
    name: str,
    local_port: int | None,
    metrics: Address | None,
    web: Address | None,
) -> None:
    """Run jobs on a fleet of analysers; `manyply` submits them over the control socket.

    It has no workers of its own by default (--workers N): jobs wait for the analysers of
    --analyser, --fleet and --fleet-file, and for those that dial in.

    SIGTERM and Ctrl-C halt the jobs, store all results and leave; the next start goes on with them.
    A second signal leaves at once.

    \b
    Exit codes:
      0    a signal ended it; everything computed is stored
      1    an address, the fleet list or the control socket cannot be used
      2    bad options, as a listener without a secret
      3    the state directory cannot be used, or the database was lost meanwhile
      130  a second signal ended it at once; nothing stored is lost
    """
    directory = state_dir or default_state_dir()
    try:
        # Imported here, so that `--help` and a bad option answer at once.
        from master.daemon import DaemonOptions, run_daemon  # noqa: PLC0415
        from master.service.collector import relax_collector  # noqa: PLC0415
        from protocol.aio import new_runner  # noqa: PLC0415

        fleet = named()
        options = DaemonOptions(
            state_dir=directory,
            control=control or control_socket_path(directory),
            listen=listen,
            fleet=fleet.entries,
            placed=fleet.placed,
            name=name,
            record=record,
            access=access,
            local_port=local_port,
            metrics=metrics,
            web=web,
            control_group=control_group,
        )
        relax_collector()
        with new_runner() as runner:
            runner.run(run_daemon(options))
    except MasterError as error:
        _fail(str(error), _code_of(error))
    except SHORTAGES as error:
        if not (text := shortage(error)):
            raise
        _fail(text, ExitCode.JOB_FAILED)


def _code_of(error: MasterError) -> ExitCode:
    from master.store.errors import StoreError  # noqa: PLC0415  # loaded by now

    if isinstance(error, UnguardedError):
        return ExitCode.BAD_INPUT
    return ExitCode.STORAGE if isinstance(error, StoreError) else ExitCode.JOB_FAILED


def _fail(text: str, code: ExitCode) -> NoReturn:
    click.echo(f"manyply-master: {text}", err=True)
    sys.exit(code)
