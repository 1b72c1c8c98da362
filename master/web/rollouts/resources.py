"""The pictures of a job of trials as JSON resources.

Knows views, courses and what fronts say of them.  Must not know HTTP, or who asks.
"""

from __future__ import annotations

from master.contract.courses import JobCourse, JobFlow
from master.contract.views import JobView
from master.games.outcomes import Outcome
from master.games.table import front_of, load
from master.reports.job_table import round_count
from master.reports.report import Report


def course_resource(view: JobView, course: JobCourse) -> Report:
    """Return a job's course; of a search there is none."""
    count = 0 if view.search is not None else len(view.alternative_names)
    outcomes = _outcomes(view)
    return {
        "job": view.job,
        "value": view.value_names[-1] if view.value_names else "",
        "rounds": [point.rounds for point in course.points],
        "alternatives": [
            _alternative(view, course, index, outcomes[index] if outcomes else ())
            for index in range(count)
        ],
        "has_board": bool(front_of(view.game).job_board) and count > 0,
        "is_behind": course.is_behind,
    }


def _outcomes(view: JobView) -> tuple[tuple[Outcome, ...], ...]:
    """Return how the games of each alternative end; empty where the game does not say."""
    place = front_of(view.game).job_outcomes
    if not place or not view.alternatives or view.search is not None:
        return ()
    found: tuple[tuple[Outcome, ...], ...] = load(place)(view)
    return found


def _alternative(
    view: JobView, course: JobCourse, index: int, outcomes: tuple[Outcome, ...]
) -> Report:
    found = view.alternatives[index] if view.alternatives else None
    return {
        "name": view.alternative_names[index],
        "trials": 0 if found is None else found.trials,
        "mean": None if found is None else found.means[-1],
        "std_error": None if found is None else found.std_errors[-1],
        "diff_to_best": None if found is None else found.diff_to_best,
        "diff_std_error": None if found is None else found.diff_std_error,
        "is_out": found is not None and found.trials < round_count(view),
        "means": [point.means[index] for point in course.points],
        "std_errors": [point.std_errors[index] for point in course.points],
        "outcomes": [outcome._asdict() for outcome in outcomes],
    }


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
