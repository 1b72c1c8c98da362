"""Real searches over analysers that are killed, stopped for a while and cut off: wrong answers.

Run as `python -m tests.benchmarks.search_chaos [COUNT [FIRST_SEED]]`. Boards of random games are
solved one after the other by a master here and three analyser processes; meanwhile every few
hundredths of a second one of them is killed (and started again), stopped and let go on, or loses
its connection (and comes back with its session). Value and move are compared with the sequential
solver's.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from engine_ext.othello.answer import BoardAnswer, BoardQuestion, answer_at_once
from engine_ext.othello.board import OthelloBoard
from master.config.fleet_list import FleetEntry, parse_fleet_address
from master.contract.search_views import SearchView
from master.games.othello.fleet_search import FleetSearcher
from master.search.strategies import STRATEGIES
from master.service.service import MasterService
from protocol.aio import new_runner
from tests.benchmarks.moves_fleet import own_state
from tests.daemons.analyser_programs import HERE, listening
from tests.engine_ext.othello.positions import played

COMMAND = f"exec:{sys.executable} -m analyser --stdio --workers 1"
EMPTIES = (16, 17, 18)
PEACE_S = (0.01, 0.2)
STILL_S = (0.005, 0.5)
STARTED = 2  # by commands; a third listens


def expected(board: OthelloBoard) -> BoardAnswer:
    """Return the sequential answer."""
    return answer_at_once(BoardQuestion(board, board.empties))


def children() -> list[int]:
    """Return the processes that this one has started and that still run."""
    words = [(task / "children").read_text() for task in Path("/proc/self/task").iterdir()]
    return sorted(int(pid) for word in words for pid in word.split())


class Trouble:
    """Makes it."""

    def __init__(self, service: MasterService, rng: random.Random, spared: int) -> None:
        """Kill nobody that is `spared`: it listens, and nobody would start it again."""
        self.counts: Counter[str] = Counter()
        self._service = service
        self._rng = rng
        self._spared = spared

    async def make(self) -> None:
        """Make trouble until cancelled."""
        while True:
            await asyncio.sleep(self._rng.uniform(*PEACE_S))
            kind = self._rng.random()
            if kind < 0.15:
                self._kill()
            elif kind < 0.5:
                self._cut()
            else:
                await self._stop()

    def _kill(self) -> None:
        victims = [pid for pid in children() if pid != self._spared]
        if victims:
            self._signal(self._rng.choice(victims), signal.SIGKILL, "killed")

    def _cut(self) -> None:
        """Cut the link of the one that listens: the others would end with theirs."""
        for session in self._service._core.sessions:
            if session.link is not None and session.endpoint.is_returning:
                session.link.abort()
                self.counts["cut off"] += 1

    async def _stop(self) -> None:
        victims = children()
        if victims:
            victim = self._rng.choice(victims)
            self._signal(victim, signal.SIGSTOP, "stopped")
            try:
                await asyncio.sleep(self._rng.uniform(*STILL_S))
            finally:
                self._signal(victim, signal.SIGCONT, "")

    def _signal(self, pid: int, number: signal.Signals, name: str) -> None:
        with suppress(ProcessLookupError):  # it has ended by itself
            os.kill(pid, number)
            if name:
                self.counts[name] += 1


@asynccontextmanager
async def troubled_fleet(rng: random.Random) -> AsyncIterator[tuple[MasterService, Trouble]]:
    """Yield a master and who makes trouble for its analysers."""
    async with (
        MasterService(Path(os.environ["XDG_STATE_HOME"])) as service,
        listening("--workers", "2") as (process, port),
    ):
        for address in (*[COMMAND] * STARTED, f"{HERE}:{port}"):
            assert await service.add_analyser(FleetEntry("", parse_fleet_address(address))) == ""
        trouble = Trouble(service, rng, process.pid)
        making = asyncio.create_task(trouble.make())
        try:
            yield service, trouble
        finally:
            making.cancel()
            await asyncio.gather(making, return_exceptions=True)


async def errors(count: int, first_seed: int) -> tuple[int, Counter[str]]:
    """Search `count` boards; return how many answers were wrong, and what happened."""
    rng = random.Random(first_seed)
    wrong, totals = 0, Counter[str]()

    def note(shown: SearchView) -> None:
        totals["looks"] += 1

    async with troubled_fleet(rng) as (service, trouble):
        for seed in range(first_seed, first_seed + count):
            board = played(seed, EMPTIES[seed % len(EMPTIES)])
            strategy = STRATEGIES[rng.choice(list(STRATEGIES))]
            found = await FleetSearcher(service.search, strategy, note).answer(
                BoardQuestion(board, 60)
            )
            right = await asyncio.to_thread(expected, board)
            if (found.value, found.best_move) != (right.value, right.best_move):
                wrong += 1
                print(f"seed {seed}, {strategy.name}: {found}, not {right}")
    return wrong, totals + trouble.counts


def report(
    search: Coroutine[object, object, tuple[int, Counter[str]]], count: int, what: str = "boards"
) -> None:
    """Have so many boards searched, and print how many came out wrong, and what happened."""
    started = time.perf_counter()
    with own_state(), new_runner() as runner:
        wrong, happened = runner.run(search)
    trouble = ", ".join(f"{happened[name]} {name}" for name in ("killed", "stopped", "cut off"))
    seconds = time.perf_counter() - started
    print(f"{count} {what}, {wrong} wrong; analysers {trouble}; {seconds:.0f} s")


def numbers(*defaults: int) -> list[int]:
    """Return the numbers of the command line, and the last of the defaults where it ends."""
    given = [int(each) for each in sys.argv[1:]]
    return [*given, *defaults[len(given) :]]


def main(count: int, first_seed: int) -> None:
    """Print what was searched, and the errors."""
    report(errors(count, first_seed), count)


if __name__ == "__main__":
    main(*numbers(1_000, 1_000_000))
