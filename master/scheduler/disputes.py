"""Disputes: two results of one trial that differ, settled by a third analyser."""

from master.contract.commands import Incident, IncidentKind, StoppedBy
from master.contract.events import ResultValues
from master.scheduler.dispatch import may_settle
from master.scheduler.jobs import Dispute, Job, JobLease
from master.scheduler.reclaiming import end_job, quarantine
from master.scheduler.state import SchedulerState
from master.scheduler.withdrawals import withdraw_all


def open_dispute(state: SchedulerState, lease: JobLease, seq: int, claimed: ResultValues) -> None:
    """Note that a lease brought another result for a trial than the one known."""
    job, analyser = lease.job, lease.analyser
    known, source = job.fold.values_at(seq), job.source(seq)
    assert known is not None, "only a known result can be contradicted"
    first_name = job.names.get(source, "the store")
    text = f"{job.name_of(seq)}: {analyser.name} says {claimed}, {first_name} said {known}"
    if first_name == analyser.name:
        state.out.append(Incident(IncidentKind.RULE_BROKEN, text, analyser.number, job.number))
        quarantine(state, analyser, "bad-result", text)
        return
    state.out.append(Incident(IncidentKind.TWIN_MISMATCH, text, analyser.number, job.number))
    if seq not in job.disputes:
        names = frozenset({analyser.name, first_name})
        job.disputes[seq] = Dispute(seq, known, source, claimed, analyser.number, names)
        state.is_feeding_due = True


def can_be_settled(state: SchedulerState, job: Job) -> bool:
    """Say whether a third analyser is asked about one of a job's disputes, or can be."""
    return any(
        dispute.referee is not None
        or any(
            may_settle(dispute, analyser)
            for number, analyser in state.analysers.items()
            if job.may_use(number) and analyser.is_taking
        )
        for dispute in job.disputes.values()
    )


def settle(state: SchedulerState, lease: JobLease, values: ResultValues) -> None:
    """Take the third result in: the analyser that gave the odd one is trusted no more."""
    job, seq = lease.job, lease.first
    dispute = job.disputes.pop(seq, None)
    if dispute is None:
        return
    if values == dispute.known:
        _condemn(state, job, dispute, dispute.claimed_by)
    elif values == dispute.claimed:
        job.correct(seq, values)
        job.sources[seq] = dispute.claimed_by + 1
        state.out.append(job.to_correct(dispute.claimed_by, seq, values))
        _condemn(state, job, dispute, dispute.known_by)
    else:
        text = f"three analysers give three results for {job.name_of(seq)}"
        state.out.append(Incident(IncidentKind.MISMATCH_SETTLED, text, None, job.number))
        end_job(state, job, StoppedBy.FAILED, text, seq)


def _condemn(state: SchedulerState, job: Job, dispute: Dispute, odd: int) -> None:
    name = job.names.get(odd, "the store")
    others = sum(1 for source in job.sources if source == odd + 1)
    text = f"{name} stands alone with its result of {job.name_of(dispute.seq)}"
    note = f"{text}; {others} other results of that job are from it"
    state.out.append(Incident(IncidentKind.MISMATCH_SETTLED, note, odd, job.number))
    if odd in state.analysers:
        quarantine(state, state.analysers[odd], "bad-result", text)
    elif odd in job.names:
        withdraw_all(state, name, text)
