"""Searching a board by a fleet, watched: a job of this process's master, or of one elsewhere."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from functools import partial

from engine_ext.othello.answer import BoardAnswer, BoardQuestion
from engine_ext.services import engine_digest
from master.cli.jobs.progress import FIRST_PLAIN_S, ProgressDisplay
from master.cli.jobs.watching import (
    WatchOutcome,
)
from master.cli.othello.search_alone import Alone, status_line
from master.cli.place import Place
from master.cli.searching.fleet import end_unanswered, search_job
from master.contract.master import Master
from master.games.othello.search_report import GAME, answer_of, search_request
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
    make = partial(search_request, question, strategy.name, is_trusting)
    if alone is None:
        outcome: WatchOutcome | BoardAnswer = search_job(place, GAME, make)
    else:
        outcome = search_job(place, GAME, make, partial(_ended, alone))
    if isinstance(outcome, BoardAnswer):
        return outcome, None
    found = answer_of(outcome.view)
    if found is None:
        end_unanswered(outcome)
    nodes = found.nodes + (0 if alone is None else alone.nodes)
    return replace(found, nodes=nodes), outcome.view.job


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
