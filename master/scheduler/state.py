"""The scheduler's whole state: analysers, jobs, and the commands given so far."""

from dataclasses import dataclass, field

from master.contract.commands import Command
from master.contract.job_words import Priority
from master.scheduler.jobs import Analyser, Job, JobLease
from master.scheduler.limits import (
    KINDS_MAX,
    RATE_AGE_S_MAX,
    RATES_MAX,
    TICK_ANALYSER_S,
    TICK_INTERVAL_S,
    TICK_QUESTIONS_S,
    SchedulerOptions,
)
from master.scheduler.paces import Paces


@dataclass(slots=True, eq=False)
class SchedulerState:
    """Everything `Scheduler.handle` works on.

    Args:
        next_part: number of the next part.
        now: time of the event at hand.
        analysers: by session number.
        jobs: all that were not forgotten, by number.
        active: those that have not ended, by priority, newest first: the user of a new job is
            waiting now, and an older job gets the capacity that newer ones leave.
        hungry: analysers that would take a part if there were one, in the order they ran dry.
        is_feeding_due: there are new parts that hungry analysers may be given.
        out: commands that answer the event at hand.
        opened: attempts that have given their first results by the events at hand.
        tick_at: when lateness, stalls and paces are checked next.
        result_count: results that were new.
        dropped_count: results that named a part that is gone.
        duplicate_count: results of trials that were known already, with the same values.
        judged_count: trials that are being repeated here, or wait for that.
        rates: by analyser's name and class of work: how long a worker takes for a question (or, by
            a name of its own, the power that was seen), and when that was noted; the oldest first.
        paces: by kind, the paces that jobs of questions share, the last used at the end.
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
    opened: dict[JobLease, None] = field(default_factory=dict)
    tick_at: float = 0.0
    result_count: int = 0
    dropped_count: int = 0
    duplicate_count: int = 0
    judged_count: int = 0
    rates: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    paces: dict[tuple[str, ...], Paces] = field(default_factory=dict)

    def set_tick(self) -> None:
        """Have clocks checked soon again; sooner while a user waits for answers."""
        first = self.active[0] if self.active else None
        is_asked = first is not None and first.priority >= Priority.ASKED
        asked_s = max(TICK_QUESTIONS_S, TICK_ANALYSER_S * len(self.analysers))
        self.tick_at = self.now + min(asked_s if is_asked else TICK_INTERVAL_S, TICK_INTERVAL_S)

    def shared_paces(self, kind: tuple[str, ...]) -> Paces:
        """Return the paces of a kind of questions, new ones where all that is known is old."""
        known = self.paces.pop(kind, None)
        if len(self.paces) >= KINDS_MAX:
            del self.paces[next(iter(self.paces))]
        if known is None or self.now - known.refreshed_at >= RATE_AGE_S_MAX:
            known = Paces()
        self.paces[kind] = known
        return known

    def remember(self, name: str, work: str, measured: float) -> None:
        """Keep a measurement of an analyser in a class of work."""
        self.rates.pop((name, work), None)
        if len(self.rates) >= RATES_MAX:
            del self.rates[next(iter(self.rates))]
        self.rates[name, work] = (measured, self.now)

    def remembered(self, name: str, work: str) -> float | None:
        """Return the measurement, greater than 0; None if it is too old or missing."""
        measured, noted_at = self.rates.get((name, work), (0.0, -RATE_AGE_S_MAX))
        is_fresh = measured > 0.0 and self.now - noted_at < RATE_AGE_S_MAX
        return measured if is_fresh else None
