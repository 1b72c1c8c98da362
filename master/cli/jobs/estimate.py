"""Progress of a job, the work that is left, and the time for it: arithmetic and short texts."""

from __future__ import annotations

from master.contract.views import JobView
from master.games.table import front_of
from master.reports.job_table import round_count

RATE_RESULTS_MIN = 25
"""Results needed for a rate: with so few its error is a fifth, by their number alone."""

ERROR_TRIALS_MIN = 100
"""Games of each alternative needed for an estimate of further games from the standard error, to a
seventh."""


def largest_std_error(view: JobView) -> float | None:
    """Return the largest standard error of the alternatives' equities; None: none is known."""
    errors = [alternative.std_errors[-1] for alternative in view.alternatives]
    known = [error for error in errors if error is not None]
    return max(known) if known and len(known) == len(errors) else None


def trials_needed(view: JobView) -> float | None:
    """Return how many games of each alternative the job will have at its end, if that is known.

    A standard error falls with the square root of the games.
    """
    if view.stop_se is None:
        return view.trials
    error = largest_std_error(view)
    if not error:
        return None
    needed = round_count(view) * max(1.0, (error / view.stop_se) ** 2)
    return needed if view.trials is None else min(needed, view.trials)


def seconds_left(view: JobView) -> float | None:
    """Return the time that the job will still run at its rate; None: not known yet."""
    needed = trials_needed(view)
    is_known = view.folded + view.held >= RATE_RESULTS_MIN
    if view.stop_se is not None and round_count(view) < ERROR_TRIALS_MIN:
        is_known = False
    if not is_known or needed is None or view.trials_per_s <= 0:
        return None
    if view.stop_settled is not None:
        return None  # it ends when it is settled; that time is not known
    left = needed * len(view.alternative_names) - view.folded - view.held
    return max(0.0, left / view.trials_per_s)


def duration(seconds: float) -> str:
    """Return a time in words: 42 s, 3 min 20 s, 5 h 12 min."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def advance(view: JobView, *, is_short: bool = False) -> str:
    """Return trials done, rate and time left: `98/1296 trials each, 135/s, 44 s left`.

    Where that is too long, `98/1296, 44 s left`.
    """
    parts = [f"{round_count(view)}{_goal(view)}" + ("" if is_short else _each(view))]
    if not is_short:
        parts.append(f"{view.trials_per_s:.0f}/s")
    left = seconds_left(view)
    if left is not None:
        parts.append(f"{duration(left)} left")
    return ", ".join(parts)


def _goal(view: JobView) -> str:
    """Return the goal of the trials, as a text to follow their count."""
    if view.stop_se is None:
        most = "<=" if view.stop_settled is not None else ""
        return "" if view.trials is None else f"/{most}{view.trials}"
    needed = trials_needed(view)
    return "" if needed is None else f"/~{needed:.0f}"


def _each(view: JobView) -> str:
    return " trials each" if len(view.alternative_names) > 1 else " trials"


def progress_line(view: JobView) -> str:
    """Return one line for a log: trials, rate, time left, and the best alternative so far."""
    line = f"job {view.job}: {advance(view)}"
    if not view.alternatives:
        return line
    return f"{line}; {front_of(view.game).job_words().best(view)}"
