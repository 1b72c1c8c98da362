import math
from array import array
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.fold.sums import QUANTILE_STEPS, counts_of, quantiles, value_of

values = st.integers(-(2**52) + 1, 2**52 - 1).map(lambda units: units / 2**32)


@given(values)
def test_value_counts_within_a_512th_of_itself(value: float) -> None:
    (key,) = counts_of(array("d", [value]))
    assert abs(value_of(key) - value) <= abs(value) / 512


@given(st.integers(-512, 512), st.integers(-32, 10))
def test_number_of_nine_bits_counts_as_itself(number: int, power: int) -> None:
    value = math.ldexp(number, power)
    assert [value_of(key) for key in counts_of(array("d", [value]))] == [value]


def test_tie_is_rounded_away_from_nought_and_both_noughts_are_one() -> None:
    counts = counts_of(array("d", [513.0, -513.0, 1023.0, 0.0, -0.0]))
    assert {value_of(key): n for key, n in counts.items()} == {514: 1, -514: 1, 1024: 1, 0: 2}


@given(st.lists(values, min_size=1, max_size=50), st.lists(values, max_size=50))
def test_counts_of_parts_add_up(one: list[float], other: list[float]) -> None:
    whole = counts_of(array("d", one + other))
    assert counts_of(array("d", one)) + counts_of(array("d", other)) == whole
    assert sum(whole.values()) == len(one + other)


@given(st.lists(st.integers(-512, 512), min_size=1, max_size=99))
def test_quantile_of_a_share_is_the_least_that_so_many_do_not_exceed(numbers: list[int]) -> None:
    found = quantiles(counts_of(array("d", numbers)))
    assert len(found) == QUANTILE_STEPS + 1
    assert (found[0], found[-1]) == (min(numbers), max(numbers))
    for step, value in enumerate(found):
        share = step * len(numbers)
        assert QUANTILE_STEPS * sum(number <= value for number in numbers) >= share
        if step:
            assert QUANTILE_STEPS * sum(number < value for number in numbers) < share


@pytest.mark.parametrize(
    ("numbers", "median"), [([4], 4), ([1, 2], 1), ([1, 2, 3], 2), ([7, 1, 3, 5], 3)]
)
def test_median_is_the_lower_of_two(numbers: list[int], median: int) -> None:
    assert quantiles(counts_of(array("d", numbers)))[QUANTILE_STEPS // 2] == median


def test_nothing_has_no_quantiles() -> None:
    assert quantiles(Counter()) == ()
