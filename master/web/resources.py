"""JSON resources of the web endpoint, made from views."""

from __future__ import annotations

from collections.abc import Sequence

from master.contract.figures import Figures
from master.contract.views import AnalyserLine, JobView
from master.games.table import front_of, load
from master.reports.job_table import job_object, question_line
from master.reports.report import Report


def job_resource(view: JobView) -> Report:
    """Return a job as a row shows it: the object of `manyply jobs --json`, and its progress.

    Its settings are left out: its report repeats them, and they make long lists longer.
    """
    shown = job_object(view)
    del shown["settings"]
    search = view.search
    return shown | {
        "question": question_line(view),
        "error": view.error or None,
        "trials_per_s": view.trials_per_s,
        "eta_s": view.eta_s,
        "search": None
        if search is None
        else {"phase": search.phase, "nodes": search.nodes, "seconds": search.seconds},
    }


def job_page(view: JobView) -> Report:
    """Return a job with its report, the documented object of its game."""
    return job_resource(view) | {"report": load(front_of(view.game).job_report)(view)}


def analyser_resource(line: AnalyserLine, key: str, share: float | None = None) -> Report:
    """Return an analyser.

    Args:
        line: the master's view of it.
        key: tells it from others of its name and address.
        share: of all results a second, those that are its own; None: there are none.
    """
    part = line.part
    return {
        "key": key,
        "name": line.name,
        "address": line.address,
        "state": line.state,
        "workers": line.workers,
        "parts": line.parts,
        "results": line.trials,
        "results_per_s": line.trials_per_s,
        "text": line.text or None,
        "powers": dict(line.powers),
        "share": share,
        "round_trip_s": line.round_trip_s,
        "part": None
        if part is None
        else {"job": part.job, "first_seq": part.first_seq, "count": part.count},
        "incident_counts": dict(line.incident_counts),
        "incidents": [{"at": one.at, "kind": one.kind, "text": one.text} for one in line.incidents],
    }


def analyser_resources(lines: Sequence[AnalyserLine]) -> list[Report]:
    """Return all analysers in their order, each with a key of its own.

    The key is name and address, and of several that share both, which of them it is.
    """
    seen: dict[tuple[str, str], int] = {}
    total_per_s = sum(line.trials_per_s for line in lines)
    found = []
    for line in lines:
        pair = (line.name, line.address)
        seen[pair] = seen.get(pair, 0) + 1
        key = f"{line.name} {line.address} {seen[pair]}"
        share = line.trials_per_s / total_per_s if total_per_s else None
        found.append(analyser_resource(line, key, share))
    return found


def figures_resource(figures: Figures) -> Report:
    """Return a master's numbers."""
    return {
        "parts_waiting": figures.parts_waiting,
        "workers_busy": figures.workers_busy,
        "analysers": dict(figures.analysers),
        "jobs": dict(figures.jobs),
        "results": figures.results,
        "duplicates": figures.duplicates,
        "dropped": figures.dropped,
    }


class JobRows:
    """Makes jobs' rows, and only those anew of which something changed."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[JobView, Report]] = {}

    def rows(self, views: Sequence[JobView]) -> list[Report]:
        """Return the rows of all jobs there are, in their order."""
        known = self._known
        self._known = {}
        for view in views:
            old = known.get(view.job)
            row = old[1] if old is not None and old[0] == view else job_resource(view)
            self._known[view.job] = (view, row)
        return [row for _, row in self._known.values()]
