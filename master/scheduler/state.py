"""The scheduler's whole state: who is there, what is to be done, and the commands given so far.

Knows records only; each of the modules beside it changes them for one kind of event.
"""

from dataclasses import dataclass, field

from master.commands import Command
from master.scheduler.jobs import Job
from master.scheduler.leases import Analyser, Lease
from master.scheduler.limits import SchedulerOptions


@dataclass(slots=True, eq=False)
class State:
    """Everything `Scheduler.handle` works on.

    Args:
        next_part: number of the next part.
        now: time of the event at hand.
        analysers: by session number.
        jobs: all that were not forgotten, by number.
        active: those that have not ended, newest first: a user who asks now is waiting now, and an
            older job gets what the newer ones leave.
        hungry: analysers that would take a part if there were one, in the order they ran dry.
        is_feeding_due: something came that hungry analysers may be given.
        out: commands that answer the event at hand.
        tick_at: when lateness, stalls and paces are looked at next.
        dropped_count: results that named a part that is gone.
        duplicate_count: results of trials that were known already, with the same values.
    """

    options: SchedulerOptions
    next_part: int = 1
    now: float = 0.0
    analysers: dict[int, Analyser] = field(default_factory=dict)
    jobs: dict[int, Job] = field(default_factory=dict)
    active: list[Job] = field(default_factory=list)
    hungry: dict[int, Analyser] = field(default_factory=dict)
    is_feeding_due: bool = False
    out: list[Command] = field(default_factory=list)
    tick_at: float = 0.0
    dropped_count: int = 0
    duplicate_count: int = 0

    def leases_of(self, job: Job) -> list[Lease]:
        """Return a job's outstanding leases, by their trials."""
        leases = [
            lease
            for analyser in self.analysers.values()
            for lease in analyser.leases.values()
            if lease.job is job
        ]
        return sorted(leases, key=lambda lease: (lease.next, lease.key))
