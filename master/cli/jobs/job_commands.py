"""Commands for jobs of any game: resume, again, extend, attach, jobs, show, halt."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from master.cli.arguments import JOB_NUMBER, TRIALS_MAX, CountType, json_option
from master.cli.errors import CommandError
from master.cli.place import Place, place_options, socket_path
from master.cli.terminal import terminal_width
from master.config.paths import default_state_dir
from master.contract.job_words import STATE_WORDS, JobState, Priority

if TYPE_CHECKING:
    from master.cli.jobs.watching import WatchOutcome
    from master.contract.master import Master
    from master.contract.views import JobView

PRIORITIES = {"background": Priority.BACKGROUND, "normal": Priority.NORMAL}
"""That a job of trials may have; the others are for questions."""


class PriorityType(click.Choice[str]):
    """The word of a priority; `standing`, of earlier versions, is `normal` too."""

    def __init__(self) -> None:
        """Take the words, in capitals or not."""
        super().__init__(list(PRIORITIES), case_sensitive=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word as helps name it."""
        is_old = isinstance(value, str) and value.lower() == "standing"
        return super().convert("normal" if is_old else value, param, ctx)


master_option = click.option(
    "--master", metavar="PATH", help="The master's control socket.  [default: one that runs here]"
)


@click.command("resume")
@click.argument("job", type=JOB_NUMBER, required=False)
@place_options
@json_option
def resume_command(
    job: int | None,
    place: Place,
    is_json: bool,
) -> None:
    """Continue a job, by default the newest unfinished one."""
    from master.cli.jobs.watching import run_job

    async def start(running: Master) -> int:
        number = job or await newest_unfinished(running)
        await check_engine(running, number, place)
        await running.resume(number)
        return number

    async def games(running: Master) -> tuple[str, ...] | None:
        return await games_of(running, job or await newest_unfinished(running))

    run_job(place, start, is_json=is_json, games=games)


@click.command("again")
@click.argument("job", type=JOB_NUMBER)
@place_options
@json_option
def again_command(
    job: int,
    place: Place,
    is_json: bool,
) -> None:
    """Start a job again, as a new job, under the engine installed now.

    The old job and its result stay. A rollout has the same dice, trials and stop rules.
    """
    from master.cli.jobs.watching import run_job
    from master.service.job_requests import request_again

    async def start(running: Master) -> int:
        return await running.submit(request_again(await running.show(job)))

    async def games(running: Master) -> tuple[str, ...] | None:
        return await games_of(running, job)

    run_job(place, start, is_json=is_json, games=games)


@click.command("extend")
@click.argument("job", type=JOB_NUMBER)
@click.option(
    "--trials",
    type=CountType(1, TRIALS_MAX),
    required=True,
    metavar="N",
    help="Number of games to add to each alternative.",
)
@place_options
@json_option
def extend_command(
    job: int,
    trials: int,
    place: Place,
    is_json: bool,
) -> None:
    """Add trials to a job and continue it; the result has the bits of one longer run."""
    from master.cli.jobs.watching import run_job

    async def start(running: Master) -> int:
        await check_engine(running, job, place)
        await running.extend(job, trials)
        return job

    async def games(running: Master) -> tuple[str, ...] | None:
        return await games_of(running, job)

    run_job(place, start, is_json=is_json, games=games)


async def games_of(master: Master, job: int) -> tuple[str, ...] | None:
    """Return the game of a job, for open_master; None: there is no such job."""
    return tuple({view.game for view in await master.jobs() if view.job == job}) or None


async def check_engine(master: Master, job: int, place: Place) -> None:
    """Refuse a job that only another engine could go on with; never mix two in one result."""
    from engine_ext import services

    if master.is_elsewhere or place.analysers:
        return  # others compute; analysers with a wrong engine get no work
    # Listed, not shown: damaged trials are computed again.
    views = [view for view in await master.jobs() if view.job == job]
    if not views or views[0].state is JobState.DAMAGED:
        return  # resuming it reports the error
    view, here = views[0], services.engine_digest(views[0].game)
    if view.engine != here:
        raise CommandError(
            f"job {job} was computed by engine {view.engine}, this one is {here}: go on with "
            f"the version that began it, or begin anew: manyply again {job}"
        )


async def newest_unfinished(master: Master) -> int:
    """Return the newest job that was halted before its end; else the newest that runs."""
    unfinished = (JobState.HALTED, JobState.RUNNING)
    views = [view for view in await master.jobs() if view.state in unfinished]
    if not views:
        raise CommandError("no unfinished job; `manyply jobs` lists all")
    return max(views, key=lambda view: (view.state is JobState.HALTED, view.job)).job


async def newest_running(master: Master) -> int:
    """Return the newest job that runs."""
    running = [view.job for view in await master.jobs() if view.state is JobState.RUNNING]
    if not running:
        raise CommandError("no job is running; `manyply jobs` lists all")
    return max(running)


@click.command("attach")
@click.argument("job", type=JOB_NUMBER, required=False)
@master_option
@json_option
def attach_command(job: int | None, master: str | None, is_json: bool) -> None:
    """Watch a job that a master runs; Ctrl-C leaves it running."""
    from master.cli.jobs.watching import run_job

    async def start(running: Master) -> int:
        number = job or await newest_running(running)
        if not running.is_elsewhere:
            view = await running.show(number)
            if view.state is JobState.RUNNING:
                raise CommandError(
                    f"job {number} is run by another `manyply`, not by a master: watch it there"
                )
        return number

    # The user ends the watching; the job goes on anyway.
    run_job(Place(master, is_computing=False, wait_s=math.inf), start, is_json=is_json)


@click.command("halt")
@click.argument("job", type=JOB_NUMBER)
@master_option
def halt_command(job: int, master: str | None) -> None:
    """Stop a job that a master runs; `manyply resume` goes on with it."""
    from master.cli.jobs.watching import WatchOutcome, print_result, run_async
    from master.cli.master_access import open_master

    async def work() -> WatchOutcome:
        async with open_master(Place(master, is_computing=False)) as running:
            await running.halt(job)
            return WatchOutcome(await running.show(job))

    print_result(run_async(work()), is_json=False)


@click.command("priority")
@click.argument("job", type=JOB_NUMBER)
@click.argument("priority", type=PriorityType())
@master_option
def priority_command(job: int, priority: str, master: str | None) -> None:
    """Run a job of a master behind all others, or as before.

    `normal` is the default: such a job runs before background jobs, the newest first. A
    `background` job gets the analysers that other jobs leave idle, and makes room for others at
    once. The result is the same bits. The priority stays when the job is halted and continues.
    """
    from master.cli.jobs.watching import run_async
    from master.cli.master_access import open_master
    from master.cli.output import echo

    async def work() -> None:
        async with open_master(Place(master, is_computing=False)) as running:
            await running.prioritise(job, PRIORITIES[priority])

    run_async(work())
    echo(f"Job {job}: {priority}")


def show_job(
    job: int | None,
    master: str | None,
    *,
    is_json: bool,
    svg: Path | None = None,
    layout: str | None = None,
    png: Path | None = None,
) -> None:
    """Print the state of a job, the newest by default; draw its result to `svg` and `png`."""
    from master.cli.drawings import write_png
    from master.cli.jobs.watching import WatchOutcome, draw_result, print_result, run_async
    from master.cli.master_access import open_stored

    async def work() -> WatchOutcome:
        async with open_stored(Place(master)) as running:
            number = job or max((view.job for view in await running.jobs()), default=0)
            if not number:
                raise CommandError("there is no job yet")
            return WatchOutcome(await running.show(number), is_elsewhere=running.is_elsewhere)

    outcome = run_async(work())
    print_result(outcome, is_json=is_json, layout=layout)
    if svg is not None:
        draw_result(outcome.view, svg)
    if png is not None:
        draw_result(outcome.view, png, write_png)


LISTED_MAX = 1_000_000
"""More jobs than anybody has begun."""


@click.command("jobs")
@click.option(
    "--state", "states", type=click.Choice(STATE_WORDS), multiple=True, metavar="STATE",
    help=f"Only jobs in this state: {', '.join(STATE_WORDS)}; repeat for more.",
)  # fmt: skip
@click.option(
    "--last", type=CountType(1, LISTED_MAX), metavar="N", help="Only the newest N of them.",
)  # fmt: skip
@master_option
@json_option
def jobs_command(
    states: tuple[str, ...], last: int | None, master: str | None, is_json: bool
) -> None:
    """List all jobs, or those in a state or the newest ones, oldest first."""
    from master.cli.output import echo_json, echo_lines, echo_notice
    from master.reports.job_table import job_object, state_word, table_lines

    views = [view for view in all_jobs(master) if not states or state_word(view) in states]
    views = views[-last:] if last else views
    if is_json:
        for view in views:
            echo_json(job_object(view))
        return
    from master.games.table import position_of

    echo_lines(table_lines(views, terminal_width(), position_of))
    if not views:
        echo_notice(f"there is no job {'in this state' if states else 'yet'}")


def all_jobs(master: str | None) -> list[JobView]:
    """Return a master's jobs, or the stored ones where none runs; CommandError.

    Stored ones are read at once: a loop and the messages of a master take longer to load.
    """
    place = Place(master)
    if socket_path(place, default_state_dir()) is not None:
        return _jobs_elsewhere(place)
    from master.contract.errors import MasterError
    from master.service.listed_jobs import stored_jobs

    try:
        return stored_jobs(default_state_dir())
    except MasterError as error:
        from master.cli.jobs.watching import error_code

        raise CommandError(str(error), error_code(error)) from error


def _jobs_elsewhere(place: Place) -> list[JobView]:
    from master.cli.jobs.watching import run_async
    from master.cli.master_access import open_stored

    async def work() -> list[JobView]:
        async with open_stored(place) as running:
            return await running.jobs()

    return run_async(work())
