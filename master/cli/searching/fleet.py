"""A search as a job, watched: of this process's master, or of one elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NoReturn, TypeVar

from master.cli.errors import CommandError, ExitCode
from master.cli.jobs.progress import ProgressDisplay
from master.cli.jobs.watching import (
    WatchOutcome,
    exit_code,
    run_async,
    say_how_to_go_on,
    signals_of,
    watch,
)
from master.cli.master_access import open_master
from master.cli.place import Place
from master.contract.master import Master
from master.contract.views import JobRequest

A = TypeVar("A")


async def _nothing(master: Master, progress: ProgressDisplay) -> None:
    """Let the fleet begin at once."""


def search_job(
    place: Place,
    game: str,
    request: Callable[[], JobRequest],
    first: Callable[[Master, ProgressDisplay], Awaitable[A | None]] = _nothing,
) -> WatchOutcome | A:
    """Submit a search, and watch it to its end.

    Args:
        place: the master or the analysers.
        game: that is searched.
        request: makes the job; blocks while the engine is loaded.
        first: is called with the open master before the job is submitted; an answer that it
            returns is the result, and no job is submitted.

    Raises:
        CommandError: no analyser can be used.
    """

    async def start(master: Master) -> int:
        return await master.submit(await asyncio.to_thread(request))

    async def work() -> A | WatchOutcome:
        with ProgressDisplay() as progress, signals_of(progress) as interruption:
            async with open_master(place, progress.show_notice, games=(game,)) as master:
                if (found := await first(master, progress)) is not None:
                    return found
                return await watch(master, start(master), progress, interruption, place.patience_s)

    return run_async(work())


def end_unanswered(outcome: WatchOutcome) -> NoReturn:
    """End a command whose search has no answer, and say how to go on.

    Raises:
        CommandError: the search failed.
        SystemExit: Ctrl-C.
    """
    code = exit_code(outcome)
    if code == ExitCode.JOB_FAILED and outcome.view.error:
        job, error = outcome.view.job, outcome.view.error
        raise CommandError(f"job {job}: {error}; go on with: manyply resume {job}", code)
    say_how_to_go_on(outcome)
    raise SystemExit(code)
