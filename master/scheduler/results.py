"""Incoming results: trials and answers into the fold, final replies, progress, and disputes.

Two results of one trial that differ are a dispute, which a third analyser settles. A trial that
analysers were lost at, or failed at, is repeated by the master's own machine.
"""

from collections.abc import Callable, Sequence
from typing import Any

from master.contract.commands import (
    Incident,
    IncidentKind,
    StoppedBy,
    Unsuited,
)
from master.contract.events import (
    AnswerArrived,
    AnswerKnown,
    Judged,
    Outcome,
    PartEnded,
    Progressed,
    ResultValues,
    TrialsArrived,
    Verdict,
)
from master.contract.leases import Ending, Life, ending_of
from master.fold.trials import BadValueError, FoldOutcome
from master.scheduler.dispatch import fill, may_settle
from master.scheduler.job_trials import NOBODY, Suspicion
from master.scheduler.jobs import (
    Analyser,
    Dispute,
    Job,
    JobLease,
    QuestionJob,
    TrialJob,
    advance,
    catch_up,
)
from master.scheduler.limits import (
    DEATHS_MAX,
    LEAD_FEED_SHARE,
    PACE_FIRST_S,
    REFUSALS_MAX,
    UNJUDGED_DEATHS_MAX,
)
from master.scheduler.paces import QuestionPace
from master.scheduler.question_timing import record_answer
from master.scheduler.reclaiming import (
    bury,
    end_halted,
    end_job,
    judge_here,
    quarantine,
    release,
    requeue,
    stop,
    suspect,
    withdraw,
)
from master.scheduler.state import SchedulerState
from master.scheduler.withdrawals import confirm, open_attempt, withdraw_all


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


_AT_WORK, _FAIL = Life.AT_WORK, Outcome.FAIL
"""For every part: to look a member up by its class takes 50 ns."""


def trials_arrived(state: SchedulerState, event: TrialsArrived) -> None:
    """Fold results, store the new ones, and do all that becomes possible by them."""
    analyser = state.analysers.get(event.analyser)
    lease = None if analyser is None else analyser.leases.get((event.part, event.attempt))
    values, first = event.values, event.first_seq
    if analyser is None or lease is None or lease.job.is_ended:
        state.dropped_count += len(values)
        return
    end = first + len(values)
    if first < lease.first or end > lease.end or not isinstance(lease.job, TrialJob):
        _bad_part(state, lease, f"trials {first} to {end - 1} are not in the part")
        return
    _fold_results(state, lease, first, values)


def answer_arrived(state: SchedulerState, event: AnswerArrived) -> None:
    """Keep an answer until its attempt has ended; then it is taken in, as a trial's values are."""
    analyser = state.analysers.get(event.analyser)
    lease = None if analyser is None else analyser.leases.get((event.part, event.attempt))
    if lease is None or lease.job.is_ended:
        state.dropped_count += 1
        return
    job = lease.job
    if not isinstance(job, QuestionJob):
        _bad_part(state, lease, "an answer to a part that asks nothing")
        return
    if lease.answer is None:
        record_answer(state, job, lease)
        lease.answer, lease.sent = event.text, lease.end
    _alive(state, lease)


def answer_known(state: SchedulerState, event: AnswerKnown) -> None:
    """Take in an answer that came another way; other attempts at its question may stop."""
    job = state.jobs.get(event.job)
    if job is None or job.is_ended or job.fold.has(event.seq):
        return
    job.fold.add(event.seq, (event.text,))
    job.skip_known()
    for lease in job.by_trial():
        if lease.first == event.seq and not lease.is_referee:
            catch_up(lease)
            stop(state, lease)
    conclude(state, job)


def _fold_results(
    state: SchedulerState, lease: JobLease, first: int, values: Sequence[ResultValues]
) -> None:
    """Fold results of a lease that are in its part."""
    if lease.is_referee:
        _referee_answered(state, lease, values[0])
        return
    job, analyser = lease.job, lease.analyser
    count = len(values)
    end = first + count
    pace = job.paces[analyser.number]
    if lease.is_first:
        lease.is_first = False
        pace.record_first_result(state.now - lease.handed_at, analyser.workers)
    _alive(state, lease)
    lease.sent = max(lease.sent, end)
    open_attempt(state, lease)
    try:
        if job.fold.add_run(first, values):
            _store(state, job, analyser, first, values)
        else:
            job.fold.check(values)
            _add_each(state, job, lease, first, values)
    except BadValueError as error:
        _bad_value(state, lease, f"{analyser.name}: {error}")
        return
    if lease not in lease.part.leases:
        return
    pace.counted += count
    if first == lease.next:
        advance(lease, end)
    if len(lease.part.leases) > 1:
        _stop_covered_twins(state, lease)
    if job.is_lead_bound or job.fold.folded >= job.fold.limit:
        conclude(state, job)


def _referee_answered(state: SchedulerState, lease: JobLease, values: ResultValues) -> None:
    _alive(state, lease)
    try:
        lease.job.fold.check([values])
    except BadValueError as error:
        _bad_value(state, lease, f"{lease.analyser.name}: {error}")
        return
    settle(state, lease, values)
    conclude(state, lease.job)


def _bad_value(state: SchedulerState, lease: JobLease, text: str) -> None:
    number = lease.analyser.number
    state.out.append(Incident(IncidentKind.BAD_VALUE, text, number, lease.job.number))
    quarantine(state, lease.analyser, "bad-value", text)


def _store(
    state: SchedulerState, job: Job, analyser: Analyser, first: int, values: Sequence[Any]
) -> None:
    number, count = analyser.number, len(values)
    job.record_source(number, first, first + count)
    if job.suspicions:
        for seq in range(first, first + count):
            job.suspicions.pop(seq, None)
    analyser.delivered += count
    state.result_count += count
    state.out.append(job.to_store(number, first, values))


def _add_each(
    state: SchedulerState, job: Job, lease: JobLease, first: int, values: Sequence[ResultValues]
) -> None:
    """Fold trials one by one; store the runs of new ones; open disputes about others."""
    run_first, run = first, list[ResultValues]()
    for seq, trial in enumerate(values, first):
        outcome = job.fold.add(seq, trial)
        if outcome is FoldOutcome.NEW:
            run.append(trial)
            continue
        if run:
            _store(state, job, lease.analyser, run_first, run)
        run_first, run = seq + 1, []
        if outcome is FoldOutcome.NOT_NEEDED:
            continue
        if outcome is FoldOutcome.DUPLICATE:
            state.duplicate_count += 1
            job.record_source(lease.analyser.number, seq, seq + 1)
        else:
            open_dispute(state, lease, seq, trial)
            if lease not in lease.part.leases:
                return  # it contradicted itself, and nothing of it counts
    if run:
        _store(state, job, lease.analyser, run_first, run)


def _alive(state: SchedulerState, lease: JobLease) -> None:
    """Take a sign of life in."""
    lease.moved_at = state.now
    if lease.life is not _AT_WORK:
        lease.live(_AT_WORK)
    analyser = lease.analyser
    if analyser.is_suspect:
        analyser.is_suspect = False
        analyser.update_taking()
        state.hungry[analyser.number] = analyser
        state.is_feeding_due = True


def _stop_covered_twins(state: SchedulerState, lease: JobLease) -> None:
    for twin in lease.part.leases:
        if twin is not lease and not twin.is_stopped and not twin.is_referee:
            catch_up(twin)
            if twin.next == twin.end:
                stop(state, twin)


def conclude(state: SchedulerState, job: Job) -> None:
    """End a job whose rules say so; feed those that waited for the prefix to grow."""
    fold = job.fold
    if fold.folded >= fold.limit and not job.is_ended:
        staying = job.staying
        stopped_by = job.verdict(waits_for_disputes=can_be_settled(state, job))
        if stopped_by is not None:
            end_job(state, job, stopped_by)
        elif job.staying != staying:
            _stop_needless(state, job)
    if job.is_lead_bound and job.room >= job.lead * LEAD_FEED_SHARE:
        job.is_lead_bound = False
        state.is_feeding_due = True


def _stop_needless(state: SchedulerState, job: Job) -> None:
    """Stop attempts without any needed trial; feed analysers that may have room now."""
    for lease in job.by_trial():
        if not lease.is_referee:
            catch_up(lease)
            if lease.next == lease.end:
                stop(state, lease)
    state.is_feeding_due = True


def _bad_part(state: SchedulerState, lease: JobLease, what: str) -> None:
    text = f"{lease.analyser.name}: part {lease.part.number}/{lease.attempt}: {what}"
    number = lease.analyser.number
    state.out.append(Incident(IncidentKind.BAD_PART, text, number, lease.job.number))
    quarantine(state, lease.analyser, "bad-result", text)


def part_ended(state: SchedulerState, event: PartEnded) -> None:
    """Take a final reply in: missing trials go back, and the analyser gets the next part."""
    analyser, key = state.analysers.get(event.analyser), (event.part, event.attempt)
    lease = None if analyser is None else analyser.leases.get(key)
    if analyser is None or lease is None:
        state.dropped_count += 1
        return
    job = lease.job
    _alive(state, lease)
    if event.outcome is not _FAIL:
        _count_results(state, lease)
        if analyser.leases.get(key) is not lease:
            return
    if lease.next < lease.end:
        catch_up(lease)
    release(state, lease)
    if lease.next < lease.end and not job.is_ended:
        _incomplete(state, lease, event)
    pace = job.paces.get(analyser.number)
    is_new = pace is not None and not (pace.is_observed or isinstance(pace, QuestionPace))
    if pace is not None and is_new and state.now - pace.since >= PACE_FIRST_S:
        observe(state, job, analyser)
    fill(state, analyser)
    if job.halt_until is not None:
        end_halted(state, job)


def _count_results(state: SchedulerState, lease: JobLease) -> None:
    """Let an attempt's results count, now that it has ended rightly."""
    job = lease.job
    if lease.answer is not None and not job.is_ended:
        fault = fault_of(state, job.context(lease.first), lease.answer)
        if fault:
            _bad_value(state, lease, f"{lease.analyser.name}: {job.name_of(lease.first)}: {fault}")
            return
        _fold_results(state, lease, lease.first, [(lease.answer,)])
    confirm(state, lease)
    if job.fold.folded >= job.fold.limit:
        conclude(state, job)


def fault_of(state: SchedulerState, question: str, answer: str) -> str:
    """Return why a question cannot have an answer; empty: no reason was found."""
    find = state.options.answer_fault
    return "" if find is None else find(question, answer)


def observe(state: SchedulerState, job: Job, analyser: Analyser) -> None:
    """Bring an analyser's pace in a job up to date, and the sizes that follow from it."""
    pace = job.paces[analyser.number]
    before = pace.rate
    pace.observe(state.now)
    job.paces.fleet_rate = max(0.0, job.paces.fleet_rate + pace.rate - before)
    pace.resize(analyser.workers, job.paces.fleet_rate, state.options)


def _incomplete(state: SchedulerState, lease: JobLease, event: PartEnded) -> None:
    """Deal with a final reply that left trials of the part missing."""
    ending = ending_of(event, lease)
    _ON_MISSING[ending](state, lease, event)
    requeue(state, lease)
    if ending is Ending.DONE and not lease.job.is_ended:
        _bad_part(state, lease, "it is done, but results are missing")


def _wait(state: SchedulerState, lease: JobLease, event: PartEnded) -> None:
    """Do no more than to give the trials back."""


def _drain(state: SchedulerState, lease: JobLease, event: PartEnded) -> None:
    analyser = lease.analyser
    analyser.is_draining = True
    analyser.update_taking()


def _unsuited(state: SchedulerState, lease: JobLease, event: PartEnded) -> None:
    analyser, job, text = lease.analyser, lease.job, _fail_text(lease, event)
    withdraw(state, analyser, job, text)
    state.out.append(Unsuited(analyser.number, job.number, text))


def _failed(state: SchedulerState, lease: JobLease, event: PartEnded) -> None:
    _report_fail(state, lease, event)
    suspect(state, lease, event.code)


def _report_fail(state: SchedulerState, lease: JobLease, event: PartEnded) -> str:
    number, job, text = lease.analyser.number, lease.job.number, _fail_text(lease, event)
    state.out.append(Incident(IncidentKind.PART_FAILED, text, number, job))
    return text


def _fail_text(lease: JobLease, event: PartEnded) -> str:
    return f"{lease.analyser.name}: {event.code}: {event.text or 'no reason given'}"


def _refused(state: SchedulerState, lease: JobLease, event: PartEnded) -> None:
    """Leave a context that an analyser refuses to others; try it here when a second refuses it.

    One analyser is enough where there is no other: else the job would wait for one to come.
    """
    job, analyser, text = lease.job, lease.analyser, _report_fail(state, lease, event)
    suspicion = suspect(state, lease)
    names = job.refusals.setdefault(job.refusal_key(lease.first), [])
    if analyser.name not in names:
        names.append(analyser.name)
    is_enough = len(names) >= REFUSALS_MAX or not _is_there_another(state, job, names)
    if is_enough and suspicion is not None and not job.is_context_good:
        suspicion.refusal = text
        judge_here(state, job, lease.next, suspicion)
    if isinstance(job, TrialJob):
        withdraw(state, analyser, job, text)


_ON_MISSING: dict[Ending, Callable[[SchedulerState, JobLease, PartEnded], None]] = {
    Ending.DONE: _wait,
    Ending.STOPPED: _wait,
    Ending.LEAVING: _drain,
    Ending.TOO_LONG: _failed,
    Ending.OTHER_ENGINE: _unsuited,
    Ending.REFUSED: _refused,
    Ending.FAILED: _failed,
}
"""The function for each final reply that left trials missing."""


def _is_there_another(state: SchedulerState, job: Job, names: list[str]) -> bool:
    return any(
        other.is_taking and other.name not in names
        for number, other in state.analysers.items()
        if job.may_use(number)
    )


def progressed(state: SchedulerState, event: Progressed) -> None:
    """Take a step counter in; only a counter that grows is a sign of life."""
    analyser = state.analysers.get(event.analyser)
    lease = None if analyser is None else analyser.leases.get((event.part, event.attempt))
    if lease is not None and event.steps > lease.steps:
        lease.steps = event.steps
        _alive(state, lease)


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
