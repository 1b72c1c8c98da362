"""The scheduler: the choice of parts for analysers. Pure: events and time in, commands out.

Rules, in short (the modules beside this one hold one each): a trial is computed at least once and
folded exactly once; only trials below the folded prefix plus a lead are handed out; each analyser
holds a window of parts that last about a second and shrink towards the end of a job; trials that an
analyser did not finish go back to the front of the queue; late twins are compared.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
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
from master.scheduler.dispatch import feed
from master.scheduler.job_kinds import QuestionJob
from master.scheduler.jobs import Analyser, JobLease
from master.scheduler.judging import judged
from master.scheduler.limits import SchedulerOptions
from master.scheduler.results import (
    answer_arrived,
    answer_known,
    part_ended,
    progressed,
    trials_arrived,
)
from master.scheduler.sessions import (
    analyser_draining,
    analyser_lost,
    analyser_ready,
    analyser_resized,
)
from master.scheduler.state import SchedulerState
from master.scheduler.statuses import AnalyserStatus, JobStatus, LeaseStatus
from master.scheduler.submissions import (
    job_extended,
    job_halted,
    job_prioritised,
    job_submitted,
)
from master.scheduler.validation import validate
from master.scheduler.waiting import parts_waiting
from master.scheduler.watch import tick
from master.scheduler.withdrawals import announce_opened

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
        """How many parts could be handed to further analysers now: see master.scheduler.waiting."""
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
                trials_target=None if job.rule.trials is None else job.target,
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
