"""A rollout's result: the JSON object that stays stable, and a table for people.

Knows views of jobs and names; prints nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine_ext.backgammon.context import RolloutContext
from master.cli.output import signed
from master.cli.position_reports import PROB_NAMES, Report
from master.fold.summary import AlternativeSummary
from master.views import JobView


def rollout_report(view: JobView) -> Report:
    """Return the documented object; nothing in it depends on the fleet or the time."""
    context = RolloutContext.from_text(view.context)
    alternatives = zip(view.alternative_names, view.alternatives, strict=False)
    return {
        "job": view.job,
        "trials": round_count(view),
        "stopped_by": view.stopped_by or None,
        "seed": context.seed,
        "engine": view.engine,
        "alternatives": [
            {
                "name": name,
                "trials": alternative.trials,
                **_named_values(view.value_names, alternative.means),
                "std_error": _named_values(view.value_names, alternative.std_errors),
                "diff_to_best": alternative.diff_to_best,
                "diff_std_error": alternative.diff_std_error,
            }
            for name, alternative in alternatives
        ],
    }


def round_count(view: JobView) -> int:
    """Return the games folded of every alternative."""
    return view.alternatives[0].trials if view.alternatives else 0


def _named_values(names: Sequence[str], values: Sequence[float | None]) -> Report:
    named = dict(zip(names, values, strict=True))
    return {"probs": {name: named.pop(name) for name in PROB_NAMES}, **named}


def rollout_lines(view: JobView) -> list[str]:
    """Return the table's lines, best alternative first: values above their standard errors."""
    if not view.alternatives:
        return ["no trial of every alternative is finished yet"]
    names = view.alternative_names
    order = sorted(range(len(names)), key=lambda i: -view.alternatives[i].diff_to_best)
    width = max(len(name) for name in names)
    indent = " " * (width + 5)
    lines = [indent + "   Win    W g   W bg     Lose    L g   L bg  Cubeless  Cubeful     Diff"]
    for rank, index in enumerate(order, start=1):
        alternative = view.alternatives[index]
        lines += _alternative_lines(f"{rank:2}. {names[index]:{width}} ", indent, alternative)
    return lines


def _alternative_lines(head: str, indent: str, alternative: AlternativeSummary) -> list[str]:
    win, *_ = alternative.means
    line = f" {_prob_row(alternative.means, 1 - win)}"
    line += "".join(f" {signed(value):>8}" for value in alternative.means[5:])
    errors = tuple(error or 0.0 for error in alternative.std_errors)
    error_line = f"[{_prob_row(errors, errors[0])}"
    error_line += "".join(f" {value:8.4f}" for value in errors[5:])
    if alternative.diff_std_error is not None and alternative.diff_to_best != 0:
        line += f" {signed(alternative.diff_to_best):>8}"
        error_line += f" {alternative.diff_std_error:8.4f}"
    return [head + line, f"{indent}{error_line}]"]


def _prob_row(values: Sequence[float], lose: float) -> str:
    win, win_g, win_bg, lose_g, lose_bg = values[:5]
    return f"{win:.4f} {win_g:.4f} {win_bg:.4f} - {lose:.4f} {lose_g:.4f} {lose_bg:.4f} "
