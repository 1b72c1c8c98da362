"""The backend of one machine: its worker pool, its engines and their announcements."""

from __future__ import annotations

import asyncio

from analyser.backend import Outlet
from analyser.power import engine_offers
from analyser.tasks import Task
from analyser.workers import WorkerPool
from engine_ext import services
from engine_ext.control import RunControl
from protocol.messages import Engine, Entries, Message, PartRequest, Progress


class OwnBackend:
    """Computes parts in threads of this process; a `Backend`."""

    def __init__(self, worker_count: int, games: tuple[str, ...], outlet: Outlet) -> None:
        """Start the threads; engines are loaded by `load`."""
        self.worker_count = worker_count
        self.games = games
        self.offers: tuple[Engine, ...] = ()
        self._loading = RunControl()
        self._pool = WorkerPool(worker_count, outlet.deliver, outlet.results_max)

    @property
    def live_count(self) -> int:
        """Parts waiting or running."""
        return self._pool.live_count

    @property
    def paused_count(self) -> int:
        """Parts paused for urgent ones."""
        return self._pool.paused_count

    async def load(self) -> None:
        """Load the engines and measure their power."""
        self.offers = tuple(
            await asyncio.to_thread(engine_offers, self.games, self.worker_count, self._loading)
        )

    def submit(self, request: PartRequest, *, is_refused: bool) -> list[Message]:
        """Compute a very short part in the calling thread, any other in a worker thread."""
        task = Task(request, is_refused=is_refused)
        results = self._pool.run_now(task)
        if not results:
            self._pool.submit(task)
        return results

    def stop(self, key: tuple[int, int]) -> None:
        """Ask for the early end of a part."""
        self._pool.stop(key)

    def learn(self, entries: Entries) -> None:
        """Use table entries in the searches; ContextError if they cannot be read."""
        services.learn_entries(entries.game, entries.text)

    def allow(self, result_count: int) -> None:
        """Let the count of results grow to `result_count`."""
        self._pool.allow(result_count)

    def hold(self, is_held: bool) -> None:
        """Begin no slice while `is_held`."""
        self._pool.hold(is_held)

    def cancel_all(self) -> None:
        """Forget every part; clear the search tables, if they are loaded and took entries."""
        self._pool.cancel_all()
        for offer in self.offers:
            services.forget_announced(offer.game)

    def progress(self) -> list[Progress]:
        """Return a report for each part that has begun."""
        return self._pool.progress()

    async def close(self) -> None:
        """Cancel everything, the measuring of power too, and end the threads."""
        self._loading.stop()
        await asyncio.to_thread(self._pool.close)
