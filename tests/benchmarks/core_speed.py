"""How fast each core runs from moment to moment: others' machines share ours, unseen.

A virtual core that shares a real one with a neighbour runs at half its speed for seconds or hours,
and no counter of its own system says so.  A process pinned to each core therefore solves the same
small endgame again and again, a millisecond in fifty, and notes how long it takes by its own
processor time, in which waiting for this system's other processes does not count.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from multiprocessing.sharedctypes import SynchronizedArray
from multiprocessing.synchronize import Event
from types import TracebackType
from typing import Self

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from engine_ext.search.table import BYTES_MIN
from tests.engine_ext.othello.ffo import ROWS

INTERVAL_S = 0.05
SOLVE_NODES_MIN = 20_000
EMPTIES = 10
SAMPLE_S_MAX = 30.0


@cache
def small_endgame() -> OthelloBoard:
    """Return what is solved, far into FFO #43."""
    board = ROWS["FFO43"].board
    while board.empties > EMPTIES:
        board = board.passed() if board.must_pass else board.play(board.moves()[0])
    return board


def solve_speed() -> float:
    """Return nodes a second of this thread's processor time."""
    board, table, nodes, started = small_endgame(), HashTable(BYTES_MIN), 0, time.thread_time()
    while nodes < SOLVE_NODES_MIN:
        table.clear()
        solver = Solver(board, table=table)
        solver.run()
        nodes += solver.nodes
    return nodes / (time.thread_time() - started)


def _sample(core: int, sums: SynchronizedArray[float], has_ended: Event) -> None:
    os.sched_setaffinity(0, {core})
    solve_speed()
    while not has_ended.wait(INTERVAL_S):
        speed = solve_speed()
        with sums:
            sums[0] += speed
            sums[1] += 1


class CoreSpeeds:
    """Speeds of all cores while the context lasts; `mark` begins a time, `mean` ends it.

    Attributes:
        cores: numbers of those that this process may use.
    """

    def __init__(self) -> None:
        self.cores = sorted(os.sched_getaffinity(0))
        context = multiprocessing.get_context("spawn")
        self._has_ended = context.Event()
        self._sums = {core: context.Array("d", 2) for core in self.cores}
        self._processes = [
            context.Process(target=_sample, args=(core, sums, self._has_ended), daemon=True)
            for core, sums in self._sums.items()
        ]
        self._marked = self._now()

    def _now(self) -> dict[int, tuple[float, float]]:
        return {core: self._now_of(core) for core in self.cores}

    def _now_of(self, core: int) -> tuple[float, float]:
        sums = self._sums[core]
        with sums:
            return sums[0], sums[1]

    @property
    def pids(self) -> set[int | None]:
        """The processes that measure."""
        return {process.pid for process in self._processes}

    def __enter__(self) -> Self:
        for process in self._processes:
            process.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._has_ended.set()
        for process in self._processes:
            process.join(SAMPLE_S_MAX)

    @contextmanager
    def pinned(self, core: int) -> Iterator[None]:
        """Keep the calling thread on a core."""
        os.sched_setaffinity(0, {core})
        try:
            yield
        finally:
            os.sched_setaffinity(0, self.cores)

    def mark(self) -> None:
        """Begin a time."""
        self._marked = self._now()

    def mean(self, core: int | None = None) -> float:
        """Return nodes a second since the mark, of a core or of the mean one; TimeoutError."""
        cores = self.cores if core is None else [core]
        return sum(map(self._mean_of, cores)) / len(cores)

    def _mean_of(self, core: int) -> float:
        before, count_before = self._marked[core]
        until = time.monotonic() + SAMPLE_S_MAX
        while True:
            total, count = self._now_of(core)
            if count > count_before:
                return (total - before) / (count - count_before)
            if time.monotonic() > until:
                raise TimeoutError(f"core {core} tells no speed for {SAMPLE_S_MAX:.0f} s")
            time.sleep(INTERVAL_S / 4)
