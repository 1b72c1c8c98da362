"""What every game's words of searches have in common."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.search.running.wording import Proved, WordingError

VALUES = st.integers(-9, 9)
PAIRS = st.tuples(VALUES, VALUES).map(lambda pair: (min(pair), max(pair)))


def proved(lower: int, upper: int) -> Proved:
    return Proved(lower, upper, 1, None, ())


@given(PAIRS, PAIRS.filter(lambda pair: pair[0] < pair[1]))
def test_window_is_settled_when_every_value_that_is_left_looks_the_same_in_it(
    bounds: tuple[int, int], window: tuple[int, int]
) -> None:
    lower, upper = bounds
    alpha, beta = window
    probes = {min(max(value, alpha), beta) for value in range(lower, upper + 1)}
    assert proved(lower, upper).settles(alpha, beta) is (len(probes) == 1)


def test_what_proves_nothing_settles_no_window() -> None:
    assert not proved(-VALUE_LIMIT, VALUE_LIMIT).settles(-1, 0)


@given(PAIRS, st.tuples(VALUES, VALUES).filter(lambda pair: pair[0] < pair[1]))
def test_more_proof_settles_no_less(bounds: tuple[int, int], window: tuple[int, int]) -> None:
    lower, upper = bounds
    if proved(lower, upper).settles(*window):
        assert all(proved(value, upper).settles(*window) for value in range(lower, upper + 1))
        assert all(proved(lower, value).settles(*window) for value in range(lower, upper + 1))


def test_text_that_makes_no_sense_is_a_value_error_with_a_line_for_people() -> None:
    with pytest.raises(ValueError, match="a line for people") as caught:
        raise WordingError("a line for people")
    assert str(caught.value) == "a line for people"
