"""Make positions by self-play; one shard at a time.

Knows how games become shards of unlike positions.  Must not know labels.
"""

from pathlib import Path

import numpy as np

from engine_ext.backgammon.evaluate import Evaluator
from engine_ext.backgammon.training import games
from engine_ext.backgammon.training.shards import Boards, position_path, save_whole
from engine_ext.backgammon.training.starts import starts

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


def _wanted(boards: Boards, seed: int) -> Boards:
    """Drop duplicates and most of the positions that the bear-off tables answer."""
    _, first = np.unique(_keys(boards), return_index=True)
    boards = boards[np.sort(first)]
    classes = np.zeros(len(boards), np.uint8)
    games.classify_boards(boards, classes)
    lot = np.random.default_rng(seed).random(len(boards))
    return boards[(classes < 2) | (lot < BEAROFF_KEPT)]


def make_shard(
    evaluator: Evaluator | None,
    seed: int,
    number: int,
    size: int,
    special: float,
    random_one_in: int,
) -> Boards:
    """Play games until `size` positions are wanted; a pure function of its arguments."""
    kept: list[Boards] = []
    buffer = np.empty((GAMES_PER_CALL * POSITIONS_PER_GAME_MAX, 52), np.uint8)
    game = number * GAMES_PER_SHARD_MAX
    while sum(map(len, kept)) < size:
        boards = starts(seed, game, GAMES_PER_CALL, special)
        count = games.self_play(evaluator, boards, seed, game, random_one_in, buffer)
        kept.append(_wanted(buffer[:count], game))
        game += GAMES_PER_CALL
    return _wanted(np.concatenate(kept), game)[:size]


def generate(
    directory: Path,
    evaluator: Evaluator | None,
    seed: int,
    shards: range,
    size: int,
    special: float,
    random_one_in: int,
) -> None:
    """Write the shards that are not there yet."""
    for number in shards:
        path = position_path(directory, number)
        if path.exists():
            continue
        boards = make_shard(evaluator, seed, number, size, special, random_one_in)
        save_whole(path, boards)
        print(f"{path}: {len(boards)} positions", flush=True)
