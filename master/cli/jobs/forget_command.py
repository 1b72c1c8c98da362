"""`manyply forget`: deletes jobs with all their trials, or stored answers.

The user is asked first. A job is deleted by its master. Answers belong to no job, and this process
deletes them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from engine_ext.contexts import DIGEST_CHARS
from master.cli.arguments import JOB_NUMBER, reads
from master.cli.errors import CommandError
from master.cli.jobs.job_commands import master_option
from master.cli.output import echo, echo_error
from master.cli.place import Place
from master.cli.terminal import terminal_width
from master.config.paths import database_path, default_state_dir
from master.contract.job_words import JobState
from master.reports.texts import counted

if TYPE_CHECKING:
    from master.contract.views import JobView

_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
AGE_DIGITS_MAX = 4
"""9,999 weeks are 190 years."""


def read_age(text: str) -> timedelta:
    """Return an age written as 12h, 30d or 4w; ValueError otherwise."""
    match = re.fullmatch(rf"([0-9]{{1,{AGE_DIGITS_MAX}}})([hdw])", text)
    if match is None:
        raise ValueError(f"{text!r} is not an age: expected hours, days or weeks, such as 30d")
    return int(match[1]) * _UNITS[match[2]]


def read_digest(text: str) -> str:
    """Return an engine's digest; ValueError if it is none."""
    if not re.fullmatch(rf"[0-9a-f]{{{DIGEST_CHARS}}}", text):
        raise ValueError(f"{text[:40]!r} is no digest: expected {DIGEST_CHARS} hex digits")
    return text


@click.command("forget")
@click.argument("jobs", type=JOB_NUMBER, nargs=-1, metavar="[JOB]...")
@click.option(
    "--older-than",
    "age",
    callback=reads(read_age),
    metavar="AGE",
    help="All jobs older than this, such as 12h, 30d or 4w, except running ones.",
)
@click.option(
    "--answers",
    "is_of_answers",
    is_flag=True,
    help="Delete kept answers instead of jobs: the same questions are computed again later.",
)
@click.option("--of", "name", metavar="NAME", help="Only the answers of this analyser.")
@click.option(
    "--engine",
    "digest",
    metavar="DIGEST",
    callback=reads(read_digest),
    help="Only the answers of the engine with this digest.",
)
@click.option("--yes", "is_sure", is_flag=True, help="Delete without asking.")
@master_option
def forget_command(
    jobs: tuple[int, ...],
    age: timedelta | None,
    is_of_answers: bool,
    name: str | None,
    digest: str | None,
    is_sure: bool,
    master: str | None,
) -> None:
    """Delete jobs with all their trials, or kept answers; on a terminal you are asked first."""
    from master.cli.jobs.watching import run_async
    from master.reports.job_table import table_lines

    if is_of_answers:
        if jobs or age is not None or master is not None:
            raise click.UsageError("--answers goes with --of NAME, --engine DIGEST, --yes alone")
        _forget_answers(AnswersMeant(name, digest), is_sure)
        return
    if name is not None or digest is not None:
        raise click.UsageError("--of and --engine go with --answers")
    if bool(jobs) == (age is not None):
        raise click.UsageError("name the jobs, or give --older-than AGE, or --answers")
    place = Place(master, is_computing=False)
    views = run_async(_listed(place))
    chosen = _of_age(views, age) if age is not None else _named(views, jobs)
    if not chosen:
        echo("No job is that old.")
        return
    if not is_sure and _is_terminal():
        for line in table_lines(chosen, terminal_width(sys.stderr)):
            echo_error(line)
        question = f"Delete {counted(len(chosen), 'job')} with all trials?"
        if not click.confirm(question, err=True):
            echo("Nothing is deleted.")
            return
    run_async(_forget(place, [view.job for view in chosen]))
    echo(f"Deleted {counted(len(chosen), 'job')}.")


@dataclass(frozen=True)
class AnswersMeant:
    """Which answers are to be deleted.

    Args:
        name: those of analysers of this name; None: of all.
        engine: those of the engine of this digest; None: of all.
    """

    name: str | None = None
    engine: str | None = None

    @property
    def words(self) -> str:
        """How it reads."""
        of = "" if self.name is None else f" of {self.name}"
        return f"kept answers{of}" + (f" by engine {self.engine}" if self.engine else "")


def _forget_answers(meant: AnswersMeant, is_sure: bool) -> None:
    from master.store.answer_store import AnswerStore
    from master.store.errors import StoreError

    state_dir = default_state_dir()
    if not database_path(state_dir).exists():
        echo("No answers are kept.")
        return
    question = f"Delete all {meant.words}?"
    if not is_sure and _is_terminal() and not click.confirm(question, err=True):
        echo("Nothing is deleted.")
        return
    try:
        with closing(AnswerStore(state_dir)) as store:
            count = store.forget_answers(meant.name, meant.engine)
    except StoreError as error:
        raise CommandError(str(error)) from error
    echo(f"Deleted {counted(count, 'answer')}.")


def _is_terminal() -> bool:
    return sys.stdin.isatty()


def _now() -> datetime:
    return datetime.now(UTC)


async def _listed(place: Place) -> list[JobView]:
    from master.cli.master_access import open_master

    async with open_master(place) as running:
        return await running.jobs()


async def _forget(place: Place, jobs: Sequence[int]) -> None:
    from master.cli.master_access import open_master

    async with open_master(place) as running:
        for job in jobs:
            await running.forget(job)


def _named(views: Sequence[JobView], jobs: Sequence[int]) -> list[JobView]:
    """Return the jobs of these numbers; nothing is deleted if one of them cannot be."""
    from master.store.errors import UnknownJobError

    known = {view.job: view for view in views}
    for job in jobs:
        if job not in known:
            raise CommandError(str(UnknownJobError(job)))
        if known[job].state is JobState.RUNNING:
            raise CommandError(f"job {job} is running: stop it first")
    return [known[job] for job in dict.fromkeys(jobs)]


def _of_age(views: Sequence[JobView], age: timedelta) -> list[JobView]:
    before = _now() - age
    return [
        view
        for view in views
        if view.state in (JobState.DONE, JobState.HALTED)
        and datetime.fromisoformat(view.created) < before
    ]
