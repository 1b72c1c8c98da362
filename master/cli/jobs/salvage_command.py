"""`manyply salvage`: copies the readable part of a damaged database to a new one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click

from master.cli.arguments import json_option
from master.cli.errors import CommandError, ExitCode
from master.cli.interruptible import interruptible
from master.cli.jobs.watching import error_code
from master.cli.output import echo, echo_json, echo_lines, echo_notice
from master.config.paths import (
    JOB_LOCKS,
    control_socket_path,
    database_path,
    default_state_dir,
    is_served,
)
from master.contract.errors import MasterError
from master.contract.job_words import JobState
from master.reports.tables import aligned
from master.reports.texts import counted
from master.service.job_records import stored_view
from master.service.listed_jobs import listed_view
from master.store.errors import DamagedError
from master.store.lock import is_locked
from master.store.salvage.salvaging import Salvaged, SalvagedJob, free_name, put_in_place, salvage
from master.store.store import Store

HEADINGS = ("Job", "State", "Trials", "Lost", "Label")
_TEXTS = (1, 3, 4)


@click.command("salvage")
@click.argument(
    "file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False
)
@click.option(
    "--to", type=click.Path(path_type=Path), metavar="NEW",
    help="Name of the new database; it must not exist.  [default: a name beside FILE]",
)  # fmt: skip
@click.option(
    "--replace", is_flag=True,
    help="Put the new database in place of the one in use, and rename the old one.",
)  # fmt: skip
@json_option
def salvage_command(file: Path | None, to: Path | None, replace: bool, is_json: bool) -> None:
    """Get jobs, trials and answers out of a damaged database, into a new one.

    FILE is a database of manyply, by default the one that commands use. It is read page by page,
    and never written: damage to some pages costs their content, and nothing else. Every row has a
    checksum, so that damaged rows are recognised. The losses of each job are listed; `manyply
    resume` computes lost trials again, to the same bits.

    The exit code is 1 if anything is lost.
    """
    state_dir = default_state_dir()
    used = database_path(state_dir)
    source = file or used
    if not source.exists():
        raise CommandError(f"there is no database {source}", ExitCode.STORAGE)
    if replace and to is not None:
        raise click.UsageError("with --replace the new database has the name of the old one")
    if replace or source.resolve() == used.resolve():
        _check_idle(state_dir)
    try:
        new = to or free_name(source, "salvaged")
        found = interruptible(lambda: salvage(source, new))
        lost = _lost_by_job(found, state_dir)
        aside = put_in_place(new, used) if replace else None
    except MasterError as error:
        raise CommandError(str(error), error_code(error)) from error
    place = used if replace else new
    if is_json:
        echo_json(_report(found, lost, place, aside))
    else:
        _print(found, lost, source)
    _say_where(place, aside, is_in_use=replace)
    raise SystemExit(ExitCode.OK if found.is_whole else ExitCode.JOB_FAILED)


def _check_idle(state_dir: Path) -> None:
    """Refuse to read a file that is being written, or to take it away."""
    if is_served(control_socket_path(state_dir)):
        raise CommandError("a master is running on these jobs: end it first")
    for path in sorted(state_dir.glob(JOB_LOCKS)):
        number = path.stem.removeprefix("job-")
        if number.isdecimal() and is_locked(state_dir, int(number)):
            raise CommandError(f"job {number} is running: end it first")


Lost = dict[int, tuple[str, str]]
"""The state of each job, and its losses; empty: none are known."""


def _lost_by_job(found: Salvaged, state_dir: Path) -> Lost:
    with closing(Store(state_dir, found.path)) as store:
        return {job.job: _lost(store, job) for job in found.jobs}


def _lost(store: Store, job: SalvagedJob) -> tuple[str, str]:
    if not job.has_record:
        return JobState.DAMAGED.value, "its record: what was asked is not known any more"
    record = store.job(job.job)
    state = record.state.value
    spans = ", ".join(f"{first} to {first + count - 1}" for first, count in job.damaged)
    again = f"`manyply resume {job.job}` computes them again"
    try:
        stored_view(store, job.job)
    except DamagedError:
        prefix = listed_view(store, record).folded
        return state, f"trials {spans or f'from {prefix} on'}: {again}"
    return state, f"trials {spans}: {again}" if spans else ""


def _print(found: Salvaged, lost: Lost, source: Path) -> None:
    rows = [
        (str(job.job), lost[job.job][0], str(job.trials), lost[job.job][1] or "nothing", job.label)
        for job in found.jobs
    ]
    echo(f"Read of {source}: {counted(len(rows), 'job')}, {counted(found.answers, 'answer')}")
    echo_lines(aligned([HEADINGS, *rows], _TEXTS))
    if not found.is_whole:
        rows_text = counted(found.damaged_rows, "damaged row")
        pages_text = counted(found.damaged_pages, "page")
        echo(f"{rows_text} left out, {pages_text} that cannot be read")


def _say_where(place: Path, aside: Path | None, *, is_in_use: bool) -> None:
    if not is_in_use:
        echo_notice(f"written to {place}; to use it: manyply salvage {place} --replace")
    elif aside is not None:
        echo_notice(f"{place} is in use from now on; what was there is kept as {aside}")


def _report(found: Salvaged, lost: Lost, place: Path, aside: Path | None) -> dict[str, object]:
    jobs: Sequence[dict[str, object]] = [
        {
            "job": job.job, "label": job.label, "state": lost[job.job][0], "trials": job.trials,
            "lost": lost[job.job][1] or None,
        }
        for job in found.jobs
    ]  # fmt: skip
    return {
        "database": str(place),
        "kept": None if aside is None else str(aside),
        "jobs": jobs,
        "answers": found.answers,
        "damaged_rows": found.damaged_rows,
        "damaged_pages": found.damaged_pages,
    }
