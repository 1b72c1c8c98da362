"""Speed of the engine of Threes! here, on one core."""

from __future__ import annotations

import time
from collections.abc import Callable

from engine_ext.control import RunControl
from engine_ext.threes.net_file import SHIPPED, read_net, shipped_net
from engine_ext.threes.player import play_game
from master.cli.bench.bench_figures import best_rate, cpu_description

SEED = 1
GAMES = {1: 200, 2: 4, 3: 1}
"""Whole games by the plies looked ahead, each count some tenths of a second: the boards of many
games are more than caches remember."""

LOADS = 3

WORDS = {
    **{f"moves_{plies}_ply_per_s": f"moves at {plies}-ply, a second" for plies in (1, 2, 3)},
    "net_load_ms": "loading the net, milliseconds",
    "cpu": "processor",
}


def bench_threes() -> dict[str, object]:
    """Return the documented figures, each of one core."""
    rates = {
        f"moves_{plies}_ply_per_s": best_rate(_games(plies, count))
        for plies, count in GAMES.items()
    }
    return {**rates, "net_load_ms": 1000 * min(_load_s() for _ in range(LOADS)),
            "cpu": cpu_description()}  # fmt: skip


def _games(plies: int, count: int) -> Callable[[], int]:
    """Play the first games of a seed; a unit is a move."""

    def play() -> int:
        moves, control = 0, RunControl()
        for number in range(count):
            played = play_game(shipped_net(), SEED, number, plies, control)
            assert played is not None, "nobody stops it"
            moves += played[0]
        return moves

    return play


def _load_s() -> float:
    """Return the seconds of reading the shipped net, as each process does once."""
    started = time.thread_time()
    read_net(SHIPPED)
    return time.thread_time() - started
