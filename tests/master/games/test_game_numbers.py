"""Numbers of games."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.games.game_numbers import SPANS_MAX, GameNumbers

spans = st.lists(
    st.tuples(st.integers(1, 60), st.integers(0, 9)).map(lambda pair: (pair[0], sum(pair))),
    min_size=1, max_size=8,
)  # fmt: skip


@given(spans)
def test_chosen_numbers_are_those_of_the_spans(chosen: list[tuple[int, int]]) -> None:
    numbers = GameNumbers.from_text(",".join(f"{first}-{last}" for first, last in chosen))
    expected = {number for first, last in chosen for number in range(first, last + 1)}
    assert {number for number in range(100) if number in numbers} == expected
    assert numbers.last == max(expected)
    assert list(numbers.spans) == sorted(numbers.spans)


def test_spans_may_be_of_millions() -> None:
    numbers = GameNumbers.from_text("700, 1-900000000")
    assert numbers.spans == ((1, 900_000_000),)


@pytest.mark.parametrize("text", ["", "0", "3-1", "a", "1,,2", "-", "1-2-3", "²", "9" * 10])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected numbers of games from 1 on"):
        GameNumbers.from_text(text)
    with pytest.raises(ValueError, match="expected at most"):
        GameNumbers.from_text(",".join(["1"] * (SPANS_MAX + 1)))
