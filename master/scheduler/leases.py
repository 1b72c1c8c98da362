"""The scheduler's records of handings-out and of the analysers that hold them.

Knows what is outstanding where; decides nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from typing import TYPE_CHECKING

from master.contract.events import EngineOffer, Priority
from master.scheduler import sizing
from master.scheduler.limits import (
    PACE_FIRST_S,
    PACE_MEMORY_S,
    QUESTION_QUEUE_S,
    QUESTION_S_MIN,
    QUESTIONS_REMEMBERED,
    SchedulerOptions,
)

if TYPE_CHECKING:
    from master.scheduler.jobs import Job


@dataclass(slots=True, eq=False)
class Part:
    """A range of trials that is handed out, possibly several times.

    Args:
        number: its number, never used again.
        attempts: handings-out so far.
        leases: those that are outstanding.
    """

    number: int
    attempts: int = 0
    leases: list["Lease"] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Pace:
    """How fast an analyser is in a job, and what follows from it.

    Args:
        power: announced work a second; its only use is a guess before anything is observed.
        rate: trials a second, observed if `is_observed`, else guessed; 0.0 unknown.
        latency_s: shortest time seen from handing out to a first result, less a trial's time.
        leased: trials outstanding at the analyser, of this job.
        counted: results since `since`.
        was_idle: a worker had nothing to do since `since`, so the time says nothing.
        is_asking: the job asks questions: each is timed by itself, and is a part by itself.
    """

    power: float
    since: float
    rate: float = 0.0
    is_observed: bool = False
    latency_s: float = 0.0
    has_latency: bool = False
    leased: int = 0
    counted: int = 0
    was_idle: bool = True
    part_trials: int = 1
    window: int = 2
    tail_share: float = 1.0
    memory_trials: float = 0.0
    memory_s: float = 0.0
    is_asking: bool = False

    def note_answer(self, seconds: float, workers: int) -> None:
        """Learn from the time that one worker took for a question."""
        keep = 1.0 - 1.0 / QUESTIONS_REMEMBERED
        self.memory_trials = self.memory_trials * keep + 1.0
        self.memory_s = self.memory_s * keep + max(QUESTION_S_MIN, seconds)
        self.rate, self.is_observed = workers * self.memory_trials / self.memory_s, True

    def remember(self, question_s: float, workers: int, weight: float) -> None:
        """Start from the time that a worker took for a question in earlier jobs."""
        self.memory_trials, self.memory_s = weight, weight * question_s
        self.rate, self.is_observed = workers / question_s, True

    def observe(self, now: float) -> None:
        """Bring the rate up to date; time in which the analyser was not busy does not count."""
        if self.is_asking:
            return
        elapsed = now - self.since
        if self.was_idle:
            self._restart(now)
        elif self.counted and elapsed >= PACE_FIRST_S:
            keep = PACE_MEMORY_S / (PACE_MEMORY_S + elapsed)
            self.memory_trials = self.memory_trials * keep + self.counted
            self.memory_s = self.memory_s * keep + elapsed
            self.rate, self.is_observed = self.memory_trials / self.memory_s, True
            self._restart(now)

    def _restart(self, now: float) -> None:
        self.since, self.counted, self.was_idle = now, 0, False

    def resize(self, workers: int, fleet_rate: float, options: SchedulerOptions) -> None:
        """Work out the sizes that follow from the rate."""
        latency_s = self.latency_s
        if self.is_asking:
            trials, latency_s = 1, max(QUESTION_QUEUE_S, latency_s)
        else:
            trials = options.part_trials or sizing.part_trials(self.rate, workers)
        self.part_trials = trials
        self.window = options.window or sizing.window(self.rate, workers, trials, latency_s)
        self.tail_share = sizing.tail_share(self.rate, fleet_rate, workers)
        if options.part_trials and not self.is_asking:
            self.tail_share = 1.0

    def note_first_result(self, waited_s: float, workers: int) -> None:
        """Learn the latency from the first result of a part that an idle analyser was handed."""
        if self.rate > 0.0 and not self.is_asking:
            latency_s = max(0.0, waited_s - workers / self.rate)
            self.latency_s = min(latency_s, self.latency_s) if self.has_latency else latency_s
            self.has_latency = True


class Paces(dict[int, Pace]):
    """The paces of a job by session; jobs of questions of one class of work share them.

    Attributes:
        fleet_rate: trials or questions a second of all that are there.
        rate_per_power: of all that were observed, together what they announced; 0.0 unknown.
        by_rate: sessions that are asked questions, the fastest at the last look first.
        new_rates: rates that were learnt since then, of which the other guesses know nothing.
        refreshed_at: when that was; -inf: never.
    """

    __slots__ = ("by_rate", "fleet_rate", "new_rates", "rate_per_power", "refreshed_at")

    def __init__(self) -> None:
        """Begin with nobody."""
        super().__init__()
        self.fleet_rate = 0.0
        self.rate_per_power = 0.0
        self.by_rate: list[int] = []
        self.new_rates = 0
        self.refreshed_at = -inf

    def leave(self, number: int) -> None:
        """Forget one that is gone, if it is there."""
        pace = self.pop(number, None)
        if pace is not None:
            self.fleet_rate = max(0.0, self.fleet_rate - pace.rate)
        if number in self.by_rate:
            self.by_rate.remove(number)


@dataclass(slots=True, eq=False)
class Lanes:
    """When each worker is free, in seconds from `at` on, as long as `key` stands."""

    key: tuple[int, bool, float]
    at: float
    free_s: list[float]


@dataclass(slots=True, eq=False)
class Outlook:
    """When all questions of a job would be answered, from a look at all analysers.

    Args:
        at: when that was.
        uses_left: how often it is believed before everybody is looked at again.
        end_at: when the last answer would come; inf: never.
    """

    at: float
    uses_left: int
    end_at: float


@dataclass(slots=True, eq=False)
class Analyser:
    """One session of one analyser.

    Args:
        number: the shell's number for the session.
        leases: outstanding handings-out, in the order in which the analyser works on them.
        is_taking: it gets new parts: not draining, away or suspect.
        away_until: when its parts are given back unless it has come back; None: it is here.
        is_suspect: one of its parts stands still, and nothing else moved since.
        held: handings-out by the priority of their jobs.
        urgent_count: handings-out that go before the others.
        turn: changes with every handing-out and its end.
        lanes: when its workers are free, at the last look.
    """

    number: int
    name: str
    workers: int
    offers: dict[str, EngineOffer]
    leases: dict[tuple[int, int], "Lease"] = field(default_factory=dict)
    is_taking: bool = True
    is_draining: bool = False
    is_suspect: bool = False
    away_until: float | None = None
    delivered: int = 0
    held: list[int] = field(default_factory=lambda: [0] * len(Priority))
    urgent_count: int = 0
    turn: int = 0
    lanes: Lanes | None = None

    def held_below(self, priority: Priority) -> int:
        """Return how many handings-out of lower priority it holds."""
        return self.held[0] if priority == 1 else sum(self.held[:priority])

    def is_urgent_for(self, priority: Priority) -> bool:
        """Say whether a part is to pause others here: nothing waits for what nobody waits for."""
        if priority is Priority.URGENT:
            return True
        return priority > Priority.BACKGROUND and self.held[Priority.BACKGROUND] > 0

    def add(self, lease: "Lease", now: float) -> None:
        """Note a handing-out."""
        job = lease.job
        self.turn += 1
        if job.is_asking:
            running = self.urgent_count if lease.is_urgent else len(self.leases)
            lease.begun_at = now if running < self.workers else None
        self.leases[lease.part.number, lease.attempt] = lease
        self.held[job.priority] += 1
        if lease.is_urgent:
            self.urgent_count += 1
            for other in self.leases.values():
                other.was_paused = other.was_paused or not other.is_urgent

    def remove(self, lease: "Lease", now: float) -> None:
        """Take a handing-out off; the next one that waits begins."""
        job = lease.job
        self.turn += 1
        del self.leases[lease.part.number, lease.attempt]
        self.held[job.priority] -= 1
        if lease.is_urgent:
            self.urgent_count -= 1
        if job.is_asking:
            for other in islice(self.in_order(), self.workers):
                if other.begun_at is None:
                    other.begun_at = now

    def in_order(self) -> Iterator["Lease"]:
        """Yield the leases as its workers take them up."""
        if not self.urgent_count:
            return iter(self.leases.values())
        return iter(sorted(self.leases.values(), key=lambda lease: not lease.is_urgent))

    def update_taking(self) -> None:
        """Work out whether it gets new parts."""
        self.is_taking = not (self.is_draining or self.is_suspect) and self.away_until is None

    def running(self) -> Iterator["Lease"]:
        """Yield the leases its workers may be computing: the first ones that do not stand still."""
        return islice((x for x in self.in_order() if not x.is_stalled), self.workers)


@dataclass(slots=True, eq=False)
class Lease:
    """One handing-out: an attempt of a part, trials first .. end - 1 of a job.

    Args:
        next: the first trial of it whose result is missing (or known to be, at the last look).
        handed_at: when it was handed out.
        due_at: when it is late.
        moved_at: when it last showed a sign of life; None: not since it could have begun.
        steps: its step counter.
        is_first: its analyser was idle when it was handed out.
        is_stalled: it stands still.
        is_given_back: its missing trials were handed out elsewhere, or will be.
        is_stopped: it was asked to stop.
        is_doubtful: its handing-out may have been lost when the connection broke.
        is_referee: it settles a dispute: its trial has results already.
        sent: end of the results its analyser has sent itself.
        is_urgent: it goes before those that are not.
        was_paused: an urgent one came: the time it takes says nothing.
        begun_at: when a worker took it up, as far as that is known; None: not yet, or unknown.
        answer: what it was answered; it counts when the lease has ended.
        is_announced: the shell was told that it has given results.
    """

    part: Part
    attempt: int
    analyser: Analyser
    job: "Job"
    first: int
    end: int
    next: int
    handed_at: float
    due_at: float
    moved_at: float | None = None
    steps: int = 0
    is_first: bool = False
    is_stalled: bool = False
    is_given_back: bool = False
    is_stopped: bool = False
    is_doubtful: bool = False
    is_referee: bool = False
    sent: int = -1
    is_urgent: bool = False
    was_paused: bool = False
    begun_at: float | None = None
    answer: str | None = None
    is_announced: bool = False

    @property
    def key(self) -> tuple[int, int]:
        """Part number and attempt."""
        return self.part.number, self.attempt

    def covers(self, first: int, end: int) -> bool:
        """Say whether trials first .. end - 1 are to be expected from it."""
        is_at_work = not (self.is_given_back or self.is_stopped or self.is_referee)
        return is_at_work and self.first <= first and end <= self.end
