"""The choice of an analyser for each question, so that the last answer comes as soon as can be.

Times are guesses; they decide which analyser computes, never the result.

A question is a part and cannot be cut, so the end of a job is decisive. An analyser gets no
question that the others would have answered before it. An idle one takes over a question that
another would answer later than it could. As long as nothing was observed, announced powers replace
questions a second: all compared times are then in that unit.
"""

from collections.abc import Iterator
from heapq import heapify, heapreplace
from math import inf

from master.scheduler.jobs import Analyser, JobLease, QuestionJob
from master.scheduler.limits import (
    EVERYBODY_MAX,
    OUTSTANDING_AT_ONCE_MAX,
    POWER_QUESTION_S_MIN,
    POWER_SEEN_S_MIN,
    RATE_WEIGHT,
    REASSIGN_FACTOR,
    TICK_QUESTIONS_S,
    TWINS_MAX,
)
from master.scheduler.paces import Lanes, Pace, QuestionPace, TimingEstimate
from master.scheduler.state import SchedulerState

_ROUNDING = 1e-9
"""Times that differ by less are the same."""

_POWER_MIN = 1e-9
"""An analyser that announces no power is asked when there is no other."""


def new_question_pace(
    state: SchedulerState, job: QuestionJob, analyser: Analyser, power: float
) -> Pace:
    """Return an analyser's pace in a job of questions, from remembered rates of the class.

    In a new class of work, powers that were observed in others replace the announced one. Sizes are
    not right before `refresh_paces`.
    """
    seen = state.remembered(analyser.name, _power_of(job))
    pace = QuestionPace(max(seen or power, _POWER_MIN), state.now)
    question_s = state.remembered(analyser.name, job.spec.work)
    if question_s is not None:
        pace.remember(question_s, analyser.workers, RATE_WEIGHT)
    job.paces[analyser.number] = pace
    job.paces.by_rate.append(analyser.number)
    return pace


def _power_of(job: QuestionJob) -> str:
    """Return the name under which powers are remembered: no class of work is called so."""
    return f"power of {job.spec.game}"


def record_new_rate(state: SchedulerState, job: QuestionJob) -> None:
    """Record that a rate is known; refresh all paces when enough are.

    In a small fleet each rate counts at once; in a large one a few do not change the picture, and
    work for all analysers is done for a share of the events.
    """
    job.paces.new_rates += 1
    if not job.paces.rate_per_power or job.paces.new_rates > len(job.paces) - EVERYBODY_MAX:
        refresh_paces(state, job)


def refresh_paces(state: SchedulerState, job: QuestionJob) -> None:
    """Guess the rates that were not observed from those that were, and size everything anew."""
    job.paces.new_rates, job.paces.refreshed_at = 0, state.now
    _rate_all(state, job)
    job.paces.by_rate = sorted(job.paces, key=lambda number: (-job.paces[number].rate, number))
    for number, pace in job.paces.items():
        pace.resize(state.analysers[number].workers, job.paces.fleet_rate, state.options)
        analyser = state.analysers[number]
        if pace.is_observed and _tells_power(analyser, pace):
            # The observed powers add up to the announced powers of the same analysers.
            power = pace.rate / job.paces.rate_per_power
            state.remember(analyser.name, _power_of(job), power)


def _tells_power(analyser: Analyser, pace: Pace) -> bool:
    """Say whether a pace shows an engine's power: short questions, and a first one, mostly wait.

    Else an analyser whose first question took 20 ms counts as slow in all other work, and is asked
    nothing that others would have answered sooner: it never shows that it is not.
    """
    is_long = _question_s(analyser, pace) >= POWER_QUESTION_S_MIN
    return is_long and pace.memory_s >= POWER_SEEN_S_MIN


def _rate_all(state: SchedulerState, job: QuestionJob) -> None:
    seen = [pace for pace in job.paces.values() if pace.is_observed]
    power = sum(pace.power for pace in seen)
    job.paces.rate_per_power = sum(pace.rate for pace in seen) / power if seen else 0.0
    job.paces.fleet_rate = 0.0
    for number, pace in job.paces.items():
        if not pace.is_observed:
            pace.rate = (job.paces.rate_per_power or 1.0) * pace.power
        analyser = state.analysers[number]
        if analyser.away_until is None and not analyser.is_suspect:
            job.paces.fleet_rate += pace.rate


def record_answer(state: SchedulerState, job: QuestionJob, lease: JobLease) -> None:
    """Learn from the time an answer took."""
    pace = job.paces.get(lease.analyser.number)
    if isinstance(pace, QuestionPace) and lease.begun_at is not None and not lease.is_stopped:
        _learn(state, job, lease, pace, state.now - lease.begun_at)


def record_no_answer(state: SchedulerState, job: QuestionJob, lease: JobLease) -> None:
    """Learn from the time in which there was no answer: that long it takes at least."""
    pace = job.paces.get(lease.analyser.number)
    if not isinstance(pace, QuestionPace) or lease.begun_at is None or not job.paces.rate_per_power:
        return
    elapsed_s = state.now - lease.begun_at
    if elapsed_s > _question_s(lease.analyser, pace):
        _learn(state, job, lease, pace, elapsed_s)


def _learn(
    state: SchedulerState, job: QuestionJob, lease: JobLease, pace: QuestionPace, question_s: float
) -> None:
    if lease.was_paused:
        return
    analyser = lease.analyser
    was_observed, before = pace.is_observed, pace.rate
    pace.record_answer(question_s, analyser.workers)
    if job.spec.work:
        state.remember(analyser.name, job.spec.work, analyser.workers / pace.rate)
    job.paces.fleet_rate = max(0.0, job.paces.fleet_rate + pace.rate - before)
    pace.resize(analyser.workers, job.paces.fleet_rate, state.options)
    if not was_observed:
        record_new_rate(state, job)


def is_sooner_elsewhere(
    state: SchedulerState, job: QuestionJob, analyser: Analyser, pace: Pace, left: int
) -> bool:
    """Say whether the others will have answered the `left` ones before one more from here."""
    question_s = _question_s(analyser, pace)
    finish_s = min(_lanes(state, job, analyser)) + question_s
    if finish_s * job.paces.fleet_rate <= left:
        return False  # not even if no analyser had anything in hand
    for other in state.active:
        if other is job:
            break
        if other.has_work():
            return False  # others may not come to this job
    return state.now + finish_s > _end_at(state, job, left) + _ROUNDING * question_s


def _end_at(state: SchedulerState, job: QuestionJob, left: int) -> float:
    """Return when the last of the `left` ones would be answered if all were asked now.

    In a large fleet that is worked out for a share of the events: with each question that is handed
    out there is one less to be answered and one more that goes before it, so the time stays.
    """
    seen = job.estimate
    if seen is None or seen.uses_left <= 0 or state.now - seen.at >= TICK_QUESTIONS_S:
        uses = max(0, len(job.paces) - EVERYBODY_MAX)
        seen = job.estimate = TimingEstimate(state.now, uses, state.now + _end_s(state, job, left))
    seen.uses_left -= 1
    return seen.end_at


def _end_s(state: SchedulerState, job: QuestionJob, left: int) -> float:
    """Return in how many seconds the `left`-th answer would be there; inf: no analyser is there."""
    lanes = [
        (free_s, question_s)
        for analyser, question_s in _takers(state, job)
        for free_s in _lanes(state, job, analyser)
    ]
    if not lanes:
        return inf
    # At least so many are answered by then; the rest is counted one by one.
    sure_s = max(0.0, (left - len(lanes)) / sum(1.0 / question_s for _, question_s in lanes))
    heap = []
    for free_s, question_s in lanes:
        count = max(0, int((sure_s - free_s) / question_s))
        left -= count
        heap.append((free_s + (count + 1) * question_s, question_s))
    heapify(heap)
    for _ in range(left - 1):
        answer_s, question_s = heap[0]
        heapreplace(heap, (answer_s + question_s, question_s))
    return heap[0][0]


def _takers(state: SchedulerState, job: QuestionJob) -> Iterator[tuple[Analyser, float]]:
    """Yield analysers that may be asked, each with the time of a worker for a question."""
    for number, pace in job.paces.items():
        analyser = state.analysers[number]
        if analyser.is_taking:
            yield analyser, _question_s(analyser, pace)


def lease_to_reassign(
    state: SchedulerState, job: QuestionJob, helper: Analyser, pace: Pace
) -> JobLease | None:
    """Return the question that would be answered last, if an idle worker would be sooner done.

    Where there are too many to compare whenever an answer comes, it is left to the next tick.
    """
    if len(job.leases) > OUTSTANDING_AT_ONCE_MAX or len(job.paces) > EVERYBODY_MAX:
        return None
    if not _free_workers(job, helper):
        return None
    outstanding = _outstanding(state, job)
    late = _last_late(helper, pace, outstanding)
    return None if late is None else outstanding[late][1]


def reassignments(state: SchedulerState, job: QuestionJob) -> Iterator[tuple[Analyser, JobLease]]:
    """Yield a lease for each idle analyser to take over, the fastest first; hand it out at once."""
    outstanding = _outstanding(state, job)
    for number in job.paces.by_rate if outstanding else ():
        helper, pace = state.analysers[number], job.paces[number]
        for _ in range(_free_workers(job, helper)):
            late = _last_late(helper, pace, outstanding)
            if late is None:
                break
            yield helper, outstanding.pop(late)[1]


def _free_workers(job: QuestionJob, analyser: Analyser) -> int:
    """Return how many workers have nothing to do that goes before a question of the job."""
    if not analyser.is_taking or job.halt_until is not None:
        return 0
    is_urgent = analyser.is_urgent_for(job.priority)
    return max(0, analyser.workers - (analyser.urgent_count if is_urgent else len(analyser.leases)))


def _outstanding(state: SchedulerState, job: QuestionJob) -> list[tuple[float, JobLease]]:
    """Return the leases of a job that an idle worker may take over, the last one answered first.

    With each comes the time until its answer, in seconds.
    """
    open_leases = {lease: None for lease in job.leases if _may_be_twinned(lease)}
    holders = {lease.analyser: None for lease in open_leases}
    found = [
        (finish_s, lease)
        for holder in holders
        if holder.number in job.paces
        for lease, finish_s in _forecast(state, job, holder)
        if lease in open_leases
    ]
    return sorted(found, key=lambda pair: (-pair[0], pair[1].key))


def _may_be_twinned(lease: JobLease) -> bool:
    twins = [twin for twin in lease.part.leases if twin.covers(lease.first, lease.end)]
    if not lease.covers(lease.next, lease.end) or len(twins) >= TWINS_MAX:
        return False
    return not lease.job.fold.has(lease.first)


def _last_late(
    helper: Analyser, pace: Pace, outstanding: list[tuple[float, JobLease]]
) -> int | None:
    """Return which lease an idle worker is to take over; None: none would be done sooner."""
    limit_s = REASSIGN_FACTOR * _question_s(helper, pace)
    for index, (finish_s, lease) in enumerate(outstanding):
        if finish_s <= limit_s:
            return None
        if not any(twin.analyser is helper for twin in lease.part.leases) and (
            helper.name not in lease.job.suspects(lease.first)
        ):
            return index
    return None


def _question_s(analyser: Analyser, pace: Pace) -> float:
    """Return how long a worker takes for a question."""
    return analyser.workers / pace.rate


def _lanes(state: SchedulerState, job: QuestionJob, analyser: Analyser) -> list[float]:
    """Return when each worker of an analyser is free for a question of a job, in seconds.

    It is worked out again when something changed, and at every tick.
    """
    seen = analyser.lanes
    key = (analyser.turn, analyser.is_urgent_for(job.priority), job.paces.rate_per_power)
    if seen is None or seen.key != key or state.now - seen.at >= TICK_QUESTIONS_S:
        lanes = [0.0] * analyser.workers
        for _ in _forecast(state, job, analyser, lanes):
            pass
        seen = analyser.lanes = Lanes(key, state.now, lanes)
    since_s = state.now - seen.at
    return [max(0.0, free_s - since_s) for free_s in seen.free_s] if since_s else seen.free_s


def _forecast(
    state: SchedulerState, job: QuestionJob, analyser: Analyser, lanes: list[float] | None = None
) -> Iterator[tuple[JobLease, float]]:
    """Yield leases that go before, or with, a new question of a job, each with its answer's time.

    `lanes` becomes the times at which each worker is free behind all of it.
    """
    is_away = analyser.away_until is not None or analyser.is_suspect
    heap = [0.0] * analyser.workers if lanes is None else lanes
    is_urgent = analyser.is_urgent_for(job.priority)
    for lease in analyser.in_order():
        if is_urgent and not lease.is_urgent:
            break
        need_s = _need_s(state, lease)
        finish_s = heap[0] + need_s
        heapreplace(heap, finish_s)
        yield lease, inf if is_away else finish_s
    heapify(heap)


def _need_s(state: SchedulerState, lease: JobLease) -> float:
    """Return how much longer a worker needs for a lease; an overdue one, as long as it is late."""
    pace = lease.job.paces.get(lease.analyser.number)
    if lease.is_stopped or pace is None or pace.rate <= 0.0:
        return 0.0
    expected_s = (lease.end - lease.next) * lease.analyser.workers / pace.rate
    if (
        not isinstance(lease.job, QuestionJob)
        or lease.begun_at is None
        or not lease.job.paces.rate_per_power
    ):
        return expected_s
    return abs(expected_s - (state.now - lease.begun_at))
