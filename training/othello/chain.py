"""The whole chain: positions, labels and weights, from the end of the game to its beginning.

Knows the order of the work.  Labels with few empty squares are exact; those before look ahead with
the weights fitted so far, which reach the later stages where these are known.  Everything is
seeded, and each stage's labels are kept, so that a broken run goes on where it was.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.pattern_file import weights_to_bytes
from engine_ext.othello.patterns import BIAS_COUNT, STAGE_COUNT, PatternEvaluation, stage
from training.othello.fit import (
    Boards,
    Plan,
    StageWeights,
    Values,
    empties,
    empty_stage,
    features,
    fit,
    predict,
)
from training.othello.positions import label_by_search, label_exactly, play_games

EMPTIES_MAX = 56
"""Before the fourth move there is nothing to learn."""

EMPTIES_MIN = 1
BATCH_GAMES = 20000
HELD_OUT_ONE_IN = 20


@dataclass(frozen=True)
class Recipe:
    """The settings of a run.

    Attributes:
        seed: of the games.
        count: positions for each number of empty squares.
        exact: labels are exact up to so many empty squares.
        depth: of the look-ahead that labels the others.
        random_plies_max, random_one_in, noise: how the games are played (positions.pyx).
    """

    seed: int = 1
    count: int = 25000
    exact: int = 14
    depth: int = 4
    random_plies_max: int = 30
    random_one_in: int = 12
    noise: int = 40


def positions(player: Evaluation, recipe: Recipe) -> dict[int, Boards]:
    """Return up to `count` unlike positions for each number of empty squares."""
    found: dict[int, list[Boards]] = {left: [] for left in range(EMPTIES_MIN, EMPTIES_MAX + 1)}
    batches = -(-recipe.count // BATCH_GAMES)
    for batch in range(batches + batches // 8 + 1):
        boards = np.zeros((BATCH_GAMES, 61, 2), np.uint64)
        play_games(
            player, recipe.seed, batch * BATCH_GAMES, boards,
            random_plies_max=recipe.random_plies_max, random_one_in=recipe.random_one_in,
            noise=recipe.noise,
        )  # fmt: skip
        for left, parts in found.items():
            parts.append(boards[boards[:, left].any(axis=1), left])
    return {left: _unlike(np.concatenate(parts), recipe.count) for left, parts in found.items()}


def _unlike(boards: Boards, count: int) -> Boards:
    """Drop repeated boards, keep the order of the games."""
    _, first = np.unique(boards, axis=0, return_index=True)
    return np.ascontiguousarray(boards[np.sort(first)[:count]])


def labels(boards: Boards, left: int, judge: Evaluation | None, recipe: Recipe) -> Values:
    """Label boards that have `left` empty squares; `judge` knows the positions it looks at."""
    values = np.zeros(len(boards), np.int16)
    if left <= recipe.exact or judge is None:
        label_exactly(boards, values)
    else:
        label_by_search(judge, boards, recipe.depth, values)
    return values.astype(np.float32)


def evaluation(stages: dict[int, StageWeights]) -> PatternEvaluation:
    """Round the weights; stages not fitted yet have none."""
    return PatternEvaluation(weights_to_bytes(packed(stages), preset=0))


def packed(stages: dict[int, StageWeights]) -> array[int]:
    """Return the weights in the order of a weight file."""
    empty = empty_stage()
    rows = [stages.get(number, empty).weights for number in range(STAGE_COUNT)]
    bias = np.zeros(BIAS_COUNT, np.float32)
    for left in range(BIAS_COUNT):
        bias[left] = stages.get(stage(left), empty).bias[left]
    whole = np.clip(np.rint(np.concatenate([*rows, bias])), -32767, 32767).astype(np.int16)
    return array("h", whole.tobytes())


def unpacked(weights: array[int]) -> dict[int, StageWeights]:
    """Return the stages of a weight file; each knows the whole file's bias."""
    whole = np.array(weights, np.float32)
    rows = whole[:-BIAS_COUNT].reshape(STAGE_COUNT, -1)
    return {number: StageWeights(row, whole[-BIAS_COUNT:]) for number, row in enumerate(rows)}


def mean(files: Sequence[array[int]]) -> array[int]:
    """Return the mean of the weights of files, halves rounded to even."""
    whole = np.mean([np.array(weights, np.float64) for weights in files], axis=0)
    return array("h", np.rint(whole).astype(np.int16).tobytes())


def run(directory: Path, player: Evaluation, recipe: Recipe, plan: Plan) -> array[int]:
    """Fit all stages, printing the error of each on positions held out."""
    directory.mkdir(parents=True, exist_ok=True)
    boards = positions(player, recipe)
    stages: dict[int, StageWeights] = {}
    for number in reversed(range(STAGE_COUNT)):
        mine = [left for left in boards if stage(left) == number and len(boards[left])]
        if not mine:
            continue
        judge = evaluation(stages) if stages else None
        rows = np.concatenate([boards[left] for left in mine])
        values = np.concatenate(
            [_kept(directory / f"{left}.npy", boards[left], left, judge, recipe) for left in mine]
        )
        prior = stages.get(number + 1, empty_stage())
        stages[number] = fit_and_report(number, rows, values, prior, plan)
    _extend(stages)
    return packed(stages)


def _extend(stages: dict[int, StageWeights]) -> None:
    """Give the first stage, of positions not learned from, the weights of the next."""
    first = min(stages)
    for number in range(first):
        stages[number] = stages[first]


def _kept(
    path: Path, boards: Boards, left: int, judge: Evaluation | None, recipe: Recipe
) -> Values:
    """Return the labels of a file, or make them and the file."""
    if path.exists():
        kept: Values = np.load(path)
        if len(kept) == len(boards):
            return kept
    values = labels(boards, left, judge, recipe)
    np.save(path, values)
    return values


def fit_and_report(
    number: int, boards: Boards, values: Values, prior: StageWeights, plan: Plan
) -> StageWeights:
    """Fit a stage to all but those held out, and print the error on these."""
    is_held_out = np.arange(len(boards)) % HELD_OUT_ONE_IN == 0
    fitted = fit(boards[~is_held_out], values[~is_held_out], prior, plan)
    apart = boards[is_held_out]
    guess = predict(fitted, features(apart), empties(apart))
    error = float(np.abs(guess - values[is_held_out]).mean())
    spread = float(np.abs(values[is_held_out] - values.mean()).mean())
    print(
        f"stage {number}: {len(boards)} positions, mean absolute error {error / 100:.2f} discs "
        f"(of labels {spread / 100:.2f})",
        flush=True,
    )
    return fitted
