"""The texts that show a running search: values, moves and depths.

Includes the texts for games that define none of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from master.contract.search_views import SearchView


class SearchWords(NamedTuple):
    """One game's texts for its searches.

    Args:
        bracket: the proved bounds of the value, such as `value at least +2`.
        moves: the names of moves given by their indices, from the view's position on.
        depth: the depth of a part's search, such as `12 moves deep`.
    """

    bracket: Callable[[SearchView], str]
    moves: Callable[[SearchView, tuple[int, ...]], list[str]]
    depth: Callable[[SearchView, int], str]


def plain_bracket(view: SearchView) -> str:
    """Return the proved bounds of a value, as plain numbers."""
    lower, upper = view.lower, view.upper
    if lower is None:
        return "value unknown" if upper is None else f"value at most {upper}"
    if upper is None:
        return f"value at least {lower}"
    return f"value {lower}" if lower == upper else f"value {lower} to {upper}"


PLAIN = SearchWords(
    plain_bracket,
    lambda view, path: [f"move {place + 1}" for place in path],
    lambda view, depth: f"{depth} deep",
)
"""The words of a game that has none of its own."""
