"""Label positions with a teacher's cumulative probabilities.

Knows the teachers.  Teachers:

    bgsage-static    bgsage's static evaluation (its "1-ply"), some 150,000 positions/s and core
    bgsage-2ply      bgsage with one ply of look-ahead, some 1,300/s
    look-ahead       our own net with one ply of look-ahead (its name is given: a generation)

bgsage (MPL-2.0) is optional and only read here; nothing of it is shipped.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine_ext.backgammon.evaluate import Evaluator
from training.backgammon import games
from training.backgammon.shards import (
    Boards,
    Probs,
    label_path,
    labels_of,
    position_path,
    save_whole,
    shard_numbers,
)

Teacher = Callable[[Boards], Probs]

CHUNK = 20_000


def _signed_boards(boards: Boards) -> NDArray[np.int64]:
    """Turn boards into bgsage's: 26 signed points of the player on roll, bars at 25 and 0."""
    signed = np.zeros((len(boards), 26), np.int64)
    signed[:, 1:25] = boards[:, 1:25].astype(np.int64) - boards[:, 50:26:-1]
    signed[:, 25] = boards[:, 25]
    signed[:, 0] = boards[:, 51]
    return signed


def without_impossible_gammons(boards: Boards, probs: Probs) -> Probs:
    """Zero the gammons lost by a side that has borne a checker off."""
    can_be_lost = np.stack([boards[:, 26] == 0] * 2 + [boards[:, 0] == 0] * 2, 1)
    probs[:, 1:] *= can_be_lost
    return probs


def bgsage_teacher(plies: int) -> Teacher:
    """Make bgsage a teacher; `plies` in its own count, 1 = static."""
    import bgbot_cpp  # noqa: PLC0415  (an optional package: only this teacher needs it)
    from bgsage import default_weights  # noqa: PLC0415

    weights: Any = default_weights()
    paths, hidden = weights.weight_args
    strategy: Any = bgbot_cpp.create_strategy(weights.strategy_type, paths, hidden)
    if plies > 1:
        strategy = bgbot_cpp.create_multipy(
            weights.strategy_type,
            paths,
            hidden,
            n_plies=plies,
            parallel_evaluate=False,
            parallel_threads=0,
        )
    centred = bgbot_cpp.CubeOwner.CENTERED

    def probs_of_boards(boards: Boards) -> Probs:
        asked = [(board, 1, centred) for board in _signed_boards(boards).tolist()]
        answers = bgbot_cpp.batch_evaluate_positions(asked, strategy, 1)
        probs = np.array([answer["probs"] for answer in answers])
        return without_impossible_gammons(boards, probs)

    return probs_of_boards


def lookahead_teacher(evaluator: Evaluator) -> Teacher:
    """Make one ply of look-ahead of our own evaluation a teacher."""

    def probs_of_boards(boards: Boards) -> Probs:
        probs = np.empty((len(boards), 5))
        games.lookahead(evaluator, boards, probs)
        return probs

    return probs_of_boards


def label(directory: Path, name: str, teacher: Teacher, shards: range, most: int) -> None:
    """Label the shards that have no labels of that name yet; `most` positions of each."""
    for number in shard_numbers(directory):
        path = label_path(directory, name, number)
        if number not in shards or path.exists():
            continue
        boards: Boards = np.load(position_path(directory, number))[:most]
        parts = [teacher(boards[i : i + CHUNK]) for i in range(0, len(boards), CHUNK)]
        save_whole(path, labels_of(np.concatenate(parts)))
        print(f"{path}: {len(boards)} labels", flush=True)
