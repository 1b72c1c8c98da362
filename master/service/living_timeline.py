"""The timeline of a master that runs."""

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
    """Records the events of a master's jobs and searches.

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
        """The function to be called at each turn of the scheduler."""
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
