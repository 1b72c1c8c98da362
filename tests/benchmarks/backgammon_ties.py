"""Count rolls whose first choice is not the best cubeless play of those with the best equity.

    python -m tests.benchmarks.backgammon_ties [COUNT] [SEED]

Decisions of random games and strewn positions, with money and match cubes, count where at least two
plays share the best cubeful equity, as where every play leads to a double and a pass.  No cubeful
equity may be better, and of the equals no cubeless one.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import click

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.searcher import Searcher
from engine_ext.control import RunControl
from tests.engine_ext.backgammon.positions import played_positions, random_roll, strewn_positions

COUNT = 2000
SEED = 1
EQUAL = 1e-9
"""Equities as near as this are equal: far below anything that plays differ by."""

CUBES = (
    Cube(),
    Cube(jacoby=True),
    Cube(value=2, owner=1),
    Cube(match_length=7, score=(3, 5)),
    Cube(match_length=5, score=(4, 2), crawford=True),
    Cube(match_length=7, score=(6, 5), value=2, owner=0),
)

Ranked = list[tuple[int, int, float, tuple[float, float, float, float, float], float]]


@dataclass(frozen=True)
class Decision:
    """A roll to be played, of which several plays are equally good."""

    position: Position
    cube: Cube
    dice: tuple[int, int]
    ranked: Ranked


def ties(seed: int, ply: int) -> Iterator[Decision]:
    """Yield decisions of which at least two plays share the best equity, for ever."""
    rng, searcher = random.Random(seed), Searcher()
    while True:
        positions = played_positions(rng.randrange(2**32), 20)
        for position in positions + strewn_positions(rng.randrange(2**32), 20):
            cube, dice = rng.choice(CUBES), random_roll(rng)
            ranked = searcher.rank_moves(position, dice, cube, ply, RunControl())
            assert ranked is not None
            if position.result == 0 and len(best_of(ranked)) > 1:
                yield Decision(position, cube, dice, ranked)


def best_of(ranked: Ranked) -> Ranked:
    """Return the plays that share the best equity at the level of the first."""
    level = ranked[0][1]
    top = max(equity for _, ply, equity, _, _ in ranked if ply == level)
    return [one for one in ranked if one[1] == level and one[2] >= top - EQUAL]


def is_wrong(decision: Decision) -> bool:
    """Whether the first choice is not the best cubeless one of the equals."""
    best = best_of(decision.ranked)
    return decision.ranked[0] not in best or decision.ranked[0][4] < max(one[4] for one in best)


def wrong_count(count: int, seed: int, ply: int) -> int:
    """Return how many of so many decisions are wrong."""
    return sum(is_wrong(decision) for decision in islice(ties(seed, ply), count))


def main() -> None:
    """Print the counts."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    for ply in (0, 1):
        click.echo(f"{ply}-ply: {wrong_count(count, seed, ply)} of {count} decisions wrong")


if __name__ == "__main__":
    main()
