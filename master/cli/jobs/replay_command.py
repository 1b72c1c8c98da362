"""`manyply replay`: a master's decisions, taken again.

Knows the file; the deciding is the scheduler's.
"""

from __future__ import annotations

from typing import TextIO

import click

from master.cli.errors import CommandError, ExitCode
from master.cli.interruptible import interruptible
from master.cli.output import echo
from master.scheduler.event_log import LogError, Replayed, replay


@click.command("replay")
@click.argument("file", type=click.File("r", encoding="ascii", errors="replace"))
def replay_command(file: TextIO) -> None:
    """Take a master's decisions again, from a FILE that `manyply-master --record` wrote.

    The same events give the same commands: where they do not, the first difference is printed, and
    the exit code is 1.
    """
    try:
        found: Replayed = interruptible(lambda: replay(file))
    except LogError as error:
        raise CommandError(f"{file.name}: {error}") from error
    if found.difference:
        raise CommandError(f"{file.name}: {found.difference}", ExitCode.JOB_FAILED)
    cut = "; the record is cut there" if found.is_cut else ""
    echo(f"{found.events:,} events, {found.commands:,} commands: the same{cut}")
