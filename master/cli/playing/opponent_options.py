"""Options that choose the engine's strength as an opponent, the same in every game."""

from __future__ import annotations

import random

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
