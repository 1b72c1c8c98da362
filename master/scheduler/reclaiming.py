"""Taking work back: leases that end, analysers that go, trials that analysers die of."""

from master.contract.commands import (
    Incident,
    IncidentKind,
    JobEnded,
    JudgeHere,
    Quarantine,
    StopPart,
    StoppedBy,
)
from master.scheduler.job_kinds import QuestionJob, TrialJob
from master.scheduler.job_trials import Suspicion
from master.scheduler.jobs import Analyser, Job, JobLease
from master.scheduler.limits import DEATHS_MAX, JUDGED_MAX
from master.scheduler.outstanding import catch_up, close_lease
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
            state.out.append(StopPart(number, lease.part.number, lease.attempt))


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
