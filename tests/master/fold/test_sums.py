from array import array
from fractions import Fraction

import pytest

from master.fold.sums import RoundSums, to_units

UNIT = 2.0**-32


def test_units_of_the_smallest_and_largest_values_are_exact() -> None:
    assert to_units((UNIT, -UNIT, 0.0, 1048575.5)) == [1, -1, 0, 1048575 * 2**32 + 2**31]


def test_sums_of_two_rounds_equal_those_done_by_fractions() -> None:
    rows = [0.5, UNIT, -3.25, 7 * UNIT, 1.0, 2.0, 0.75, -2 * UNIT]
    sums = RoundSums(alternative_count=2, value_count=2, ranking_value=-1)
    sums.add(array("d", rows))
    exact = [Fraction(x) * 2**32 for x in rows]
    assert sums.rounds == 2
    assert sums.sums == [exact[i] + exact[i + 4] for i in range(4)]
    assert sums.squares == [exact[i] ** 2 + exact[i + 4] ** 2 for i in range(4)]
    assert sums.products == [exact[1] * exact[3] + exact[5] * exact[7]]


def test_product_of_a_pair_is_found_in_either_order() -> None:
    sums = RoundSums(alternative_count=4, value_count=1, ranking_value=0)
    sums.add(array("d", [1.0, 2.0, 3.0, 5.0]))
    scale = 2**64
    for one in range(4):
        for other in range(4):
            if one != other:
                expected = (1, 2, 3, 5)[one] * (1, 2, 3, 5)[other] * scale
                assert sums.product(one, other) == expected


def test_half_a_round_is_refused() -> None:
    with pytest.raises(AssertionError, match="whole rounds"):
        RoundSums(2, 1, 0).add(array("d", [1.0]))
