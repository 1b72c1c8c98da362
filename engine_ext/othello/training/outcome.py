"""Weights from games of a player that searches (strong_games.py).

Knows which positions and labels a stage is fitted to.  Must not know how games are played.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine_ext.othello.patterns import STAGE_COUNT, stage
from engine_ext.othello.training.chain import fit_and_tell, packed
from engine_ext.othello.training.fit import Boards, Plan, Stage, Values
from engine_ext.othello.training.strong_games import EMPTIES_COUNT, Batch, blended, load_batch


@dataclass(frozen=True)
class Sources:
    """What is learned from.

    Attributes:
        directories: of batches.
        share: of the next position's label in a label (strong_games.blended).
        is_followed: leave out what only a search has judged: moves not played, and positions whose
            next move was random.  A player's own error about the side to move would stay in them.
    """

    directories: Sequence[Path]
    share: float = 0.9
    is_followed: bool = True


EXACT = 14
"""Up to here values are exact, whatever follows."""


def stage_positions(
    batches: Sequence[Batch], number: int, sources: Sources
) -> tuple[Boards, Values]:
    """Return all positions of a stage and their labels, in the order of the batches."""
    boards, values = [], []
    lefts = [left for left in range(EMPTIES_COUNT) if stage(left) == number]
    for batch in batches:
        labels = blended(batch, sources.share)
        side_labels = batch.side_values.astype(np.float32)
        for left in lefts:
            is_all = not sources.is_followed or left <= EXACT
            is_there = batch.boards[:, left].any(axis=1) & (is_all | (batch.links[:, left] != 0))
            boards.append(batch.boards[is_there, left])
            values.append(labels[is_there, left])
            if is_all:
                is_there = batch.side_boards[:, left].any(axis=1)
                boards.append(batch.side_boards[is_there, left])
                values.append(side_labels[is_there, left])
    return np.concatenate(boards), np.concatenate(values)


def batches_of(directories: Sequence[Path]) -> list[Batch]:
    """Load all batches, by directory and number."""
    return [
        load_batch(path)
        for directory in directories
        for path in sorted(directory.glob("*.npz"), key=lambda path: int(path.stem))
    ]


def run(sources: Sources, plan: Plan) -> array[int]:
    """Fit all stages from the last to the first, telling the error on positions held out."""
    batches = batches_of(sources.directories)
    stages: dict[int, Stage] = {}
    for number in reversed(range(STAGE_COUNT)):
        boards, values = stage_positions(batches, number, sources)
        stages[number] = fit_and_tell(number, boards, values, stages, plan)
    return packed(stages)
