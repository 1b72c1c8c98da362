"""The texts that show a running job of trials: its alternatives in rank order.

Includes the texts for games that define none of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from master.contract.views import JobView


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
