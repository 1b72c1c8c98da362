"""Weights without knowledge, for tests of what is done with them."""

from __future__ import annotations

import random
from array import array
from functools import cache

from engine_ext.othello.pattern_file import weights_to_bytes
from engine_ext.othello.patterns import (
    BIAS_COUNT,
    STAGE_COUNT,
    PatternEvaluation,
    canonical_numbers,
)


@cache
def random_weights() -> array[int]:
    """Any weights, -128 to 127 each."""
    count = STAGE_COUNT * (max(canonical_numbers()) + 1) + BIAS_COUNT
    return array("h", array("b", random.Random(1).randbytes(count)))


@cache
def random_evaluation() -> PatternEvaluation:
    return PatternEvaluation(weights_to_bytes(random_weights(), preset=0))
