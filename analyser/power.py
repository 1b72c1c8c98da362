"""How much work this machine does a second: measured once at start, quickly.

Knows a clock and each game's fixed piece of work.  The figure only seeds the master's own
observation, so a rough one is enough.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from engine_ext import services
from engine_ext.control import RunControl
from protocol.messages import Engine

MEASURE_S = 0.2
"""Each game is measured for about this long: all are announced in under a second."""


def measure_power(
    game: str, worker_count: int, clock: Callable[[], float] = time.monotonic
) -> float:
    """Return units of work a second of `worker_count` threads together."""
    work = services.power_work(game)
    units = [0] * worker_count
    end = clock() + MEASURE_S

    def measure(index: int) -> None:
        while True:
            units[index] += work(RunControl())
            if clock() >= end:
                return

    started = clock()
    threads = [threading.Thread(target=measure, args=(i,)) for i in range(worker_count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(units) / max(clock() - started, 1e-9)


def engine_offers(games: tuple[str, ...], worker_count: int) -> list[Engine]:
    """Load each game's engine and return the lines that announce them."""
    return [
        Engine(
            game=game, digest=services.engine_digest(game), power=measure_power(game, worker_count)
        )
        for game in games
    ]
