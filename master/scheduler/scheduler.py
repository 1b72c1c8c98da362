"""The scheduler: who computes what next. Pure: events and time in, commands out.

Knows events, commands and folds; must not know clocks, sockets, tasks, random numbers or storage.
"""

from master.events import Command, Event
from master.fold.trials import TrialFold
from master.scheduler.limits import SchedulerOptions
from master.scheduler.views import AnalyserView, JobView


class Scheduler:
    """Hand trials out to analysers and fold what comes back, each trial exactly once.

    `now` is monotonic seconds from any origin and never goes back.
    """

    def __init__(self, options: SchedulerOptions = SchedulerOptions(), first_part: int = 1) -> None:
        """Start with no analysers and no jobs.

        Args:
            options: fixed sizes, for benches; adapted by default.
            first_part: number of the first part. A master that analysers may remember from an
                earlier life starts above every number it used then.
        """
        raise NotImplementedError

    @property
    def next_deadline(self) -> float | None:
        """When a Tick is due at the latest; None: not before another event."""
        raise NotImplementedError

    def handle(self, event: Event, now: float) -> list[Command]:
        """Take one event in and return what must be done, in order."""
        raise NotImplementedError

    def fold(self, job: int) -> TrialFold:
        """Return the fold of a running or ended job; KeyError when it is unknown or forgotten."""
        raise NotImplementedError

    def forget(self, job: int) -> None:
        """Drop an ended job and its fold."""
        raise NotImplementedError

    def analysers(self) -> list[AnalyserView]:
        """Return all analysers, in order of their numbers."""
        raise NotImplementedError

    def jobs(self) -> list[JobView]:
        """Return all jobs that were not forgotten, in order of their numbers."""
        raise NotImplementedError
