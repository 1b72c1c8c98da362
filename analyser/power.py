"""This machine's work a second for each game, measured once at start with a fixed piece of work.

The master only starts from this number and then observes, so a rough one is enough.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from engine_ext import services
from engine_ext.control import RunControl
from protocol.messages import Engine, to_text

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
