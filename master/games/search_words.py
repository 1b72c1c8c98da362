"""What a game says of a running search of it: values, moves and depths, for displays.

Knows views of searches, and how they read where a game says nothing. Must not know any game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from master.contract.search_views import SearchView


class SearchWords(NamedTuple):
    """How one game's searches read.

    Args:
        bracket: what is proved of the value, such as `value at least +2`.
        moves: the names of moves that their places name, from the view's position on.
        depth: how deep a part is searched, such as `12 moves deep`.
    """

    bracket: Callable[[SearchView], str]
    moves: Callable[[SearchView, tuple[int, ...]], list[str]]
    depth: Callable[[SearchView, int], str]


def plain_bracket(view: SearchView) -> str:
    """Return what is proved of a value, as plain numbers."""
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
