"""Searching a position reproducibly, watched: by one thread for a moment, then by a fleet."""

from __future__ import annotations

import asyncio
import time
from functools import partial

from engine_ext.chess.parts.answer import ExactAnswer, ExactQuestion, ExactStatus, answer
from engine_ext.chess.parts.part_words import TableName
from engine_ext.chess.parts.shared_table import TABLE_BYTES, TABLES
from engine_ext.search.table import KeyedTable
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
from master.cli.place import Place
from master.contract.master import Master
from master.games.chess.exact_report import answer_of, best_of
from master.games.chess.search_report import effort_text, line_text
from master.games.chess.search_request import search_request
from master.games.chess.values import value_text
from master.games.chess.wording import GAME
from master.search.strategies import Strategy

ALONE_NODES = 2_000_000
"""Two seconds.  To get a fleet together takes both cores of a machine of two half a second."""


def search_alone(
    question: ExactQuestion, table: KeyedTable, nodes_max: float = float("inf")
) -> ExactAnswer | None:
    """Search by one thread, watched; None: so many nodes were not enough.

    Args:
        question: the position and the depth.
        table: results of earlier searches.
        nodes_max: to visit, about.
    """
    started = time.perf_counter()
    steps = answer(question, table)
    with ProgressDisplay() as progress:
        while True:
            try:
                status = next(steps)
            except StopIteration as end:
                found: ExactAnswer = end.value
                return found
            seconds = time.perf_counter() - started
            if status.nodes >= nodes_max:
                return None
            if seconds >= FIRST_PLAIN_S:
                progress.draw_line(_status_line(question, status, seconds))


def _status_line(question: ExactQuestion, status: ExactStatus, seconds: float) -> str:
    effort = effort_text(status.nodes, seconds)
    if status.found is None:
        return effort
    best = best_of(status.found)
    line = line_text(question.board, best.moves)
    return f"depth {status.found.depth}, {value_text(best.value)}, {effort}: {line}"


def search_together(
    place: Place, question: ExactQuestion, strategy: Strategy, is_trusting: bool = False
) -> tuple[ExactAnswer, int | None]:
    """Answer a question by one thread, or by a fleet if that takes longer than a moment.

    Args:
        place: the analysers; all cores of this machine by default.
        question: the position and the depth.
        strategy: of the parallel search.
        is_trusting: analysers over a network are believed.

    Returns:
        The answer, and the job that keeps it; None: one thread found it.

    Raises:
        CommandError: no analyser can be used, or the search failed.
        SystemExit: Ctrl-C.
    """
    if place.local != 0 and place.master is None:
        table = KeyedTable(TABLE_BYTES)
        found = search_alone(question, table, ALONE_NODES)
        if found is not None:
            return found, None
        TABLES.table(TableName(engine_digest(GAME)), table)  # the workers here go on with it
    return _by_fleet(place, question, strategy, is_trusting)


def _by_fleet(
    place: Place, question: ExactQuestion, strategy: Strategy, is_trusting: bool
) -> tuple[ExactAnswer, int]:
    async def start(master: Master) -> int:
        make = partial(search_request, question, strategy.name, is_trusting)
        return await master.submit(await asyncio.to_thread(make))

    async def work() -> WatchOutcome:
        with ProgressDisplay() as progress, signals_of(progress) as interruption:
            async with open_master(place, progress.show_notice, games=(GAME,)) as master:
                return await watch(master, start(master), progress, interruption, place.patience_s)

    outcome = run_async(work())
    return _answer(outcome), outcome.view.job


def _answer(outcome: WatchOutcome) -> ExactAnswer:
    """Return the answer; without one, say how to go on, and end the command."""
    found = answer_of(outcome.view)
    if found is not None:
        return found
    code = exit_code(outcome)
    if code == ExitCode.JOB_FAILED and outcome.view.error:
        job, error = outcome.view.job, outcome.view.error
        raise CommandError(f"job {job}: {error}; go on with: manyply resume {job}", code)
    say_how_to_go_on(outcome)
    raise SystemExit(code)
