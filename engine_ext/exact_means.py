"""Means and standard errors of trial values, from exact integer sums.

Sums are in units of 2**-32; every trial value is a multiple of it.  Bit-exact: a mean is the
correctly rounded quotient of two integers, a standard error the correctly rounded square root
(IEEE sqrt) of such a quotient.
"""

from math import sqrt

SCALE_BITS = 32
"""See services.VALUE_SCALE."""


def mean(total: int, count: int) -> float:
    """Return total / count in units of 2**-32, correctly rounded."""
    return total / (count << SCALE_BITS)


def std_error(total: int, squares: int, count: int) -> float | None:
    """Return sqrt((E[x^2] - E[x]^2) / (count - 1)); None when count is 1.

    Args:
        total: sum of x, in units of 2**-32.
        squares: sum of x^2, in units of 2**-64.
        count: how many, at least 1.
    """
    if count == 1:
        return None
    return sqrt((count * squares - total * total) / (count * count * (count - 1) << 2 * SCALE_BITS))
