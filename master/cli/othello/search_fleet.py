"""Searching a board by a fleet, watched.

Knows the progress display, the terminal's signals and how a master is put together.  Must not
know how a board is searched.
"""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import replace
from functools import partial

from engine_ext.othello.answer import Answer, Question
from engine_ext.services import engine_digest
from master.cli.errors import CommandError, ExitCode
from master.cli.jobs.progress import FIRST_PLAIN_S, Progress
from master.cli.jobs.watching import run_async, signals_of
from master.cli.othello.search_alone import Alone
from master.cli.othello.search_view import search_view, standing_line
from master.cli.othello.search_watch import standing_line as standing_of_one
from master.cli.place import Place
from master.cli.session import open_master
from master.games.othello.fleet_search import FleetSearcher, FleetStanding
from master.games.othello.wording import GAME
from master.search.strategies import Strategy
from master.service.searches import SearchError
from master.service.service import MasterService

READY_POLL_S = 0.02
"""How soon it is noticed that others can begin."""

IDLE_S_MAX = 5.0
"""Without an analyser before that is said: links are dialled, and lost ones again, sooner."""


def search_by_fleet(
    place: Place,
    question: Question,
    strategy: Strategy,
    alone: Alone | None = None,
    is_trusting: bool = False,
) -> Answer:
    """Answer a question by this process's own fleet: all cores, if nothing else is said.

    Args:
        place: who searches.
        question: what is asked.
        strategy: how they share it.
        alone: one thread that searches until others are ready; it may be the first to answer.
        is_trusting: analysers over a network are believed.

    Raises:
        CommandError: no analyser can be used, or the search failed.
        SystemExit: Ctrl-C.
    """

    local = place.local if place.is_here else len(os.sched_getaffinity(0))

    async def work() -> Answer:
        with Progress() as progress, signals_of(progress):
            async with open_master(
                replace(place, local=local), progress.note, games=(GAME,)
            ) as master:
                assert isinstance(master, MasterService), "this process computes"
                shower = Shower(progress)
                searcher = FleetSearcher(master.search, strategy, shower.show, is_trusting)
                if alone is not None and (found := await _ended(alone, master, progress)):
                    return found
                try:
                    found = await searcher.answer(question)
                    return replace(found, nodes=found.nodes + (alone.nodes if alone else 0))
                except SearchError as error:
                    raise CommandError(str(error), ExitCode.JOB_FAILED) from error

    return run_async(work())


async def _ended(alone: Alone, master: MasterService, progress: Progress) -> Answer | None:
    """Let one thread search until others are ready; return its answer, or pass its table on."""
    started = time.perf_counter()
    while not alone.is_over and not any(line.state == "ready" for line in master.analysers()):
        await asyncio.sleep(READY_POLL_S)
        seconds = time.perf_counter() - started
        if alone.standing is not None and seconds >= FIRST_PLAIN_S:
            progress.draw_line(standing_of_one(alone.standing, seconds))
    if (found := await asyncio.to_thread(alone.stop)) is None:
        alone.pass_on(await asyncio.to_thread(engine_digest, GAME))
    return found


class Shower:
    """Shows standings, and says when nobody searches."""

    def __init__(self, progress: Progress) -> None:
        """Show on a display."""
        self._progress = progress
        self._served_at = time.monotonic()
        self._is_said = False

    def show(self, standing: FleetStanding) -> None:
        """Show how it stands."""
        now = time.monotonic()
        if standing.standing.analysers:
            self._served_at, self._is_said = now, False
        elif now - self._served_at >= IDLE_S_MAX and not self._is_said:
            self._is_said = True
            self._progress.say("no analyser is ready: waiting for one")
        self._progress.draw(partial(search_view, standing), standing_line(standing))
