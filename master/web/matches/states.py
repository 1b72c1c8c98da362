"""How far a match at the web door is.

Knows the states.  Must not know what leads from one to the other.
"""

from __future__ import annotations

from enum import StrEnum


class MatchState(StrEnum):
    """How far the analysis of a match is."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
