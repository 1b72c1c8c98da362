"""`manyply replay`: takes a recorded master's decisions again, or shows them."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

import click

from master.cli.errors import CommandError, ExitCode
from master.cli.interruptible import interruptible
from master.cli.output import echo
from master.config.paths import default_state_dir
from master.contract.errors import MasterError
from protocol.address import Address
from protocol.guards.address_option import read_address
from protocol.guards.file_errors import file_error_text

ANY_PORT = "localhost:0"


@click.command("replay")
@click.argument("file", type=click.File("r", encoding="ascii", errors="replace"))
@click.option(
    "--web",
    is_flag=False,
    flag_value=ANY_PORT,
    callback=read_address,
    metavar="[HOST:PORT]",
    help="Show a timeline of parts and analysers on a page of this machine; its link is printed, "
    "and Ctrl-C ends it.  [default: localhost, any port]",
)
def replay_command(file: TextIO, web: Address | None) -> None:
    """Replay a recorded master and check that it decides the same.

    FILE was written by `manyply-master --record`.

    The same events give the same commands: where they do not, the first difference is printed, and
    the exit code is 1.

    With --web nothing is decided: the FILE's timeline is shown, a lane for each analyser. That can
    be had of a simulation, too, which `manyply simulate chess --record FILE` wrote.
    """
    from master.scheduler.event_log import LogError, Replayed, replay

    if web is not None:
        _show(file, web)
        return
    try:
        found: Replayed = interruptible(lambda: replay(file))
    except LogError as error:
        hint = "; `manyply replay FILE --web` shows it"
        raise CommandError(f"{file.name}: {error}{hint if _is_search(file) else ''}") from error
    if found.difference:
        raise CommandError(f"{file.name}: {found.difference}", ExitCode.JOB_FAILED)
    cut = "; the record is cut there" if found.is_cut else ""
    echo(f"{found.events:,} events, {found.commands:,} commands: the same{cut}")


def _is_search(file: TextIO) -> bool:
    """Whether a file is the record of a simulated search, of which nothing is decided again."""
    from master.timeline.reading import FORMAT

    if not file.seekable():
        return False
    file.seek(0)
    return FORMAT in file.readline()


def _show(file: TextIO, address: Address) -> None:
    # Loaded here, so that replaying needs none of it.
    from master.cli.jobs.replay_page import show_record
    from master.cli.jobs.watching import run_async
    from master.scheduler.event_log import LogError
    from master.timeline.reading import RecordedTimeline, read_timeline

    state_dir = default_state_dir()
    try:
        recorded: RecordedTimeline = interruptible(lambda: read_timeline(file))
        state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    except MasterError as error:
        raise CommandError(str(error)) from error
    except LogError as error:
        raise CommandError(f"{file.name}: {error}") from error
    except OSError as error:
        text = f"cannot make the state directory {state_dir}: {file_error_text(error)}"
        raise CommandError(text, ExitCode.STORAGE) from error
    run_async(show_record(recorded, Path(file.name).name, address, state_dir))
