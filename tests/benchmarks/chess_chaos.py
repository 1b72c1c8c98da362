"""Chess searched by analysers that are killed, stopped for a while and cut off: wrong answers.

Run as `python -m tests.benchmarks.chess_chaos [COUNT [FIRST_SEED]]`. Positions of random games are
searched reproducibly, one after the other, by a master here and three analyser processes, in the
trouble that search_chaos.py makes. Value and move are compared with the sequential search's.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter

from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.parts.answer import ExactQuestion, answer_at_once
from engine_ext.search.table import KeyedTable
from master.contract.search_views import SearchView
from master.games.chess.fleet_search import FleetSearcher
from master.search.strategies import STRATEGIES
from tests.benchmarks.search_chaos import numbers, report, troubled_fleet
from tests.engine_ext.chess.positions import judged, ours

DEPTHS = (10, 11, 12)
MOVES = (10, 60)  # of random games
TABLE_BYTES = 1 << 22


def asked(seed: int) -> ExactQuestion:
    """Return what is asked: a position of a game, and the positions before it."""
    rng = random.Random(seed)
    while True:
        game = judged(rng.randrange(10**9), rng.randint(*MOVES))
        if any(game.legal_moves):
            break
    boards = [ours(game)]
    while game.move_stack:
        game.pop()
        boards.append(ours(game))
    depth = DEPTHS[seed % len(DEPTHS)]
    return ExactQuestion(boards[0], GameBefore.of_game(boards[::-1]), depth)


async def errors(count: int, first_seed: int) -> tuple[int, Counter[str]]:
    """Search `count` positions; return how many answers were wrong, and what happened."""
    rng = random.Random(first_seed)
    wrong, totals = 0, Counter[str]()

    def note(shown: SearchView) -> None:
        totals["looks"] += 1

    async with troubled_fleet(rng) as (service, trouble):
        for seed in range(first_seed, first_seed + count):
            question = asked(seed)
            strategy = STRATEGIES[rng.choice(list(STRATEGIES))]
            found = await FleetSearcher(service.search, strategy, note).answer(question)
            right = await asyncio.to_thread(answer_at_once, question, KeyedTable(TABLE_BYTES))
            if (found.value, found.line[:1]) != (right.value, right.line[:1]):
                wrong += 1
                print(f"seed {seed}, {strategy.name}: {found}, not {right}")
    return wrong, totals + trouble.counts


def main(count: int, first_seed: int) -> None:
    """Print what was searched, and the errors."""
    report(errors(count, first_seed), count, "positions")


if __name__ == "__main__":
    main(*numbers(1_000, 1_000_000))
