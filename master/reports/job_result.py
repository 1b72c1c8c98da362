"""A job's result, for any game: a stable JSON object, and a table for people.

The result contains the alternatives and their named values; a game may add facts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine_ext import services
from master.contract.views import JobRequest, JobView
from master.reports.job_table import round_count, settings_of
from master.reports.report import Report
from master.reports.tables import aligned

Named = Callable[[Sequence[str], Sequence[float | None]], Report]
"""Values under their names."""


def _named(names: Sequence[str], values: Sequence[float | None]) -> Report:
    return dict(zip(names, values, strict=True))


def job_report(view: JobView, facts: Report | None = None, named: Named = _named) -> Report:
    """Return the object; only `caught` depends on the fleet, and nothing on the time.

    `caught` is present only if analysers broke a rule; it has a line for each of them.

    Args:
        view: the job.
        facts: added by the game.
        named: the game's function that shows an alternative's values.
    """
    if view.search is not None:
        return search_report(view, {"answer": view.search.answer or None})
    alternatives = zip(view.alternative_names, view.alternatives, strict=False)
    return {
        "job": view.job,
        "trials": round_count(view),
        "stopped_by": view.stopped_by or None,
        **(facts or {}),
        "engine": view.engine,
        "id": view.label,
        "settings": settings_of(view.context),
        "alternatives": [
            {
                "name": name,
                "trials": alternative.trials,
                **named(view.value_names, alternative.means),
                "std_error": named(view.value_names, alternative.std_errors),
                "diff_to_best": alternative.diff_to_best,
                "diff_std_error": alternative.diff_std_error,
            }
            for name, alternative in alternatives
        ],
        **({"caught": list(view.caught)} if view.caught else {}),
    }


def search_report(view: JobView, answer: Report | None) -> Report:
    """Return the object of a job that is a search: that of `search --json`.

    So a script reads the answer of an interrupted search like any other.  The game defines the
    content of the answer. Before the answer exists, there are only `nodes` and `seconds`.
    """
    search = view.search
    return {
        **_search_head(view.job, view.stopped_by or None, view.engine, view.label, view.context),
        **(answer or {}),
        "nodes": 0 if search is None else search.nodes,
        "seconds": 0.0 if search is None else search.seconds,
    }


def answered_report(request: JobRequest, answer: Report, job: int | None) -> Report:
    """Return the object of a search that a command has just made, with the keys of a job's.

    Args:
        request: of the search, made by the engine of this process.
        answer: the game's object for the result.
        job: the job that keeps it; None: one thread found it, and nothing is kept.
    """
    engine = services.engine_digest(services.context_game(request.context))
    return {**_search_head(job, "answered", engine, request.label, request.context), **answer}


def _search_head(
    job: int | None, stopped_by: str | None, engine: str, label: str, context: str
) -> Report:
    return {
        "job": job,
        "stopped_by": stopped_by,
        "engine": engine,
        "id": label,
        "settings": settings_of(context),
    }


def no_answer_lines(view: JobView) -> list[str]:
    """Return the lines about a search before it has an answer."""
    search = view.search
    if search is None or not search.nodes:
        return ["no answer yet"]
    return [f"no answer yet after {search.nodes:,} nodes, {search.seconds:.0f} s"]


def job_lines(view: JobView, width: int | None = None) -> list[str]:
    """Return the table's lines, best alternative first: each value with its standard error."""
    if view.search is not None:
        return [view.search.answer] if view.search.answer else no_answer_lines(view)
    if not view.alternatives:
        return ["no trial of every alternative is finished yet"]
    found = view.alternatives
    order = sorted(range(len(found)), key=lambda i: (-found[i].trials, -found[i].diff_to_best))
    rows = [("", "", *view.value_names)]
    for rank, index in enumerate(order, start=1):
        cells = map(_with_error, found[index].means, found[index].std_errors)
        rows.append((f"{rank}.", view.alternative_names[index], *cells))
    notes = retired_lines(view) + [f"Caught: {line}" for line in view.caught]
    return [*aligned(rows, {0, 1}), *notes]


def retired_lines(view: JobView) -> list[str]:
    """Return a line that names the alternatives with fewer games than others, if there are any."""
    most = round_count(view)
    pairs = zip(view.alternative_names, view.alternatives, strict=False)
    fewer = [f"{name} after {each.trials}" for name, each in pairs if each.trials < most]
    return [f"Out of contention: {', '.join(fewer)}"] if fewer else []


def _with_error(mean: float, error: float | None) -> str:
    return f"{mean:z.4f}" if error is None else f"{mean:z.4f} [{error:.4f}]"
