"""The paces of analysers in a job, from which its end and the sizes of its parts are estimated."""

from dataclasses import dataclass
from math import ceil, inf

from master.scheduler.limits import (
    LATENCY_MAX_S,
    LEAD_CAPACITIES,
    LEAD_S,
    LEAD_TRIALS_MAX,
    LEAD_TRIALS_MIN,
    PACE_FIRST_S,
    PACE_MEMORY_S,
    PART_TARGET_S,
    PART_TRIALS_MAX,
    PREFETCH_S,
    QUESTION_QUEUE_S,
    QUESTION_S_MIN,
    QUESTIONS_REMEMBERED,
    STALL_FACTOR,
    STALL_S_MAX,
    STALL_S_MIN,
    TAIL_SHARE,
    WINDOW_MAX,
    WINDOW_OUTSTANDING_MAX,
    SchedulerOptions,
)


def part_trials(rate: float, workers: int) -> int:
    """Return how many trials one worker plays in PART_TARGET_S; 1 when the rate is unknown (0)."""
    return max(1, min(PART_TRIALS_MAX, int(rate * PART_TARGET_S / workers)))


def window(rate: float, workers: int, trials: int, latency_s: float) -> int:
    """Return how many parts of `trials` trials an analyser may hold.

    One is computed by each worker; as many wait as are used up while the next are on their way,
    and at least one for each worker (one for all, when parts last long and a queue would wait).
    """
    ceiling = min(WINDOW_OUTSTANDING_MAX, max(WINDOW_MAX, 2 * workers))
    if rate <= 0.0:
        return min(ceiling, 2 * workers)
    part_s = trials * workers / rate
    on_their_way = ceil(min(latency_s, LATENCY_MAX_S) / part_s)
    waiting = max(1, on_their_way) if part_s > PREFETCH_S else workers * max(1, on_their_way)
    return min(ceiling, workers + waiting)


def lead(fleet_rate: float, capacity: int) -> int:
    """Return how far ahead of the folded prefix trials may be handed out.

    Args:
        fleet_rate: trials a second of all analysers together.
        capacity: trials that all windows hold together; a smaller lead would leave them unfilled.
    """
    least = max(LEAD_TRIALS_MIN, LEAD_CAPACITIES * capacity)
    return min(LEAD_TRIALS_MAX, max(least, int(fleet_rate * LEAD_S)))


def tail_share(rate: float, fleet_rate: float, workers: int) -> float:
    """Return the largest share of a job's remaining trials that one part may have.

    Guided self-scheduling: parts shrink as the end comes nearer, for slow workers more than for
    fast ones, so that all end together. 1.0 when the rates are unknown.
    """
    if rate <= 0.0 or fleet_rate <= 0.0:
        return 1.0
    return min(1.0, TAIL_SHARE * rate / (fleet_rate * workers))


def stall_after_s(rate: float, workers: int) -> float:
    """Return how long a part's step counter may stand still."""
    if rate <= 0.0:
        return STALL_S_MAX
    return max(STALL_S_MIN, min(STALL_S_MAX, STALL_FACTOR * workers / rate))


@dataclass(slots=True, eq=False)
class Pace:
    """The speed of an analyser in a job, and the sizes that follow from it.

    Args:
        power: announced work a second; its only use is a guess before anything is observed.
        rate: trials a second, observed if `is_observed`, else guessed; 0.0 unknown.
        latency_s: shortest time seen from handing out to a first result, less a trial's time.
        leased: trials outstanding at the analyser, of this job.
        counted: results since `since`.
        was_idle: a worker had nothing to do since `since`, so the time is not representative.
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

    def observe(self, now: float) -> None:
        """Bring the rate up to date; time in which the analyser was not busy does not count."""
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

    def rescale(self, factor: float, now: float) -> None:
        """Expect so many times as much from now on: it has so many times the workers."""
        self.rate *= factor
        self.memory_trials *= factor
        self._restart(now)
        self.was_idle = True  # until those that came have something to do

    def resize(self, workers: int, fleet_rate: float, options: SchedulerOptions) -> None:
        """Work out the sizes that follow from the rate."""
        trials = options.part_trials or part_trials(self.rate, workers)
        self.part_trials = trials
        self.window = options.window or window(self.rate, workers, trials, self.latency_s)
        share = tail_share(self.rate, fleet_rate, workers)
        self.tail_share = 1.0 if options.part_trials else share

    def record_first_result(self, waited_s: float, workers: int) -> None:
        """Learn the latency from the first result of a part that an idle analyser was handed."""
        if self.rate > 0.0:
            latency_s = max(0.0, waited_s - workers / self.rate)
            self.latency_s = min(latency_s, self.latency_s) if self.has_latency else latency_s
            self.has_latency = True


@dataclass(slots=True, eq=False)
class QuestionPace(Pace):
    """How fast an analyser answers questions: each is a part, and is timed by itself."""

    def record_answer(self, seconds: float, workers: int) -> None:
        """Learn from the time that one worker took for a question."""
        keep = 1.0 - 1.0 / QUESTIONS_REMEMBERED
        self.memory_trials = self.memory_trials * keep + 1.0
        self.memory_s = self.memory_s * keep + max(QUESTION_S_MIN, seconds)
        self.rate, self.is_observed = workers * self.memory_trials / self.memory_s, True

    def rescale(self, factor: float, now: float) -> None:
        """Expect so many times as much: each worker takes as long as before."""
        self.rate *= factor

    def remember(self, question_s: float, workers: int, weight: float) -> None:
        """Start from the time that a worker took for a question in earlier jobs."""
        self.memory_trials, self.memory_s = weight, weight * question_s
        self.rate, self.is_observed = workers / question_s, True

    def observe(self, now: float) -> None:
        """Do nothing: every answer was observed."""

    def resize(self, workers: int, fleet_rate: float, options: SchedulerOptions) -> None:
        """Work out how many are to wait at the analyser."""
        waits_s = max(QUESTION_QUEUE_S, self.latency_s)
        self.window = options.window or window(self.rate, workers, 1, waits_s)
        self.tail_share = tail_share(self.rate, fleet_rate, workers)

    def record_first_result(self, waited_s: float, workers: int) -> None:
        """Do nothing: the wait for a first answer cannot be told apart from its computing time."""


class Paces(dict[int, Pace]):
    """The paces of a job by session; jobs of questions of one class of work share them.

    Attributes:
        fleet_rate: trials or questions a second of all that are there.
        rate_per_power: rate of all that were observed, divided by their announced power; 0.0
            unknown.
        by_rate: sessions that are asked questions, the fastest at the last refresh first.
        new_rates: rates observed since then, which the other guesses do not include.
        refreshed_at: when that was; -inf: never.
    """

    __slots__ = ("by_rate", "fleet_rate", "new_rates", "rate_per_power", "refreshed_at")

    def __init__(self) -> None:
        """Begin without any."""
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
class TimingEstimate:
    """When all questions of a job would be answered, estimated from all analysers.

    Args:
        at: when that was.
        uses_left: how often it is used before it is estimated anew.
        end_at: when the last answer would come; inf: never.
    """

    at: float
    uses_left: int
    end_at: float
