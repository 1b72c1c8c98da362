"""Least squares for the weights of one stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine_ext.othello.pattern_shapes import PLACES
from engine_ext.othello.patterns import BIAS_COUNT, canonical_numbers, fill_indices

Boards = npt.NDArray[np.uint64]
Values = npt.NDArray[np.float32]


@dataclass(frozen=True)
class StageWeights:
    """Weights of one stage, in 1/100 disc: of the patterns in canonical order, and of empties."""

    weights: Values
    bias: Values


def empty_stage() -> StageWeights:
    """Return a stage without knowledge."""
    count = max(canonical_numbers()) + 1
    return StageWeights(np.zeros(count, np.float32), np.zeros(BIAS_COUNT, np.float32))


def features(boards: Boards) -> npt.NDArray[np.uint32]:
    """Return the canonical numbers of each board's patterns: uint32[n, 46]."""
    indices = np.empty((len(boards), len(PLACES)), np.uint32)
    fill_indices(np.ascontiguousarray(boards), indices)
    return np.frombuffer(canonical_numbers(), np.uint32)[indices]


def empties(boards: Boards) -> npt.NDArray[np.intp]:
    """Return how many squares of each board are empty."""
    left: npt.NDArray[np.intp] = np.asarray(
        64 - np.bitwise_count(boards[:, 0] | boards[:, 1]), np.intp
    )
    return left


def predict(
    stage: StageWeights, numbers: npt.NDArray[np.uint32], left: npt.NDArray[np.intp]
) -> Values:
    """Return the value of each board, not rounded."""
    total: Values = stage.weights[numbers].sum(axis=1, dtype=np.float32) + stage.bias[left]
    return total


@dataclass(frozen=True)
class Plan:
    """How to fit.

    Attributes:
        ridge: weight of the prior, as so many positions that have a pattern.
        iterations: of conjugate gradients.
    """

    ridge: float = 4.0
    iterations: int = 40


def fit(boards: Boards, values: Values, prior: StageWeights, plan: Plan) -> StageWeights:
    """Minimise the squared error plus `ridge` times the squared distance to the prior.

    Conjugate gradients on the normal equations, scaled by how often a pattern occurs.  A pattern
    that no board has keeps the prior's weight.
    """
    numbers, left = features(boards), empties(boards)
    columns = np.concatenate([numbers, (len(prior.weights) + left)[:, None].astype(np.uint32)], 1)
    count = len(prior.weights) + BIAS_COUNT
    flat = columns.ravel()
    seen = np.bincount(flat, minlength=count).astype(np.float32)
    scale = np.float32(1) / (seen + np.float32(plan.ridge))

    def transposed(rows: Values) -> Values:
        repeated = np.repeat(rows, columns.shape[1])
        return np.bincount(flat, weights=repeated, minlength=count).astype(np.float32)

    def normal(change: Values) -> Values:
        product: Values = transposed(change[columns].sum(axis=1, dtype=np.float32))
        return product + np.float32(plan.ridge) * change

    residual = transposed(values - predict(prior, numbers, left))
    change = _conjugate_gradients(normal, residual, scale, plan.iterations)
    return StageWeights(
        prior.weights + change[: len(prior.weights)], prior.bias + change[len(prior.weights) :]
    )


def _conjugate_gradients(
    normal: Callable[[Values], Values], residual: Values, scale: Values, iterations: int
) -> Values:
    """Solve normal(x) = residual from x = 0, preconditioned by `scale`."""
    x = np.zeros_like(residual)
    scaled = scale * residual
    direction, power = scaled, float(residual @ scaled)
    for _ in range(iterations):
        image = normal(direction)
        length = np.float32(power / float(direction @ image))
        x = x + length * direction
        residual = residual - length * image
        scaled = scale * residual
        power, before = float(residual @ scaled), power
        if power < 1e-6:
            break
        direction = scaled + np.float32(power / before) * direction
    return x
