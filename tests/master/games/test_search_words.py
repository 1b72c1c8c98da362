"""What is said of a search whose game has no words."""

import pytest

from master.contract.search_views import SearchView
from master.games.search_words import PLAIN


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [
        (None, None, "value unknown"),
        (None, 10, "value at most 10"),
        (2, None, "value at least 2"),
        (2, 4, "value 2 to 4"),
        (-3, -3, "value -3"),
    ],
)
def test_bracket_says_what_is_proved(lower: int | None, upper: int | None, text: str) -> None:
    assert PLAIN.bracket(SearchView(lower=lower, upper=upper)) == text


def test_moves_count_from_one_and_depths_are_numbers() -> None:
    assert PLAIN.moves(SearchView(), (0, 4)) == ["move 1", "move 5"]
    assert PLAIN.depth(SearchView(), 7) == "7 deep"
