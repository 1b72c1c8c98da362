"""Numbers as files hold them: the least significant byte first, on every host."""

from __future__ import annotations

import sys
from array import array


def little_endian(numbers: array[int]) -> array[int]:
    """Return the numbers in a file's byte order, or back: the swap is its own inverse.

    Hosts of that order get the same array, others one of their own.
    """
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers
