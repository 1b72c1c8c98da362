"""Jobs and their status, as a table for people and as objects for programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine_ext import services
from engine_ext.contexts import ContextError
from master.contract.job_words import WHY_HALTED, JobState, Priority
from master.contract.views import JobView
from master.reports.report import Report
from master.reports.tables import aligned, stacked, table_width

HEADINGS = ("Job", "State", "Trials", "Done", "Created (UTC)", "ID")

_TEXTS = (1, 4, 5, 6)
"""Columns of words; the others are numbers."""


def round_count(view: JobView) -> int:
    """Return the number of games folded for every alternative still in the job."""
    return max((each.trials for each in view.alternatives), default=0)


def job_object(view: JobView) -> Report:
    """Return a job's documented object of `manyply jobs --json`."""
    return {
        "job": view.job,
        "state": view.state.value,
        "stopped_by": view.stopped_by or None,
        "trials": view.trials,
        "stop_se": view.stop_se,
        "stop_settled": view.stop_settled,
        "priority": view.priority.name.lower(),
        "folded": _rounds(view),
        "alternatives": len(view.alternative_names),
        "created": view.created,
        "label": view.label,
        "game": view.game,
        "engine": view.engine,
        "settings": settings_of(view.context),
    }


def state_word(view: JobView) -> str:
    """Return a job's status, in the one word that all commands use."""
    if view.state is JobState.HALTED and view.stopped_by in WHY_HALTED:
        return view.stopped_by
    return view.state.value


def settings_of(context: str) -> Report | None:
    """Return the settings in a job's context; None: it cannot be read."""
    try:
        return services.describe(context).facts
    except ContextError:
        return None


def question_line(view: JobView) -> str:
    """Return a job's question, in one line; empty: it cannot be read."""
    try:
        return services.describe(view.context).line
    except ContextError:
        return view.error


def named_question(view: JobView, position: str) -> str:
    """Return a job's question, which names the position if the label does not.

    Args:
        view: the job.
        position: its position as a text; empty: it has none.
    """
    question = question_line(view)
    if position.partition(":")[0] in view.label:  # as a GNUBG ID without the match ID
        return question
    return f"{position}, {question}"


def _no_position(view: JobView) -> str:
    return ""


def table_lines(
    views: Sequence[JobView],
    width: int | None,
    position_of: Callable[[JobView], str] = _no_position,
) -> list[str]:
    """Return the table of jobs, headings first.

    If the terminal is too narrow, ID and question are below the other columns.

    Args:
        views: the jobs.
        width: of the terminal; None: there is none.
        position_of: returns a job's position as a text.
    """
    questions = (named_question(view, position_of(view)) for view in views)
    rows = [
        (*HEADINGS, "Question"),
        *((*_row(v), q) for v, q in zip(views, questions, strict=True)),
    ]
    if width is None or table_width(rows) <= width:
        return aligned(rows, _TEXTS)
    return stacked([row[:5] for row in rows], [row[5:] for row in rows[1:]], _TEXTS, width)


def _row(view: JobView) -> tuple[str, ...]:
    trials = "-" if view.trials is None else str(view.trials)
    folded = str(_rounds(view)) if view.search is None else "-"
    created = view.created[:16].replace("T", " ")
    state = state_word(view)
    if view.priority is Priority.BACKGROUND and view.state is JobState.RUNNING:
        state = f"{state} in the background"
    return (str(view.job), state, trials, folded, created, view.label)


def _rounds(view: JobView) -> int:
    return view.folded // max(1, len(view.alternative_names))
