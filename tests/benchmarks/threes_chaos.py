"""Real decisions of Threes! over analysers that are killed, stopped and cut off: differences.

Run as `python -m tests.benchmarks.threes_chaos [COUNT [FIRST_SEED]]`.  Boards of games, three moves
ahead and now and then four, are valued one after the other by a master here and three analyser
processes, cut anywhere in the tree and into questions of any size, with a limit of rarity for some;
meanwhile the analysers are in trouble as in tests/benchmarks/search_chaos.py.  The values of all
moves are compared with those of one thread, to the bit.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from engine_ext.threes.context import Lookahead
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.game import ThreesGame
from engine_ext.threes.net_file import shipped_net
from master.games.threes.decisions import Decision, value_divided
from tests.benchmarks.search_chaos import numbers, report, troubled_fleet

PLIES_OF_GAMES = 1
LOOKAHEADS = (Lookahead(3, 3),) * 6 + (Lookahead(4, 4), Lookahead(3, 4, 50), Lookahead(4, 4, 1_000))
WORK_S = (1e-6, 1e-2, 1.0)
WORKERS = (1, 4, 30)


def decisions(rng: random.Random) -> Iterator[Decision]:
    """Yield boards of games, one after the other, without end."""
    adviser = Adviser(shipped_net())
    while True:
        game = ThreesGame(rng.getrandbits(50))
        while values := adviser.values(game.cells, game.bag, game.next_ranks, PLIES_OF_GAMES):
            if rng.random() < 0.1:
                yield Decision.of(game.cells, game.bag, game.next_ranks, rng.choice(LOOKAHEADS))
            game.play(max(values, key=lambda name: values[name]))


async def differences(count: int, first_seed: int) -> tuple[int, Counter[str]]:
    """Value `count` boards; return how many came out otherwise, and what happened."""
    rng = random.Random(first_seed)
    wrong, one = 0, Adviser(shipped_net())
    async with troubled_fleet(rng) as (service, trouble):
        for _, decision in zip(range(count), decisions(rng), strict=False):
            division = decision.divided(rng.randint(max(1, decision.plies - 2), decision.plies - 1))
            found = await value_divided(
                service.ask, division, rng.choice(WORK_S), rng.choice(WORKERS)
            )
            right = one.values(
                decision.cells, decision.bag, decision.next_ranks, decision.plies, decision.rarity
            )
            if found != right:
                wrong += 1
                print(f"{decision}: {found}, not {right}")
    return wrong, trouble.counts


def main(count: int, first_seed: int) -> None:
    """Print what was valued, and the differences."""
    report(differences(count, first_seed), count)


if __name__ == "__main__":
    main(*numbers(10_000, 1_000_000))
