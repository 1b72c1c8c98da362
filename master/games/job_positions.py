"""The positions that jobs are of, as texts."""

from __future__ import annotations

from engine_ext.contexts import ContextError
from master.contract.views import JobView
from master.games.table import front_of
from master.reports.job_table import question_line


def position_of(view: JobView) -> str:
    """Return a job's position as a text that its game reads; empty: it has none."""
    job_position = front_of(view.game).job_position
    if job_position is None:
        return ""
    try:
        return job_position(view)
    except ContextError:
        return ""


def named_question(view: JobView) -> str:
    """Return a job's question, which names the position if the label does not."""
    position, question = position_of(view), question_line(view)
    if position.partition(":")[0] in view.label:  # as a GNUBG ID without the match ID
        return question
    return f"{position}, {question}"
