"""The texts by which a game shows its running jobs, and those for games that define none."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from master.contract.search_views import SearchView
from master.contract.views import JobView


class Outcome(NamedTuple):
    """One way a game ends.

    Args:
        name: for people.
        share: of all games; variance reduction may move it slightly below 0 or above 1.
        is_won: whether the player of the alternative wins; None: nobody wins or loses.
    """

    name: str
    share: float
    is_won: bool | None = None


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


PLAIN_SEARCH = SearchWords(
    plain_bracket,
    lambda view, path: [f"move {place + 1}" for place in path],
    lambda view, depth: f"{depth} deep",
)
"""The words of a game that has none of its own."""


class JobWords(NamedTuple):
    """One game's texts for its running jobs of trials.

    Args:
        rows: takes a view and the terminal's columns, and returns the headings and a line for each
            alternative, best first; at least one alternative has a whole round.
        best: the best alternative and its value, for one line of a log.
    """

    rows: Callable[[JobView, int], list[str]]
    best: Callable[[JobView], str]


def plain_rows(view: JobView, width: int) -> list[str]:
    """Return the value that ranks the alternatives, by its name, with its standard error."""
    names = view.alternative_names
    name_width = min(max(map(len, names)), max(0, width - 26))
    lines = [f"{'':{name_width + 4}}{view.value_names[-1]:>12}"]
    for rank, index in enumerate(_ranked(view), start=1):
        found = view.alternatives[index]
        error = found.std_errors[-1]
        text = f"{rank:>2}. {names[index][:name_width]:{name_width}}{found.means[-1]:z12.4f}"
        lines.append(text if error is None else f"{text} [{error:.4f}]")
    return lines


def plain_best(view: JobView) -> str:
    """Return the best alternative and its mean."""
    index = _ranked(view)[0]
    found = view.alternatives[index]
    error = found.std_errors[-1]
    tail = "" if error is None else f" [{error:.4f}]"
    return f"{view.alternative_names[index]} {found.means[-1]:z.4f}{tail}"


def _ranked(view: JobView) -> list[int]:
    found = view.alternatives
    return sorted(range(len(found)), key=lambda index: -found[index].diff_to_best)


PLAIN = JobWords(plain_rows, plain_best)
"""The words of a game that has none of its own."""
