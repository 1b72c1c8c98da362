"""The fleet of one board's UCI engine: analysers that search for it alone.

Nothing of a search is stored: a board asks for many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from engine_ext.chess.parts.answer import ExactAnswer, ExactQuestion
from master.cli.fleet_thread import FleetThread
from master.cli.place import Place
from master.contract.master import Master
from master.contract.search_views import SearchView
from master.games.chess.fleet_search import FleetSearcher
from master.games.chess.wording import GAME
from master.service.service import MasterService


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
