"""How much work this machine does a second: measured once at start, quickly.

Knows a clock and each game's fixed piece of work.  The figure only seeds the master's own
observation, so a rough one is enough.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from engine_ext import services
from engine_ext.control import RunControl
from protocol.messages import Engine

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
) -> float:
    """Return units of work a second of `worker_count` threads together."""
    work = services.power_work(game)
    started = clock()

    def measure(_: int) -> int:
        units = work(RunControl())
        while clock() < started + measure_s:
            units += work(RunControl())
        return units

    with ThreadPoolExecutor(worker_count) as threads:
        units = sum(threads.map(measure, range(worker_count)))
    return units / max(clock() - started, 1e-9)


def engine_offers(games: tuple[str, ...], worker_count: int) -> list[Engine]:
    """Load each game's engine and return the lines that announce them.

    A game whose engine cannot be loaded is left out, and named on stderr.
    """
    offers = []
    measure_s = min(MEASURE_S, MEASURE_ALL_S / max(1, len(games)))
    for game in games:
        try:
            digest = services.engine_digest(game)
            power = measure_power(game, worker_count, measure_s)
        except Exception as error:  # one broken engine must not keep the others from working
            log.error("%s is not offered: %s: %s", game, type(error).__name__, error)
        else:
            offered = services.game_services(game)
            offers.append(Engine(game=game, digest=digest, power=power, services=offered))
    return offers
