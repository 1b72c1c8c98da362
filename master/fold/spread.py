"""The spread of trials' values: counts of rounded values, and their quantiles.

A value counts as rounded to SIGNIFICANT_BITS, ties away from nought: whole numbers up to 512 as
themselves, others within 0.2 %. So a job of any length has some thousand counts. Bit-exact: only
whole numbers are counted.
"""

import struct
from array import array
from collections import Counter
from collections.abc import Mapping

SIGNIFICANT_BITS = 9
"""More bits would be noise: of 10,000 trials a median is seldom known to 1 %."""

QUANTILE_STEPS = 20
"""Quantiles are those of every 5 %, from the least value to the greatest."""

_DROPPED_BITS = 53 - SIGNIFICANT_BITS
"""Of the last bits of a double: one bit of its 53 is not written down."""

_HALF = 1 << (_DROPPED_BITS - 1)
_MINUS_NOUGHT = 1 << (63 - _DROPPED_BITS)


def counts_of(values: "array[float]") -> Counter[int]:
    """Return how many of the values are the same when rounded, by the first bits of their doubles.

    Source: IEEE 754, binary64; a carry out of the mantissa raises the exponent.
    """
    bits = memoryview(values).cast("B").cast("Q")
    counts = Counter([(each + _HALF) >> _DROPPED_BITS for each in bits])
    if _MINUS_NOUGHT in counts:
        counts[0] += counts.pop(_MINUS_NOUGHT)
    return counts


def value_of(key: int) -> float:
    """Return the rounded value of a key of `counts_of`."""
    (value,) = struct.unpack("<d", struct.pack("<Q", key << _DROPPED_BITS))
    return float(value)


def quantiles(counts: Mapping[int, int]) -> tuple[float, ...]:
    """Return the QUANTILE_STEPS + 1 quantiles of rounded values; none of no value.

    That of a share is the least value which so large a share of the values does not exceed.
    """
    total = sum(counts.values())
    found: list[float] = []
    passed = 0
    for value, count in sorted((value_of(key), count) for key, count in counts.items()):
        passed += count
        while len(found) <= QUANTILE_STEPS and _rank(len(found), total) <= passed:
            found.append(value)
    return tuple(found)


def _rank(step: int, total: int) -> int:
    """Return which of the values, counted from 1 and the least, is a step's quantile."""
    return max(1, -(-step * total // QUANTILE_STEPS))
