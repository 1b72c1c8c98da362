"""Make shards of unlike positions by self-play, one shard at a time."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine_ext.backgammon.evaluate import Evaluator
from training.backgammon import games
from training.backgammon.shards import Boards, position_path, save_whole
from training.backgammon.starts import race_start, special_start, starts

GAMES_PER_CALL = 500
# A game from any start lasts some 75 recorded positions; hopeless ones end at games.TURNS_MAX.
POSITIONS_PER_GAME_MAX = 800
# Shards of one seed use disjoint game numbers.
GAMES_PER_SHARD_MAX = 1_000_000
# Bear-offs with everybody home are in the tables and never reach a net: a few teach the border.
BEAROFF_KEPT = 0.1

_MIX = np.random.default_rng(52).integers(1, 2**63, size=52, dtype=np.uint64) | np.uint64(1)


def _keys(boards: Boards) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Hash each board to 64 bits (equal boards, equal keys)."""
    keys = np.zeros(len(boards), np.uint64)
    for slot in range(52):
        keys = (keys ^ boards[:, slot]) * _MIX[slot]
        keys ^= keys >> np.uint64(29)
    return keys


def _wanted(boards: Boards, seed: int, position_class: str) -> Boards:
    """Drop duplicates, other classes, and most positions of the bear-off tables."""
    _, first = np.unique(_keys(boards), return_index=True)
    boards = boards[np.sort(first)]
    classes = np.zeros(len(boards), np.uint8)
    games.classify_boards(boards, classes)
    lot = np.random.default_rng(seed).random(len(boards))
    kept = (classes < 2) | (lot < BEAROFF_KEPT)
    if position_class != "any":
        kept &= (classes == 0) == (position_class == "contact")
    return boards[kept]


@dataclass(frozen=True)
class Recipe:
    """The kind of positions in a shard."""

    size: int = 500_000
    special: float = 0.35  # share of games that begin from a rare plan, or from a set-up race
    random_one_in: int = 8  # one move in this many is random
    position_class: str = "any"  # or "contact" or "race"


def make_shard(evaluator: Evaluator | None, seed: int, number: int, recipe: Recipe) -> Boards:
    """Play games until enough positions are wanted; a pure function of its arguments."""
    kept: list[Boards] = []
    make_special = race_start if recipe.position_class == "race" else special_start
    buffer = np.empty((GAMES_PER_CALL * POSITIONS_PER_GAME_MAX, 52), np.uint8)
    game = number * GAMES_PER_SHARD_MAX
    while sum(map(len, kept)) < recipe.size:
        boards = starts(seed, game, GAMES_PER_CALL, recipe.special, make_special)
        count = games.self_play(evaluator, boards, seed, game, recipe.random_one_in, buffer)
        kept.append(_wanted(buffer[:count], game, recipe.position_class))
        game += GAMES_PER_CALL
    unlike = np.concatenate(kept)
    _, first = np.unique(_keys(unlike), return_index=True)
    return unlike[np.sort(first)][: recipe.size]


def generate(
    directory: Path, evaluator: Evaluator | None, seed: int, shards: range, recipe: Recipe
) -> None:
    """Write the shards that are not there yet."""
    for number in shards:
        path = position_path(directory, number)
        if path.exists():
            continue
        boards = make_shard(evaluator, seed, number, recipe)
        save_whole(path, boards)
        print(f"{path}: {len(boards)} positions", flush=True)
