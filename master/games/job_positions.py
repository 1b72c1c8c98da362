"""The positions that jobs are of, as texts."""

from __future__ import annotations

from engine_ext.contexts import ContextError
from master.contract.views import JobView
from master.games.table import front_of


def position_of(view: JobView) -> str:
    """Return a job's position as a text that its game reads; empty: it has none."""
    job_position = front_of(view.game).job_position
    if job_position is None:
        return ""
    try:
        return job_position(view)
    except ContextError:
        return ""
