"""The last judge: a trial that analysers were lost at, or failed at, was repeated here."""

from master.contract.commands import Incident, IncidentKind, StoppedBy
from master.contract.events import Judged, ResultValues, Verdict
from master.fold.trials import BadValueError
from master.scheduler.job_kinds import QuestionJob, TrialJob
from master.scheduler.job_trials import NOBODY, Suspicion
from master.scheduler.jobs import Job
from master.scheduler.limits import DEATHS_MAX, UNJUDGED_DEATHS_MAX
from master.scheduler.outstanding import catch_up
from master.scheduler.reclaiming import bury, end_job, stop
from master.scheduler.results import conclude, fault_of
from master.scheduler.state import SchedulerState


def judged(state: SchedulerState, event: Judged) -> None:
    """Take the values in, fail the job, or leave the trial to the analysers."""
    state.judged_count -= 1
    job = state.jobs.get(event.job)
    suspicion = None if job is None else job.suspicions.get(event.seq)
    if job is None or job.is_ended or suspicion is None or not suspicion.is_judged:
        return
    if job.fold.has(event.seq):  # it is needed no more, or an analyser was sooner
        del job.suspicions[event.seq]
        job.resting.pop(event.seq, None)
        return
    if event.verdict is Verdict.COMPUTED:
        _take_in(state, job, event.seq, event.values)
    elif event.verdict is Verdict.FAILED:
        bury(state, job, event.seq, event.text)
    else:
        _leave(state, job, event.seq, suspicion, event.text)


def _take_in(state: SchedulerState, job: Job, seq: int, values: ResultValues) -> None:
    """Fold the result computed here; the trial is good, and analysers that work on it may stop."""
    if isinstance(job, QuestionJob) and (
        fault := fault_of(state, job.context(seq), str(values[0]))
    ):
        bury(state, job, seq, f"answered here: {fault}")
        return
    try:
        job.fold.add(seq, values)
    except BadValueError as error:
        bury(state, job, seq, f"computed here: {error}")
        return
    job.is_context_good = isinstance(job, TrialJob)
    job.refusals.pop(job.refusal_key(seq), None)
    del job.suspicions[seq]
    job.resting.pop(seq, None)
    state.result_count += 1
    state.out.append(job.to_store(NOBODY, seq, [values]))
    for lease in job.by_trial():
        if lease.first <= seq < lease.end and not lease.is_referee:
            catch_up(lease)
            if lease.next == lease.end:
                stop(state, lease)
    conclude(state, job)


def _leave(state: SchedulerState, job: Job, seq: int, suspicion: Suspicion, why: str) -> None:
    """Decide without a judge: give the trial back until there is much evidence against it."""
    if suspicion.refusal:
        end_job(state, job, StoppedBy.FAILED, suspicion.refusal, seq)
        return
    if len(suspicion.names) >= UNJUDGED_DEATHS_MAX or suspicion.agreeing_hosts >= DEATHS_MAX:
        bury(state, job, seq, f"it cannot be repeated here: {why}")
        return
    suspicion.rest(state.now)
    text = f"{job.name_of(seq)} is given to analysers again: it cannot be repeated here: {why}"
    state.out.append(Incident(IncidentKind.JUDGED_HERE, text, None, job.number))
