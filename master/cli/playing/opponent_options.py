"""Options that choose the engine's strength as an opponent, the same in every game."""

from __future__ import annotations

import random
from dataclasses import dataclass

import click

from master.cli.arguments import CountType
from master.games.opponents import LEVELS, SEED_MAX

SEEDS_BY_CHANCE = 2**31
"""Short enough to be typed again."""

level_option = click.option(
    "--level", type=click.Choice(LEVELS), metavar="LEVEL",
    help=f"Strength of the engine: {', '.join(LEVELS)}.  [default: its full strength]",
)  # fmt: skip

seed_option = click.option(
    "--seed", type=CountType(0, SEED_MAX), metavar="S",
    help="Of --level: the same seed and moves are the same game.  [default: by chance]",
)  # fmt: skip


def seed_or_chance(seed: int | None) -> int:
    """Return the seed, or one by chance."""
    return random.randrange(SEEDS_BY_CHANCE) if seed is None else seed


def check_strength(
    level: str | None, seed: int | None, depth: int | None, seconds: float | None
) -> None:
    """Check the options of one command; UsageError if they contradict each other."""
    if level is not None and seconds is not None:
        raise click.UsageError("--level and --seconds exclude each other")
    if level is None and seed is not None:
        raise click.UsageError("--seed is of --level: give both")
    if depth is not None and seconds is not None:
        raise click.UsageError("--plies and --seconds exclude each other")


@dataclass(frozen=True, slots=True)
class LevelPlayer:
    """The engine as an opponent of a level; each game derives its own from this.

    Args:
        level: its word.
        seed: of its noise.
        depth: of its search instead of the level's; None: the level's.
    """

    level: str
    seed: int
    depth: int | None = None

    @property
    def name(self) -> str:
        """The name of a player of this level."""
        deep = "" if self.depth is None else f" depth {self.depth}"
        return f"manyply {self.level}{deep}"
