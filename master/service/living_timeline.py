"""The timeline of a master that runs: what is told of it, and how it is shown.

Knows the loop's clock and the time of day.  Must not know who looks.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from master.scheduler.limits import Log
from master.timeline.job_turns import JobTurns
from master.timeline.journal import Journal
from master.timeline.live_searches import LiveSearches
from master.timeline.showing import ShownTimeline
from master.timeline.timeline import Timeline


class LivingTimeline:
    """Takes note of what a master's jobs and searches do.

    Args:
        clock: the loop's.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._timeline = Timeline()
        self._journal = Journal(self._timeline)
        self.searches = LiveSearches(self._journal)

    @property
    def log(self) -> Log:
        """What is to be told of each turn of the scheduler."""
        return JobTurns(self._journal).turn

    def shown(self) -> ShownTimeline:
        """Return it as it is shown from now on."""
        return ShownTimeline(
            self._timeline,
            secrets.token_hex(8),
            self._clock,
            time.time() - self._clock(),
            journal=self._journal,
        )
