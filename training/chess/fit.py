"""Fit the evaluation's terms to games and to the search's values of their positions.

Source: logistic regression as P. Österlund's tuning of Texel does it, by Adam (Kingma and
Ba, 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine_ext.chess.fen import read_fen
from engine_ext.chess.terms import Term
from training.chess.counts import term_counts
from training.chess.games import Sample

PHASE_MAX = 24

SCALE = 260.0
"""Centipawns that multiply the odds of winning by e, near enough; a pawn is then about 100."""

RESULT_SHARE = 0.4
"""The share of the game's result in the target; the rest is the search's value."""

BATCH = 8192

RATE = 2.0
"""Adam's step, in centipawns."""

DECAY = 1e-9
"""Of the terms' squares, so that rare terms stay as they were."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Data:
    """Samples as numbers: counts and phases as `term_counts` has them, targets 0 to 1."""

    counts: NDArray[np.int8]
    phases: Floats
    targets: Floats


def odds(values: Floats) -> Floats:
    """Return the expected result of values in centipawns."""
    return _floats(1 / (1 + np.exp(-values / np.float32(SCALE))))


def to_data(samples: Iterable[Sample]) -> Data:
    """Return samples as numbers."""
    kept = list(samples)
    counts, phases = term_counts([read_fen(each.fen) for each in kept])
    said = odds(np.array([each.value for each in kept], dtype=np.float32))
    results = np.array([each.result for each in kept], dtype=np.float32)
    targets = RESULT_SHARE * results + (1 - RESULT_SHARE) * said
    return Data(counts, _floats(phases) / np.float32(PHASE_MAX), _floats(targets))


def to_weights(terms: Iterable[Term]) -> Floats:
    """Return terms as [terms, 2]: early and late."""
    return np.array(list(terms), dtype=np.float32)


def _floats(numbers: NDArray[Any]) -> Floats:
    return numbers.astype(np.float32)


def loss(data: Data, weights: Floats) -> float:
    """Return the mean square error."""
    total = 0.0
    for first in range(0, len(data.targets), BATCH):
        _, missed = _missed(data, slice(first, first + BATCH), weights)
        total += float(np.sum(missed**2))
    return total / len(data.targets)


def _missed(data: Data, rows: slice | NDArray[np.int64], weights: Floats) -> tuple[Floats, Floats]:
    counts = data.counts[rows].astype(np.float32)
    phases = data.phases[rows]
    sums = counts @ weights
    values = sums[:, 0] * phases + sums[:, 1] * (1 - phases)
    return counts, odds(values) - data.targets[rows]


def fit(
    data: Data, terms: Iterable[Term], epochs: int, say: Callable[[int, float], None]
) -> list[Term]:
    """Return the terms that fit best.

    Args:
        data: the positions that they are fitted to.
        terms: where to begin.
        epochs: how often each sample is seen; the steps shrink to nothing.
        say: told each epoch's number and the loss after it.
    """
    begun = to_weights(terms)
    weights = begun.copy()
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    chance = np.random.default_rng(1)
    step = 0
    for epoch in range(epochs):
        order = chance.permutation(len(data.targets))
        rate = RATE * 0.5 * (1 + np.cos(np.pi * epoch / epochs))
        for start in range(0, len(order), BATCH):
            step += 1
            rows = order[start : start + BATCH]
            slope = _slope(data, rows, weights) + DECAY * (weights - begun)
            first = _floats(0.9 * first + 0.1 * slope)
            second = _floats(0.999 * second + 0.001 * slope**2)
            moved = first / (1 - 0.9**step)
            weights -= rate * moved / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        say(epoch, loss(data, weights))
    return [(round(float(early)), round(float(late))) for early, late in weights]


def _slope(data: Data, rows: NDArray[np.int64], weights: Floats) -> Floats:
    counts, missed = _missed(data, rows, weights)
    expected = missed + data.targets[rows]
    by_value = 2 * missed * expected * (1 - expected) / (SCALE * len(rows))
    phases = data.phases[rows]
    shares = np.stack([by_value * phases, by_value * (1 - phases)], axis=1)
    return np.asarray(counts.T @ shares, dtype=np.float32)
