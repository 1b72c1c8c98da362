"""The scheduler: the choice of parts for analysers. Pure: events and time in, commands out.

Rules, in short (the modules beside this one hold one each): a trial is computed at least once and
folded exactly once; only trials below the folded prefix plus a lead are handed out; each analyser
holds a window of parts that last about a second and shrink towards the end of a job; trials that an
analyser did not finish go back to the front of the queue; late twins are compared.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from master.contract.commands import Command
from master.contract.events import (
    AnalyserDraining,
    AnalyserLost,
    AnalyserReady,
    AnalyserResized,
    AnswerArrived,
    AnswerKnown,
    Event,
    JobExtended,
    JobHalted,
    JobPrioritised,
    JobSubmitted,
    Judged,
    PartEnded,
    Progressed,
    Tick,
    TrialsArrived,
)
from master.fold.answers import AnswerFold
from master.fold.trials import TrialFold
from master.scheduler import paces
from master.scheduler.dispatch import feed
from master.scheduler.jobs import Analyser, Job, JobLease, QuestionJob
from master.scheduler.limits import (
    LEAD_TRIALS_MAX,
    WINDOW_MAX,
    WINDOW_OUTSTANDING_MAX,
    SchedulerOptions,
)
from master.scheduler.reclaiming import (
    analyser_draining,
    analyser_lost,
    analyser_ready,
    analyser_resized,
)
from master.scheduler.results import (
    answer_arrived,
    answer_known,
    judged,
    part_ended,
    progressed,
    trials_arrived,
)
from master.scheduler.state import SchedulerState
from master.scheduler.submissions import (
    job_extended,
    job_halted,
    job_prioritised,
    job_submitted,
)
from master.scheduler.watch import tick
from master.scheduler.withdrawals import announce_opened


@dataclass(frozen=True, slots=True)
class LeaseStatus:
    """An attempt.

    Args:
        job: the number of its job of trials; None: it is a question.
        first: its first trial, or question.
        count: how many.
    """

    job: int | None
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class AnalyserStatus:
    """One analyser as a display shows it.

    Args:
        analyser: the session.
        name: as it announced itself.
        workers: its worker threads.
        state: "ready", "away" (its session may come back), "draining", "suspect", or "unsuited"
            (it can compute none of the jobs that go on).
        parts: parts outstanding.
        window: how many parts it may hold.
        trials: results it has delivered that were new.
        trials_per_s: its observed rate; 0.0 before the first result.
        lease: the lease that it computes first; None: none.
        text: of an unsuited one the reason, for people.
    """

    analyser: int
    name: str
    workers: int
    state: str
    parts: int
    window: int
    trials: int
    trials_per_s: float
    lease: LeaseStatus | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class JobStatus:
    """One job as a display shows it.

    Args:
        is_ended: no more parts will be handed out.
        trials_target: trials over all alternatives until its limit; None: no limit.
        folded: trials in the folded prefix.
        held: results that wait for a gap to close.
        leased: trials outstanding at analysers, counted for each attempt.
    """

    job: int
    is_ended: bool
    trials_target: int | None
    folded: int
    held: int
    leased: int


_ACTIONS: dict[type, Callable[[SchedulerState, Any], None]] = {
    TrialsArrived: trials_arrived,
    AnswerArrived: answer_arrived,
    PartEnded: part_ended,
    Progressed: progressed,
    AnalyserReady: analyser_ready,
    AnalyserResized: analyser_resized,
    AnalyserLost: analyser_lost,
    AnalyserDraining: analyser_draining,
    JobSubmitted: job_submitted,
    AnswerKnown: answer_known,
    Judged: judged,
    JobHalted: job_halted,
    JobExtended: job_extended,
    JobPrioritised: job_prioritised,
    Tick: lambda state, _: None,
}
"""The function for each event. Each function takes the one event type it is listed for."""


class Scheduler:
    """Hand trials out to analysers and fold their results, each trial exactly once.

    `now` is monotonic seconds from any origin and never goes back. Deterministic: the same events
    at the same times give the same commands.
    """

    def __init__(self, options: SchedulerOptions | None = None, first_part: int = 1) -> None:
        """Start with no analysers and no jobs.

        Args:
            options: fixed sizes, for benches; None: adapted ones.
            first_part: number of the first part.
        """
        self._state = SchedulerState(options or SchedulerOptions(), next_part=first_part)

    @property
    def next_deadline(self) -> float | None:
        """When a Tick is due at the latest; None: not before another event."""
        state = self._state
        if state.active and state.analysers:
            return state.tick_at
        if any(a.leases or a.away_until is not None for a in state.analysers.values()):
            return state.tick_at
        return None

    def handle(self, event: Event, now: float) -> list[Command]:
        """Take one event in and return the commands, in order."""
        return self.handle_all((event,), now)

    def handle_all(self, events: Sequence[Event], now: float) -> list[Command]:
        """Take events in; return what `handle` would for each of them, one after another.

        But that attempts which begin and end among them are not marked in between.
        """
        state = self._state
        assert now >= state.now, "time never goes back"
        state.now = now
        for event in events:
            _ACTIONS[type(event)](state, event)
            if state.is_feeding_due:
                feed(state)
            if now >= state.tick_at:
                tick(state)
        if state.opened:
            announce_opened(state)
        out, state.out = state.out, []
        if state.options.log is not None:
            state.options.log(now, events, out)
        return out

    def fold(self, job: int) -> TrialFold:
        """Return the fold of a job of trials; KeyError when it is unknown or forgotten."""
        fold = self._state.jobs[job].fold
        assert isinstance(fold, TrialFold), "a job of questions has answers"
        return fold

    def answers(self, job: int) -> AnswerFold:
        """Return the fold of a job of questions; KeyError when it is unknown or forgotten."""
        fold = self._state.jobs[job].fold
        assert isinstance(fold, AnswerFold), "a job of trials has values"
        return fold

    def sources(self, job: int, first: int, end: int) -> Counter[str]:
        """Return of how many of a job's trials first .. end - 1 each analyser's results count.

        By its name; trials from the store, or not needed, have none.
        """
        found, fold = self._state.jobs[job], self.fold(job)
        sources: Iterable[int] = found.sources[first:end]
        if fold.retired_count:
            pairs = enumerate(sources, first)
            sources = [source for seq, source in pairs if not fold.is_retired(seq)]
        names: Counter[str] = Counter()
        for source, count in Counter(sources).items():
            if source:
                names[found.names[source - 1]] += count
        return names

    def has_questions(self, job: int) -> bool:
        """Say whether a job that was not forgotten is one of questions."""
        return isinstance(self._state.jobs.get(job), QuestionJob)

    def forget(self, job: int) -> None:
        """Drop an ended job and its fold."""
        assert self._state.jobs[job].is_ended, "a running job is not forgotten"
        del self._state.jobs[job]

    def lead(self, job: int) -> int:
        """Return how far ahead of a job's folded prefix trials may be handed out now."""
        return self._state.jobs[job].lead

    @property
    def parts_waiting(self) -> int:
        """How many parts could be handed to further analysers now."""
        return parts_waiting(self._state)

    @property
    def result_count(self) -> int:
        """Results that were new."""
        return self._state.result_count

    @property
    def dropped_count(self) -> int:
        """Results that named a part that is gone."""
        return self._state.dropped_count

    @property
    def duplicate_count(self) -> int:
        """Results of trials that were known already, with the same values."""
        return self._state.duplicate_count

    def analysers(self) -> list[AnalyserStatus]:
        """Return all analysers, in order of their numbers."""
        return [self._view(a) for _, a in sorted(self._state.analysers.items())]

    def analyser_counts(self) -> tuple[int, int, int]:
        """Return how many analysers there are, how many are ready, and the workers of those."""
        analysers = self._state.analysers.values()
        workers = [a.workers for a in analysers if self._state_word(a) == "ready"]
        return len(analysers), len(workers), sum(workers)

    def _view(self, analyser: Analyser) -> AnalyserStatus:
        number = analyser.number
        fleets = {id(job.paces): job.paces for job in self._state.active}  # some jobs share theirs
        first = next(analyser.in_order(), None)
        paces = [fleet[number] for fleet in fleets.values() if number in fleet]
        return AnalyserStatus(
            analyser=number,
            name=analyser.name,
            workers=analyser.workers,
            state=self._state_word(analyser),
            parts=len(analyser.leases),
            window=paces[0].window if paces else 0,
            trials=analyser.delivered,
            trials_per_s=sum(pace.rate for pace in paces if pace.is_observed and pace.leased),
            lease=None if first is None else _lease_status(first),
            text=self._unsuited_text(analyser),
        )

    def _state_word(self, analyser: Analyser) -> str:
        if analyser.away_until is not None:
            return "away"
        if analyser.is_suspect:
            return "suspect"
        if analyser.is_draining:
            return "draining"
        return "unsuited" if self._unsuited_text(analyser) else "ready"

    def _unsuited_text(self, analyser: Analyser) -> str:
        """Return why an analyser can compute none of the jobs that go on; empty: it can."""
        texts = [job.unsuited.get(analyser.number, "") for job in self._state.active]
        return texts[0] if texts and all(texts) else ""

    def jobs(self) -> list[JobStatus]:
        """Return all jobs that were not forgotten, in order of their numbers."""
        return [
            JobStatus(
                job=number,
                is_ended=job.is_ended,
                trials_target=None if job.rule.goal.trials is None else job.target,
                folded=job.fold.folded,
                held=job.fold.held_count,
                leased=job.leased,
            )
            for number, job in sorted(self._state.jobs.items())
        ]

    def validate_state(self) -> None:
        """Assert every invariant; for tests."""
        validate(self._state)


def _lease_status(lease: JobLease) -> LeaseStatus:
    job = None if isinstance(lease.job, QuestionJob) else lease.job.number
    return LeaseStatus(job, lease.first, lease.end - lease.first)


def parts_waiting(state: SchedulerState) -> int:
    """Return how many parts could be handed to further analysers now.

    After each event every analyser that may hold more was handed it. So parts that could be handed
    out and were not wait for a further analyser; parts at analysers do not.

    For each active job: its trials that may be handed out and that no analyser has, in parts that
    one worker of its fleet plays in about a second, rounded up; each question, and each dispute
    without a referee, is a part.  A part has one trial while no analyser's rate is known.

    Returns:
        0 exactly when a further analyser that is idle, fast, and suits every job would be handed
        only parts that others have as well.
    """
    return sum(_waiting(state, job) for job in state.active if job.halt_until is None)


def _waiting(state: SchedulerState, job: Job) -> int:
    disputes = sum(dispute.referee is None for dispute in job.disputes.values())
    return ceil(_open_count(job) / _part_trials(state, job)) + disputes


def _open_count(job: Job) -> int:
    """Return how many trials or questions may be handed out now and are not outstanding."""
    has, horizon = job.fold.has, job.fold.folded + job.lead
    fresh = range(job.next_seq, job.next_seq + max(0, job.room))
    # Of questions any may be known from elsewhere; trials never handed out are not, or not needed.
    is_parted = isinstance(job, QuestionJob) or job.staying
    count = sum(not has(seq) for seq in fresh) if is_parted else len(fresh)
    for piece in job.pieces:
        count += sum(not has(seq) for seq in range(piece.first, min(piece.end, horizon)))
    return count


def _part_trials(state: SchedulerState, job: Job) -> int:
    """Return how many trials a part has for one worker such as the job's are by now."""
    if isinstance(job, QuestionJob):
        return 1
    here = (state.analysers[number] for number in job.paces)
    workers = sum(a.workers for a in here if a.away_until is None and not a.is_suspect)
    rate = job.paces.fleet_rate / workers if workers else 0.0
    return state.options.part_trials or paces.part_trials(rate, 1)


def validate(state: SchedulerState) -> None:
    """Assert every invariant."""
    assert not state.is_feeding_due, "whoever could be fed was fed"
    assert state.active == sorted(state.active, key=lambda job: job.rank)
    for job in state.jobs.values():
        assert job.is_ended == (job not in state.active)
        _validate_job(state, job)
    for number, analyser in state.analysers.items():
        assert number == analyser.number
        _validate_analyser(state, analyser)
    for number, analyser in state.hungry.items():
        assert state.analysers[number] is analyser, "only analysers that are there are hungry"


def _validate_analyser(state: SchedulerState, analyser: Analyser) -> None:
    ceiling = state.options.window or max(WINDOW_MAX, 2 * analyser.workers)
    if any(job.run_max for job in state.jobs.values()):
        ceiling = WINDOW_OUTSTANDING_MAX  # parts are smaller there
    for priority, count in enumerate(analyser.held):
        leases = [x for x in analyser.leases.values() if x.job.priority == priority]
        assert len(leases) == count
        held = [count]  # of each window that was filled for itself
        for job in (job for job in state.jobs.values() if job.was_moved):
            moved = sum(lease.job is job for lease in leases)
            held = [held[0] - moved, *held[1:], moved]
        assert max(held) <= ceiling, "a window was exceeded"
    assert analyser.urgent_count == sum(lease.is_urgent for lease in analyser.leases.values())
    for key, lease in analyser.leases.items():
        assert key == lease.key
        assert lease.analyser is analyser
        assert lease in lease.part.leases
        assert lease.first <= lease.next <= lease.end
        if lease.job.is_ended:
            assert lease.is_stopped, "parts of an ended job are stopped"


def _validate_job(state: SchedulerState, job: Job) -> None:
    leases = job.by_trial()
    assert job.leased == sum(lease.end - lease.next for lease in leases)
    held = [x for a in state.analysers.values() for x in a.leases.values() if x.job is job]
    assert set(held) == set(leases)
    sharing = [x for other in state.jobs.values() if other.paces is job.paces for x in other.leases]
    for number, pace in job.paces.items():
        mine = [lease for lease in sharing if lease.analyser.number == number]
        assert pace.leased == sum(lease.end - lease.next for lease in mine)
    if job.is_ended:
        return
    assert job.fold.folded <= job.next_seq or job.fold.folded >= job.target
    folded_max = max(job.fold.folded, job.folded_max)
    assert job.next_seq - folded_max <= LEAD_TRIALS_MAX or not leases
    assert all(lease in leases for lease in job.unconfirmed), "an attempt that is gone counts not"
    assert job.pieces == sorted(job.pieces)
    missing = {seq for seq in range(job.fold.folded, job.next_seq) if not job.fold.has(seq)}
    for piece in job.pieces:
        missing.difference_update(range(piece.first, piece.end))
    missing.difference_update(job.resting)
    for lease in leases:
        if not lease.is_given_back and not lease.is_referee:
            missing.difference_update(range(lease.first, lease.end))
    assert not missing, f"trials {sorted(missing)[:5]} are nobody's"
