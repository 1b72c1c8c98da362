"""Play on from given positions and label the positions on the way.

Shards of positions become shards of positions with labels, made together by `games.follow`.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine_ext.backgammon.evaluate import Evaluator
from training.backgammon import games
from training.backgammon.shards import (
    Boards,
    Labels,
    label_path,
    labels_of,
    position_path,
    save_whole,
    shard_numbers,
)

STARTS_PER_CALL = 200
# Numbers of paths of one shard; shards of one seed use disjoint ones.
STARTS_PER_SHARD_MAX = 10_000_000


@dataclass(frozen=True)
class Trail:
    """How paths are played and labelled; the fields are explained in `games.follow`."""

    name: str = "followed"  # of the labels
    seed: int = 1
    most: int = 100_000  # positions a shard
    decay: float = 0.8
    random_one_in: int = 20
    random_loss_max: float = 9.0  # little: positions that were nearly chosen are met as well
    position_class: str = "contact"  # or "race": where paths end, and which net learns from them


def follow_shard(
    evaluator: Evaluator, sources: Boards, number: int, trail: Trail
) -> tuple[Boards, Labels]:
    """Follow starts drawn from a shard until there are enough positions."""
    order = np.random.default_rng([trail.seed, number]).permutation(len(sources))
    boards = np.empty((trail.most, 52), np.uint8)
    probs = np.empty((trail.most, 5))
    count = first = 0
    while count < trail.most and first < len(order):
        starts = sources[order[first : first + STARTS_PER_CALL]]
        count += games.follow(
            evaluator,
            starts,
            trail.seed,
            number * STARTS_PER_SHARD_MAX + first,
            trail.decay,
            trail.random_one_in,
            trail.random_loss_max,
            trail.position_class == "contact",
            boards[count:],
            probs[count:],
        )
        first += len(starts)
    return boards[:count], labels_of(probs[:count])


def follow(evaluator: Evaluator, source: Path, target: Path, shards: range, trail: Trail) -> None:
    """Write the shards of `target` that are not there yet, labels beside them."""
    for number in shard_numbers(source):
        path = label_path(target, trail.name, number)
        if number not in shards or path.exists():
            continue
        sources: Boards = np.load(position_path(source, number))
        boards, labels = follow_shard(evaluator, sources, number, trail)
        save_whole(position_path(target, number), boards)
        save_whole(path, labels)
        print(f"{path}: {len(labels)} labels", flush=True)
