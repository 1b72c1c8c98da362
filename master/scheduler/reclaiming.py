"""Analysers that come, change and go, and the work that is taken back from them."""

from master.contract.commands import (
    Incident,
    IncidentKind,
    JobEnded,
    JudgeHere,
    Quarantine,
    StopPart,
    StoppedBy,
)
from master.contract.events import (
    AnalyserDraining,
    AnalyserLost,
    AnalyserReady,
    AnalyserResized,
    EngineOffer,
)
from master.contract.leases import Life
from master.scheduler.dispatch import fill
from master.scheduler.job_trials import Suspicion
from master.scheduler.jobs import (
    Analyser,
    Job,
    JobLease,
    QuestionJob,
    TrialJob,
    begin_waiting,
    catch_up,
    close_lease,
)
from master.scheduler.limits import DEATHS_MAX, JUDGED_MAX
from master.scheduler.paces import Paces
from master.scheduler.question_timing import record_no_answer
from master.scheduler.state import SchedulerState
from master.scheduler.withdrawals import discard, withdraw_all


def release(state: SchedulerState, lease: JobLease) -> None:
    """Take a lease off all tables; its missing trials are the caller's to give back.

    Unless its results were confirmed before, they are taken out.
    """
    discard(state, lease)
    close_lease(lease, state.now)
    if lease.is_referee:
        for dispute in lease.job.disputes.values():
            if dispute.referee is lease:
                dispute.referee = None


def requeue(state: SchedulerState, lease: JobLease) -> None:
    """Put a lease's missing trials back in front of the queue, unless a twin computes them."""
    if lease.is_given_back or lease.is_referee or lease.job.is_ended:
        return
    lease.give_back()
    has, first = lease.job.fold.has, lease.next
    while first < lease.end and has(first):
        first += 1
    if first == lease.end:
        return
    if any(twin.covers(first, lease.end) for twin in lease.part.leases if twin is not lease):
        return
    lease.job.requeue(first, lease.end, lease.part)
    state.is_feeding_due = True


def stop(state: SchedulerState, lease: JobLease) -> None:
    """Ask for an early end of a lease, once, unless only its final reply is missing."""
    if not lease.is_stopped:
        lease.stop()
        lease.analyser.turn += 1
        job = lease.job
        if isinstance(job, QuestionJob) and lease.sent < lease.end:
            record_no_answer(state, job, lease)
        if lease.analyser.away_until is None and lease.sent < lease.end:
            number = lease.analyser.number
            state.out.append(StopPart(number, *lease.key))


def suspect(state: SchedulerState, lease: JobLease, code: str = "") -> Suspicion | None:
    """Note that an analyser was lost at the trial a lease was at, or failed; None: at none.

    Losses prove nothing: machines come and go. After some of them the trial is repeated here.
    """
    job, analyser = lease.job, lease.analyser
    if job.is_ended or lease.is_referee:
        return None
    catch_up(lease)
    if lease.next == lease.end:
        return None
    suspicion = job.suspicions.setdefault(lease.next, Suspicion())
    suspicion.note(analyser.name, analyser.host, code, state.now)
    if len(suspicion.names) >= DEATHS_MAX and state.judged_count < JUDGED_MAX:
        judge_here(state, job, lease.next, suspicion)
    return suspicion


def judge_here(state: SchedulerState, job: Job, seq: int, suspicion: Suspicion) -> None:
    """Have a trial repeated on this machine, unless it is already."""
    if suspicion.is_judged:
        return
    suspicion.judge()
    state.judged_count += 1
    spec, names = job.spec, ", ".join(suspicion.names)
    text = f"{job.name_of(seq)} is repeated here: analysers were lost at it, or failed ({names})"
    state.out.append(Incident(IncidentKind.JUDGED_HERE, text, None, job.number))
    context = job.context(seq)
    state.out.append(JudgeHere(job.number, seq, spec.game, spec.engine, context, spec.service))


def bury(state: SchedulerState, job: Job, seq: int, what: str) -> None:
    """Fail a job because one of its trials cannot be computed, and name that."""
    names = ", ".join(job.suspects(seq))
    text = f"{job.name_of(seq)} is given up: {what} ({names})"
    state.out.append(Incident(IncidentKind.TRIAL_BURIED, text, None, job.number))
    end_job(state, job, StoppedBy.FAILED, text, seq)


def end_job(
    state: SchedulerState, job: Job, stopped_by: StoppedBy, text: str = "", seq: int | None = None
) -> None:
    """End a job: its parts are stopped, and nothing more of it is taken in."""
    assert not job.is_ended, "a job ends once"
    job.is_ended = True
    job.halt_until = None
    state.active.remove(job)
    job.pieces.clear()
    job.resting.clear()
    job.disputes.clear()
    for lease in job.by_trial():
        stop(state, lease)
    state.out.append(JobEnded(job.number, stopped_by, text, seq))
    state.is_feeding_due = True


def end_halted(state: SchedulerState, job: Job) -> None:
    """Announce a halted job's end as soon as none of its parts is outstanding."""
    if job.halt_until is not None and (state.now >= job.halt_until or not job.leases):
        for lease in list(job.unconfirmed):
            discard(state, lease)
        end_job(state, job, StoppedBy.HALTED)


def drop_analyser(state: SchedulerState, analyser: Analyser, is_death: bool) -> None:
    """Forget an analyser and give its parts back."""
    del state.analysers[analyser.number]
    state.hungry.pop(analyser.number, None)
    analyser.is_taking = False
    running = [lease for lease in analyser.running() if not lease.is_given_back]
    leases = list(analyser.leases.values())
    jobs = {lease.job.number: lease.job for lease in leases}
    for lease in leases:
        if is_death and lease in running:
            suspect(state, lease)
        release(state, lease)
        requeue(state, lease)
    for paces in state.paces.values():
        paces.leave(analyser.number)
    for job in state.jobs.values():
        job.paces.leave(analyser.number)
        job.unsuited.pop(analyser.number, None)
    for job in jobs.values():
        end_halted(state, job)
    state.is_feeding_due = True


def withdraw(state: SchedulerState, analyser: Analyser, job: Job, text: str) -> None:
    """Take all parts of one job from an analyser that cannot compute it after all, and why."""
    for lease in list(analyser.leases.values()):
        if lease.job is job:
            stop(state, lease)
            release(state, lease)
            requeue(state, lease)
    job.unsuited[analyser.number] = text
    if isinstance(job, TrialJob):  # others of its kind go on, and meet the same soon
        job.paces.leave(analyser.number)


def quarantine(state: SchedulerState, analyser: Analyser, code: str, text: str) -> None:
    """Trust an analyser no more: take its parts back and have its connection ended.

    Its breach speaks against it, and not against the trials that it was working on.
    """
    drop_analyser(state, analyser, is_death=False)
    withdraw_all(state, analyser.name, text)
    state.out.append(Quarantine(analyser.number, code, text))


def analyser_ready(state: SchedulerState, event: AnalyserReady) -> None:
    """Take an analyser in, or go on with one that came back within its grace."""
    analyser = state.analysers.get(event.analyser)
    offers = {offer.game: offer for offer in event.engines}
    if analyser is None:
        workers = max(1, event.workers)
        analyser = Analyser(event.analyser, event.name, workers, offers, host=event.host)
        state.analysers[event.analyser] = analyser
    else:
        _come_back(state, analyser)
        _resize(state, analyser, max(1, event.workers), offers)
    fill(state, analyser)


def analyser_resized(state: SchedulerState, event: AnalyserResized) -> None:
    """Give an analyser parts for its further workers, or only as many as fewer can compute."""
    analyser = state.analysers.get(event.analyser)
    if analyser is not None:
        offers = {offer.game: offer for offer in event.engines}
        _resize(state, analyser, max(1, event.workers), offers)
        fill(state, analyser)


def _resize(
    state: SchedulerState, analyser: Analyser, workers: int, offers: dict[str, EngineOffer]
) -> None:
    """Take over an analyser's new workers and engines; surplus parts in hand are finished."""
    number, factor = analyser.number, workers / analyser.workers
    for job in state.active:
        before, now = (each.get(job.spec.game) for each in (analyser.offers, offers))
        if now is not None and (before is None or not before.is_like(now)):
            job.unsuited.pop(number, None)  # it may be able to now
    analyser.workers, analyser.offers = workers, offers
    analyser.turn += 1  # its cached lanes are of the former workers
    for fleet, game in _paces_of(state, number):
        pace = fleet[number]
        before_rate, pace.power = pace.rate, offers[game].power if game in offers else pace.power
        pace.rescale(factor, state.now)
        fleet.fleet_rate = max(0.0, fleet.fleet_rate + pace.rate - before_rate)
        pace.resize(workers, fleet.fleet_rate, state.options)
    begin_waiting(analyser, state.now)


def _paces_of(state: SchedulerState, number: int) -> list[tuple[Paces, str]]:
    """Return each fleet that an analyser has a pace in, once, and the game of it."""
    fleets = {id(job.paces): (job.paces, job.spec.game) for job in state.active}
    return [(fleet, game) for fleet, game in fleets.values() if number in fleet]


def _come_back(state: SchedulerState, analyser: Analyser) -> None:
    """Go on with a session: its parts' clocks start anew.

    A part that showed no sign of life may never have arrived: its silence is the only sign of that.
    A request to stop may have been lost, or was not sent while it was away: it is repeated.
    """
    analyser.away_until = None
    analyser.is_suspect = False
    analyser.update_taking()
    for lease in analyser.leases.values():
        is_doubtful = lease.moved_at is None or lease.life is Life.DOUBTFUL
        lease.live(Life.DOUBTFUL if is_doubtful else Life.AT_WORK)
        lease.moved_at = None
        if lease.is_stopped and lease.sent < lease.end:
            state.out.append(StopPart(analyser.number, *lease.key))


def analyser_lost(state: SchedulerState, event: AnalyserLost) -> None:
    """Hold a session's parts for its grace, or give them back at once."""
    analyser = state.analysers.get(event.analyser)
    if analyser is None:
        return
    if event.breach:
        text = f"{analyser.name}: {event.reason}"
        state.out.append(Incident(IncidentKind.RULE_BROKEN, text, analyser.number))
        quarantine(state, analyser, event.breach, text)
    elif event.grace_s > 0.0:
        analyser.away_until = state.now + event.grace_s
        state.tick_at = min(state.tick_at, analyser.away_until)
        analyser.update_taking()
        state.hungry.pop(analyser.number, None)
    else:
        drop_analyser(state, analyser, is_death=not event.is_orderly)


def analyser_draining(state: SchedulerState, event: AnalyserDraining) -> None:
    """Hand an analyser no new parts."""
    analyser = state.analysers.get(event.analyser)
    if analyser is not None:
        analyser.is_draining = True
        analyser.update_taking()
        state.hungry.pop(analyser.number, None)
