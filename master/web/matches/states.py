"""The states of a match at the web endpoint."""

from __future__ import annotations

from enum import StrEnum


class MatchState(StrEnum):
    """How far the analysis of a match is."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
