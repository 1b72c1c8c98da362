"""Searching a board by a fleet, watched: a job of this process's master, or of one elsewhere."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from functools import partial

from engine_ext.othello.answer import BoardAnswer, BoardQuestion
from engine_ext.services import engine_digest
from master.cli.errors import CommandError, ExitCode
from master.cli.jobs.progress import FIRST_PLAIN_S, ProgressDisplay
from master.cli.jobs.watching import (
    WatchOutcome,
    exit_code,
    run_async,
    say_how_to_go_on,
    signals_of,
    watch,
)
from master.cli.master_access import open_master
from master.cli.othello.search_alone import Alone
from master.cli.othello.search_watch import status_line
from master.cli.place import Place
from master.contract.master import Master
from master.games.othello.search_report import answer_of
from master.games.othello.search_request import search_request
from master.games.othello.wording import GAME
from master.search.strategies import Strategy

READY_POLL_S = 0.02
"""How soon it is noticed that others can begin."""


def search_by_fleet(
    place: Place,
    question: BoardQuestion,
    strategy: Strategy,
    alone: Alone | None = None,
    is_trusting: bool = False,
) -> tuple[BoardAnswer, int | None]:
    """Answer a question by a master's fleet: one that runs, or this process with all its cores.

    Args:
        place: the master or the analysers.
        question: the board and the depth.
        strategy: of the parallel search.
        alone: one thread that searches until others are ready; it may be the first to answer.
        is_trusting: analysers over a network are believed.

    Returns:
        The answer, and the job that keeps it; None: the one thread was first.

    Raises:
        CommandError: no analyser can be used, or the search failed.
        SystemExit: Ctrl-C.
    """

    async def start(master: Master) -> int:
        make = partial(search_request, question, strategy.name, is_trusting)
        return await master.submit(await asyncio.to_thread(make))

    async def work() -> BoardAnswer | WatchOutcome:
        with ProgressDisplay() as progress, signals_of(progress) as interruption:
            async with open_master(place, progress.show_notice, games=(GAME,)) as master:
                if alone is not None and (found := await _ended(alone, master, progress)):
                    return found
                return await watch(master, start(master), progress, interruption, place.patience_s)

    found = run_async(work())
    if isinstance(found, BoardAnswer):
        return found, None
    return _answer(found, 0 if alone is None else alone.nodes), found.view.job


def _answer(outcome: WatchOutcome, nodes_alone: int) -> BoardAnswer:
    """Return the answer; without one, say how to go on, and end the command."""
    found = answer_of(outcome.view)
    if found is not None:
        return replace(found, nodes=found.nodes + nodes_alone)
    code = exit_code(outcome)
    if code == ExitCode.JOB_FAILED and outcome.view.error:
        job, error = outcome.view.job, outcome.view.error
        raise CommandError(f"job {job}: {error}; go on with: manyply resume {job}", code)
    say_how_to_go_on(outcome)
    raise SystemExit(code)


async def _ended(alone: Alone, master: Master, progress: ProgressDisplay) -> BoardAnswer | None:
    """Let one thread search until others are ready; return its answer, or pass its table on."""
    started = time.perf_counter()
    while not alone.is_over and not any(line.state == "ready" for line in await master.who()):
        await asyncio.sleep(READY_POLL_S)
        seconds = time.perf_counter() - started
        if alone.status is not None and seconds >= FIRST_PLAIN_S:
            progress.draw_line(status_line(alone.status, seconds))
    if (found := await asyncio.to_thread(alone.stop)) is None and not master.is_elsewhere:
        alone.pass_on(await asyncio.to_thread(engine_digest, GAME))
    return found
