"""The backends of an agent: their interface, this machine's own, and its measured power.

A game's power is measured once at start with a fixed piece of work. The master only starts from
this number and then observes, so a rough one is enough.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, Protocol

from analyser.tasks import Task
from analyser.workers import WorkerPool
from engine_ext import services
from engine_ext.control import RunControl
from protocol.messages import Engine, Entries, Message, PartRequest, Progress, to_text


class Outlet(NamedTuple):
    """Receives the messages of a backend.

    Args:
        deliver: Called with messages in the order of each part, from any thread. Once
            `Backend.cancel_all` has returned, it is not called with a message of an earlier part.
        announce: Called in the loop's thread when `Backend.offers` or `worker_count` changed.
        results_max: Results allowed at first.
    """

    deliver: Callable[[list[Message]], None]
    announce: Callable[[], None]
    results_max: int


class Backend(Protocol):
    """Computes parts. Results are counted since the start or the last `cancel_all`."""

    @property
    def worker_count(self) -> int:
        """Parts computed at a time; 0: there is no worker, and `load` waits for one."""

    @property
    def games(self) -> tuple[str, ...]:
        """Games that it can compute, as far as known before `load`."""

    @property
    def offers(self) -> tuple[Engine, ...]:
        """The engines, once `load` has returned."""

    @property
    def live_count(self) -> int:
        """Parts waiting or running."""

    @property
    def paused_count(self) -> int:
        """Parts paused for urgent ones, as far as known."""

    async def load(self) -> None:
        """Get ready to compute; return once it can."""

    def submit(self, request: PartRequest, *, is_refused: bool) -> list[Message]:
        """Begin a part, or end it at once by `fail` if it is refused.

        Returns:
            All its messages, if it ended at once; empty: they are delivered later.
        """

    def stop(self, key: tuple[int, int]) -> None:
        """Ask for the early end of a part; its final message still comes."""

    def learn(self, entries: Entries) -> None:
        """Use table entries in the searches; ContextError if they cannot be read."""

    def allow(self, result_count: int) -> None:
        """Let the count of results grow to `result_count`."""

    def hold(self, is_held: bool) -> None:
        """Make no further results while `is_held`, beyond those begun."""

    def cancel_all(self) -> None:
        """Forget every part, every count and every table entry that was learned."""

    def progress(self) -> list[Progress]:
        """Return a report for each part that has begun."""

    async def close(self) -> None:
        """Cancel everything and stop computing."""


NewBackend = Callable[[Outlet], Backend]


MEASURE_S = 0.05
"""A game is measured for about this long at most, and by one piece of work at least."""

MEASURE_ALL_S = 0.1
"""All games are: less than their engines take to load."""

log = logging.getLogger("manyply.analyser")


def measure_power(
    game: str,
    worker_count: int,
    measure_s: float = MEASURE_S,
    clock: Callable[[], float] = time.monotonic,
    control: RunControl | None = None,
) -> float:
    """Return units of work a second of `worker_count` threads together; `control` ends it early."""
    work, shared = services.power_work(game), control or RunControl()
    started = clock()

    def measure(_: int) -> int:
        units = work(shared)
        while clock() < started + measure_s and not shared.is_stopped:
            units += work(shared)
        return units

    with ThreadPoolExecutor(worker_count) as threads:
        units = sum(threads.map(measure, range(worker_count)))
    return units / max(clock() - started, 1e-9)


def engine_offers(
    games: tuple[str, ...], worker_count: int, control: RunControl | None = None
) -> list[Engine]:
    """Load each game's engine and return the lines that announce them.

    A game whose engine cannot be loaded is left out and named on stderr. So are games that were not
    measured before `control` was stopped.
    """
    offers = []
    measure_s = min(MEASURE_S, MEASURE_ALL_S / max(1, len(games)))
    shared = control or RunControl()
    for game in games:
        if shared.is_stopped:
            break
        try:
            digest = services.engine_digest(game)
            power = measure_power(game, worker_count, measure_s, control=shared)
        except Exception as error:  # one broken engine must not keep the others from working
            log.error("%s is not offered: %s: %s", game, type(error).__name__, error)
        else:
            offered = services.game_services(game)
            name = to_text(services.engine_name(game))
            offers.append(
                Engine(game=game, digest=digest, power=power, services=offered, name=name)
            )
    return offers


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
