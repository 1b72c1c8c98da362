"""Searching a board by a fleet, watched.

Knows the progress display, the terminal's signals and how a master is put together.  Must not
know how a board is searched.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from functools import partial

from engine_ext.othello.answer import Answer, Question
from master.cli.errors import CommandError, ExitCode
from master.cli.place import Place
from master.cli.progress import Progress
from master.cli.search_view import search_view, standing_line
from master.cli.session import open_master
from master.cli.watching import run_async, signals_of
from master.othello_search import FleetSearcher, FleetStanding
from master.search.othello_wording import GAME
from master.search.strategies import Strategy
from master.searches import SearchError
from master.service import MasterService

IDLE_S_MAX = 5.0
"""Without an analyser before that is said: links are dialled, and lost ones again, sooner."""


def search_by_fleet(place: Place, question: Question, strategy: Strategy) -> Answer:
    """Answer a question by this process's own fleet: all cores, if nothing else is said.

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
                searcher = FleetSearcher(master.search, strategy, Shower(progress).show)
                try:
                    return await searcher.answer(question)
                except SearchError as error:
                    raise CommandError(str(error), ExitCode.JOB_FAILED) from error

    return run_async(work())


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
