from array import array
from fractions import Fraction

import pytest

from master.fold.sums import RoundSums, counts_of, to_units, value_of

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


def test_counts_are_of_the_ranking_values_and_taken_off_again() -> None:
    sums = RoundSums(alternative_count=2, value_count=2, ranking_value=-1)
    rows = array("d", [9.0, 1.0, 9.0, 2.0, 9.0, 1.0, 9.0, 3.0])
    sums.add(rows)
    assert [sorted(counts.values()) for counts in sums.counts] == [[2], [1, 1]]
    assert [value_of(key) for counts in sums.counts for key in sorted(counts)] == [1.0, 2.0, 3.0]
    sums.add(rows[4:], sign=-1)
    assert [dict(counts) for counts in sums.counts] == [
        dict(counts_of(array("d", [value]))) for value in (1.0, 2.0)
    ]


def test_half_a_round_is_refused() -> None:
    with pytest.raises(AssertionError, match="whole rounds"):
        RoundSums(2, 1, 0).add(array("d", [1.0]))
