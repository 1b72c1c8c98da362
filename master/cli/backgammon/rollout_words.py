"""The display of a running rollout: chances and equities of the alternatives, best first."""

from __future__ import annotations

from master.cli.output import signed, unsigned
from master.contract.views import AlternativeSummary, JobView
from master.games.job_words import JobWords

NAME_WIDTH_MAX = 32
"""A move with four steps and hits; longer names are cut."""

WIN_WIDTH = 8
PROBS_WIDTH = 36
"""Columns for gammons and backgammons; left out on a terminal without that much room."""


def ranked(view: JobView) -> list[int]:
    """Return the alternatives' indices, best first; of equals the better cubeless one first.

    Those that are out of contention come last, those that were out first at the end.
    """

    def place(index: int) -> tuple[int, float, list[float]]:
        found = view.alternatives[index]
        return -found.trials, -found.diff_to_best, [-mean for mean in found.means[-2:-1]]

    return sorted(range(len(view.alternatives)), key=place)


def rollout_rows(view: JobView, width: int) -> list[str]:
    """Return headings and a line for each alternative, best first."""
    name_width = min(NAME_WIDTH_MAX, max(len(name) for name in view.alternative_names))
    narrow_width = 4 + 18 + (18 if len(view.alternatives) > 1 else 0)
    is_wide = width >= narrow_width + name_width + WIN_WIDTH + PROBS_WIDTH
    has_win = width >= narrow_width + name_width + WIN_WIDTH
    name_width = max(0, min(name_width, width - narrow_width))
    heading = f"{'':{name_width + 4}}" + (f"{'Win':>8}" if has_win else "")
    if is_wide:
        heading += f"{'W g':>9}{'W bg':>9}{'L g':>9}{'L bg':>9}"
    heading += f"{'Cubeful':>9}{'':9}" + (f"{'Diff':>9}" if len(view.alternatives) > 1 else "")
    lines = [heading]
    for rank, index in enumerate(ranked(view), start=1):
        name = view.alternative_names[index][:name_width]
        numbers = _numbers(view.alternatives[index], has_win=has_win, is_wide=is_wide)
        lines.append(f"{rank:>2}. {name:{name_width}}{numbers}")
    return lines


def _numbers(alternative: AlternativeSummary, *, has_win: bool, is_wide: bool) -> str:
    win, *others = alternative.means[:5]
    text = (f"{win:z8.4f}" if has_win else "") + (
        "".join(f"{value:z9.4f}" for value in others) if is_wide else ""
    )
    text += f"{alternative.means[-1]:+z9.4f} [{unsigned(alternative.std_errors[-1])}]"
    if alternative.diff_to_best != 0:
        text += f"{alternative.diff_to_best:+z9.4f} [{unsigned(alternative.diff_std_error)}]"
    return text


def best_play(view: JobView) -> str:
    """Return the best alternative with its equity."""
    best = ranked(view)[0]
    alternative = view.alternatives[best]
    equity, error = signed(alternative.means[-1]), unsigned(alternative.std_errors[-1])
    return f"{view.alternative_names[best]} {equity} [{error.strip()}]"


WORDS = JobWords(rollout_rows, best_play)
