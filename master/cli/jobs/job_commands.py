"""`manyply rollout`, and what is done with its jobs: resume, extend, attach, jobs, show, halt.

Knows options and which call each command is; following a job is watching's business.
"""

from __future__ import annotations

from typing import Any

import click

from engine_ext import services
from engine_ext.backgammon.context import SEED_MAX
from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.match_table import MatchTable
from master.cli.arguments import (
    Count,
    json_option,
    read_dice,
    read_id,
    read_std_error,
    reads,
)
from master.cli.backgammon import rollout_request
from master.cli.backgammon.position_board import board_option, show_board_if
from master.cli.backgammon.rollout_options import play_options
from master.cli.backgammon.rollout_request import RolloutOptions, to_context
from master.cli.backgammon.rule_options import Rules, ruled, rules_options
from master.cli.errors import CommandError
from master.cli.jobs.watching import Outcome, print_result, run_async, run_job
from master.cli.output import echo_json, echo_lines
from master.cli.place import Place, place_options
from master.cli.session import Master, open_master
from master.cli.terminal import terminal_width
from master.contract.views import JobRequest, JobState, JobView
from master.reports.job_table import job_object, table_lines
from master.service.service import MasterService
from master.store import JOB_MAX

JOB_NUMBER = Count(1, JOB_MAX)

master_option = click.option(
    "--master", metavar="PATH", help="The master's control socket.  [default: one that runs here]"
)


@click.command("rollout")
@click.argument("state", metavar="ID", callback=reads(read_id))
@click.option("--dice", callback=reads(read_dice), metavar="DICE", help="Compare a roll's moves.")
@click.option(
    "--move",
    "moves",
    multiple=True,
    metavar="MOVE",
    help='Compare this move, e.g. "8/5 6/5"; repeat for more.',
)
@click.option("--cube", "is_cube", is_flag=True, help="Compare no double with double/take.")
@click.option(
    "--candidates",
    type=Count(0, rollout_request.CANDIDATES_MAX),
    metavar="N",
    show_default=True,
    default=rollout_request.CANDIDATES_DEFAULT,
    help="With --dice: the N best moves by static evaluation; 0: every legal move.",
)
@click.option(
    "--trials",
    type=Count(1, rollout_request.TRIALS_MAX),
    metavar="N",
    help=f"Games of each alternative.  [default: {rollout_request.TRIALS_DEFAULT}, or at "
    f"most {rollout_request.TRIALS_CAP} with --stop-se]",
)
@click.option(
    "--stop-se",
    callback=reads(read_std_error),
    metavar="X",
    help="Stop when every alternative's equity has at most this standard error.",
)
@click.option(
    "--seed",
    type=Count(0, SEED_MAX),
    metavar="S",
    show_default=True,
    default=rollout_request.SEED_DEFAULT,
    help="The same seed rolls the same dice.",
)
@play_options
@rules_options
@place_options
@json_option
@board_option
def rollout_command(
    state: GameState,
    trials: int | None,
    stop_se: float | None,
    place: Place,
    is_json: bool,
    board: bool | None,
    table: MatchTable | None,
    jacoby: bool | None,
    beavers: bool | None,
    **question: Any,
) -> None:
    """Roll a position out: play it to the end many times and average.

    Without --dice, --move or --cube the position itself is rolled out, or the moves of the roll
    that the ID holds.  Ctrl-C stops and keeps everything; `manyply resume` goes on.
    """
    state = ruled(state, Rules(table, jacoby, beavers))
    context = to_context(state, RolloutOptions(table=table, **question))
    default = rollout_request.TRIALS_DEFAULT if stop_se is None else rollout_request.TRIALS_CAP
    request = JobRequest(context.to_text(), trials or default, stop_se, to_gnubg_id(state))

    if not is_json:
        show_board_if(board, state, question["dice"])

    async def start(running: Master) -> int:
        return await running.submit(request)

    run_job(place, start, is_json=is_json)


@click.command("resume")
@click.argument("job", type=JOB_NUMBER, required=False)
@place_options
@json_option
def resume_command(
    job: int | None,
    place: Place,
    is_json: bool,
) -> None:
    """Go on with a job, the newest unfinished one by default."""

    async def start(running: Master) -> int:
        number = job or await newest_unfinished(running)
        await check_engine(running, number, place)
        await running.resume(number)
        return number

    run_job(place, start, is_json=is_json)


@click.command("extend")
@click.argument("job", type=JOB_NUMBER)
@click.option(
    "--trials",
    type=Count(1, rollout_request.TRIALS_MAX),
    required=True,
    metavar="N",
    help="So many games more of each alternative.",
)
@place_options
@json_option
def extend_command(
    job: int,
    trials: int,
    place: Place,
    is_json: bool,
) -> None:
    """Add trials to a job and go on; the same bits as if it had been as long from the start."""

    async def start(running: Master) -> int:
        await check_engine(running, job, place)
        await running.extend(job, trials)
        return job

    run_job(place, start, is_json=is_json)


async def check_engine(master: Master, job: int, place: Place) -> None:
    """Refuse a job that only another engine could go on with; never mix two in one result."""
    if not isinstance(master, MasterService) or place.analysers:
        return  # others compute, and whoever has the wrong engine is not given any work
    # Listed, not shown: what is damaged of its trials is computed again.
    views = [view for view in await master.jobs() if view.job == job]
    if not views or views[0].state is JobState.DAMAGED:
        return  # going on says what is wrong
    view, here = views[0], services.engine_digest(views[0].game)
    if view.engine != here:
        raise CommandError(
            f"job {job} was computed by engine {view.engine}, this one is {here}: go on with "
            "the version that began it, or start a new rollout"
        )


async def newest_unfinished(master: Master) -> int:
    """Return the newest job that stands still before its end; else the newest that runs."""
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

    async def start(running: Master) -> int:
        number = job or await newest_running(running)
        if isinstance(running, MasterService):
            view = await running.show(number)
            if view.state is JobState.RUNNING:
                raise CommandError(
                    f"job {number} is run by another `manyply`, not by a master: watch it there"
                )
        return number

    run_job(Place(master, is_computing=False), start, is_json=is_json)


@click.command("halt")
@click.argument("job", type=JOB_NUMBER)
@master_option
def halt_command(job: int, master: str | None) -> None:
    """Stop a job that a master runs; `manyply resume` goes on with it."""

    async def work() -> Outcome:
        async with open_master(Place(master, is_computing=False)) as running:
            await running.halt(job)
            return Outcome(await running.show(job))

    print_result(run_async(work()), is_json=False)


def show_job(job: int | None, master: str | None, *, is_json: bool) -> None:
    """Print how a job stands, the newest one by default."""

    async def work() -> Outcome:
        async with open_master(Place(master, is_computing=False)) as running:
            number = job or max((view.job for view in await running.jobs()), default=0)
            if not number:
                raise CommandError("there is no job yet")
            is_elsewhere = not isinstance(running, MasterService)
            return Outcome(await running.show(number), is_elsewhere=is_elsewhere)

    print_result(run_async(work()), is_json=is_json)


@click.command("jobs")
@master_option
@json_option
def jobs_command(master: str | None, is_json: bool) -> None:
    """List all jobs, oldest first."""

    async def work() -> list[JobView]:
        async with open_master(Place(master, is_computing=False)) as running:
            return await running.jobs()

    views = run_async(work())
    if is_json:
        for view in views:
            echo_json(job_object(view))
        return
    echo_lines(table_lines(views, terminal_width()))
