"""Reproducible searches by a fleet: a command's, as a job, and those of one board's UCI engine.

Of a board's searches nothing is stored: it asks for many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial

from engine_ext.chess.parts.answer import ExactAnswer, ExactQuestion, ExactStatus, answer
from engine_ext.chess.parts.part_words import TableName
from engine_ext.chess.parts.shared_table import TABLE_BYTES, TABLES
from engine_ext.search.table import KeyedTable
from engine_ext.services import engine_digest
from master.cli.fleet_thread import FleetThread
from master.cli.place import Place
from master.cli.searching.fleet import end_unanswered, search_job
from master.cli.searching.steps import watched_steps
from master.contract.master import Master
from master.contract.search_views import SearchView
from master.games.chess.exact_report import GAME, answer_of, best_of, search_request
from master.games.chess.fleet_search import FleetSearcher
from master.games.chess.search_report import effort_text, line_text
from master.games.chess.threaded_search import value_text
from master.search.strategies import Strategy
from master.service.service import MasterService

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
    found = watched_steps(
        answer(question, table),
        partial(_status_line, question),
        lambda status, seconds: status.nodes >= nodes_max,
    )
    return found if isinstance(found, ExactAnswer) else None


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
    make = partial(search_request, question, strategy.name, is_trusting)
    outcome = search_job(place, GAME, make)
    answered = answer_of(outcome.view)
    if answered is None:
        end_unanswered(outcome)
    return answered, outcome.view.job


class UciFleet:
    """Analysers that search for this board alone.

    Args:
        thread: that keeps their links alive.
        is_trusting: results of analysers over a network are believed, and not proved again.
    """

    def __init__(self, thread: FleetThread, is_trusting: bool) -> None:
        self._thread = thread
        self._is_trusting = is_trusting

    def ask(
        self, question: ExactQuestion, on_view: Callable[[SearchView], None]
    ) -> Future[ExactAnswer]:
        """Have a question answered; it may raise MasterError.  Cancelling it gives it up."""

        async def answer(master: Master) -> ExactAnswer:
            assert isinstance(master, MasterService), "a fleet of this process"
            searcher = FleetSearcher(master.search, on_view=on_view, is_trusting=self._is_trusting)
            return await searcher.answer(question)

        return self._thread.start(answer)


@contextmanager
def uci_fleet(place: Place, is_trusting: bool) -> Iterator[UciFleet]:
    """Have analysers ready; see UciFleet.

    Raises:
        CommandError: none can be used.
    """
    with FleetThread(place, (GAME,)) as thread:
        yield UciFleet(thread, is_trusting)


class FleetProbes:
    """Analysers that look at positions by another engine, for probe_search.

    Args:
        thread: that keeps their links alive.
    """

    def __init__(self, thread: FleetThread) -> None:
        self._thread = thread

    def ask(
        self, questions: Sequence[str], on_answer: Callable[[int, str], None]
    ) -> Future[list[str]]:
        """Have questions answered; cancelling the future gives them up."""

        async def answers(master: Master) -> list[str]:
            return await master.ask(questions, on_answer=on_answer)

        return self._thread.start(answers)


@contextmanager
def fleet_probes(place: Place) -> Iterator[FleetProbes]:
    """Have analysers ready for looks; the engine was chosen before.

    Raises:
        CommandError: none can be used.
    """
    with FleetThread(place, (GAME,)) as thread:
        yield FleetProbes(thread)
