"""The pictures of a job of trials as JSON resources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from master.contract.convergences import JobConvergence, JobFlow
from master.contract.views import JobView
from master.games.outcomes import Outcome
from master.games.table import front_of, load
from master.reports.job_table import round_count
from master.reports.report import Report


def convergence_resource(view: JobView, convergence: JobConvergence) -> Report:
    """Return a job's course; of a search there is none."""
    front = front_of(view.game)
    count = 0 if view.search is not None else len(view.alternative_names)
    unit = float(load(front.job_unit)) if front.job_unit else 1.0
    outcomes: Sequence[Sequence[Outcome]] = _by_alternative(view, front.job_outcomes)
    notes: Sequence[str] = _by_alternative(view, front.job_notes)
    return {
        "job": view.job,
        "value": view.value_names[-1] if view.value_names else "",
        "rounds": [point.rounds for point in convergence.points],
        "alternatives": [
            _alternative(view, index, unit)
            | {
                "means": [_times(unit, point.means[index]) for point in convergence.points],
                "std_errors": [
                    _times(unit, point.std_errors[index]) for point in convergence.points
                ],
                "outcomes": [one._asdict() for one in outcomes[index]] if outcomes else [],
            }
            for index in range(count)
        ],
        "notes": [*notes, *(f"Caught: {line}" for line in view.caught)],
        "has_board": bool(front.job_board) and count > 0,
        "is_behind": convergence.is_behind,
    }


def _by_alternative(view: JobView, place: str) -> Any:
    """Return a game's view of a job; nothing if it has none, or before a result."""
    if not place or not view.alternatives or view.search is not None:
        return ()
    return load(place)(view)


def _alternative(view: JobView, index: int, unit: float) -> Report:
    """Return an alternative with its figures."""
    found = view.alternatives[index] if view.alternatives else None
    return {
        "name": view.alternative_names[index],
        "trials": 0 if found is None else found.trials,
        "mean": None if found is None else _times(unit, found.means[-1]),
        "std_error": None if found is None else _times(unit, found.std_errors[-1]),
        "diff_to_best": None if found is None else _times(unit, found.diff_to_best),
        "diff_std_error": None if found is None else _times(unit, found.diff_std_error),
        "is_out": found is not None and found.trials < round_count(view),
    }


def _times(unit: float, value: float | None) -> float | None:
    return None if value is None else unit * value


def flow_resource(job: int, flow: JobFlow) -> Report:
    """Return how results of a job came in."""
    return {
        "job": job,
        "is_live": flow.is_live,
        "seconds": [round(sample.at_s, 2) for sample in flow.samples],
        "received": [sample.received for sample in flow.samples],
        "folded": [sample.folded for sample in flow.samples],
        "stored": flow.stored,
        "analysers": [{"name": name, "trials": trials} for name, trials in flow.by_analyser],
    }
