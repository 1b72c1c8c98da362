"""Weights from games of a player that searches (strong_games.py)."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine_ext.othello.patterns import STAGE_COUNT, stage
from training.othello import TrainingError
from training.othello.chain import fit_and_report, packed, unpacked
from training.othello.fit import Boards, Plan, StageWeights, Values, empty_stage
from training.othello.strong_games import EMPTIES_COUNT, Batch, blended, load_batch


@dataclass(frozen=True)
class Sources:
    """The data of the training.

    Attributes:
        directories: of batches.
        share: of the next position's label in a label (strong_games.blended).
        is_followed: leave out labels of a search alone: moves not played, and positions whose
            next move was random.  A player's own error about the side to move would stay in them.
        left_min: positions of fewer empty squares are left out.
        reach: a stage learns from positions of so many empty squares beyond its own too.
    """

    directories: Sequence[Path]
    share: float = 0.9
    is_followed: bool = True
    left_min: int = 0
    reach: int = 0


EXACT = 14
"""Up to here values are exact."""


def empties_of(number: int) -> list[int]:
    """Return the numbers of empty squares of a stage, rising."""
    return [left for left in range(EMPTIES_COUNT) if stage(left) == number]


def stage_positions(
    batches: Sequence[Batch], number: int, sources: Sources
) -> tuple[Boards, Values]:
    """Return all positions for a stage and their labels, in the order of the batches.

    Raises:
        TrainingError: there are none.
    """
    boards, values = [], []
    own = empties_of(number)
    reached = range(own[0] - sources.reach, own[-1] + sources.reach + 1)
    lefts = [left for left in reached if sources.left_min <= left < EMPTIES_COUNT]
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
    if not any(map(len, boards)):
        raise TrainingError(
            f"no positions of {own[0]} to {own[-1]} empty squares: expected games in "
            f"{', '.join(map(str, sources.directories))}, or weights to go on from"
        )
    return np.concatenate(boards), np.concatenate(values)


def batches_of(directories: Sequence[Path]) -> list[Batch]:
    """Load all batches, by directory and number."""
    return [
        load_batch(path)
        for directory in directories
        for path in sorted(directory.glob("*.npz"), key=lambda path: int(path.stem))
    ]


def run(sources: Sources, plan: Plan, before: array[int] | None = None) -> array[int]:
    """Fit all stages from the last to the first, telling the error on positions held out.

    A stage's prior is the next one, or its weights `before`, those of a file: then stages all
    of whose positions are left out stay as they are.

    Raises:
        TrainingError: a stage has no positions.
    """
    batches = batches_of(sources.directories)
    kept = {} if before is None else unpacked(before)
    stages: dict[int, StageWeights] = {}
    for number in reversed(range(STAGE_COUNT)):
        if kept and max(empties_of(number)) < sources.left_min:
            stages[number] = kept[number]
            continue
        boards, values = stage_positions(batches, number, sources)
        prior = kept[number] if kept else stages.get(number + 1, empty_stage())
        stages[number] = fit_and_report(number, boards, values, prior, plan)
    return packed(stages)
