"""Parts' numbers on the wire."""

from hypothesis import given
from hypothesis import strategies as st

from master.search.running.search_sessions import (
    PARTS_MAX,
    SEARCH_PART_FIRST,
    SEARCHES_MAX,
    from_wire,
    to_wire,
)
from protocol.messages import NUMBER_MAX


@given(st.integers(0, SEARCHES_MAX - 1), st.integers(0, PARTS_MAX - 1))
def test_number_says_which_search_a_part_is_of(search: int, part: int) -> None:
    assert from_wire(to_wire(search, part)) == (search, part)


def test_numbers_are_the_protocols_and_above_those_of_jobs() -> None:
    assert to_wire(0, 0) == SEARCH_PART_FIRST
    assert to_wire(SEARCHES_MAX - 1, PARTS_MAX - 1) == NUMBER_MAX
    assert to_wire(SEARCHES_MAX, 5) == to_wire(0, 5)
