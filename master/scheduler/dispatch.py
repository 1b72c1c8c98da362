"""Handing parts out: the choice of an analyser's next trials, and of their number.

Order: the first job by priority and age; in a job first a dispute that this analyser can settle,
then trials that were given back, then trials or questions never handed out.
"""

from master.contract.commands import HandOut, Unsuited
from master.contract.events import EngineOffer, JobSpec
from master.scheduler.job_trials import Piece
from master.scheduler.jobs import (
    Analyser,
    Dispute,
    Job,
    JobLease,
    Part,
    QuestionJob,
    TrialJob,
    open_lease,
)
from master.scheduler.limits import (
    PART_TARGET_S,
    TAIL_FACTOR,
    TAIL_SHARE,
    WINDOW_OUTSTANDING_MAX,
)
from master.scheduler.paces import Pace
from master.scheduler.question_timing import (
    is_sooner_elsewhere,
    lease_to_reassign,
    new_question_pace,
    reassignments,
    record_new_rate,
)
from master.scheduler.state import SchedulerState


def fill(state: SchedulerState, analyser: Analyser) -> None:
    """Hand an analyser parts until its window is full or nothing is left for it."""
    if not analyser.is_taking:
        return
    leases, number = analyser.leases, analyser.number
    for job in state.active:
        if number in job.unsuited:
            continue
        pace = job.paces.get(number) or _new_pace(state, job, analyser)
        if pace is None:
            continue
        # Parts that go at least as soon fill a window; the rest is no reason to wait.
        window, below = window_of(job, pace), analyser.held_below(job.priority)
        if below:
            window = min(window + below, WINDOW_OUTSTANDING_MAX)
        while len(leases) < window:
            if not _hand_next(state, job, analyser, pace):
                break
        else:
            state.hungry.pop(number, None)
            return
    if len(leases) < analyser.workers:
        for job in state.active:
            if number in job.paces:
                job.paces[number].was_idle = True
    if number not in state.hungry:
        state.hungry[number] = analyser


def window_of(job: Job, pace: Pace) -> int:
    """Return how many parts an analyser may hold: more where none can have its full size."""
    if not job.run_max:
        return pace.window
    parts = max(1, pace.part_trials // job.run_max)
    return min(pace.window * parts, WINDOW_OUTSTANDING_MAX)


def feed(state: SchedulerState) -> None:
    """Hand parts to analysers that ran dry, now that there may be some again."""
    state.is_feeding_due = False
    for analyser in list(state.hungry.values()):
        if not any(job.has_work() for job in state.active):
            return
        fill(state, analyser)


def suits(state: SchedulerState, job: Job, analyser: Analyser) -> bool:
    """Say whether an analyser may compute a job's trials; if not, say so once."""
    number, spec = analyser.number, job.spec
    if number in job.unsuited:
        return False
    offer = analyser.offers.get(spec.game)
    if offer is None:
        text = f"{analyser.name} does not play {spec.game}"
    elif spec.service not in offer.services:
        text = f"{analyser.name} has no service {spec.service} for {spec.game}"
    elif offer.digest != spec.engine:
        text = _other_engine(analyser.name, offer, spec)
    else:
        return True
    job.unsuited[number] = text
    state.out.append(Unsuited(number, job.number, text))
    return False


def _other_engine(name: str, offer: EngineOffer, spec: JobSpec) -> str:
    """Return the text about an analyser with another engine, with advice on how to match it."""
    its = f"{offer.name or 'our own'} ({offer.digest})"
    needed = f"{spec.engine_name or 'our own'} ({spec.engine})"
    if offer.name or spec.engine_name:
        what = "start it with the same --engine and options, or ask for its engine: --engine "
        advice = f"{what}{offer.digest}"
    else:
        advice = "install the same version of manyply on both machines"
    return f"{name} has another {spec.game} engine, {its}, and this needs {needed}: {advice}"


def _new_pace(state: SchedulerState, job: Job, analyser: Analyser) -> Pace | None:
    pace = new_pace(state, job, analyser)
    if pace is not None and isinstance(job, QuestionJob):
        record_new_rate(state, job)
    return pace


def new_pace(state: SchedulerState, job: Job, analyser: Analyser) -> Pace | None:
    """Return an analyser's pace in a job it is new to; None: it cannot compute it."""
    if not suits(state, job, analyser):
        return None
    power = max(0.0, analyser.offers[job.spec.game].power)
    if isinstance(job, QuestionJob):
        return new_question_pace(state, job, analyser, power)
    pace = Pace(power, state.now, rate=job.paces.rate_per_power * power)
    pace.resize(analyser.workers, job.paces.fleet_rate + pace.rate, state.options)
    job.paces[analyser.number] = pace
    return pace


def _hand_next(state: SchedulerState, job: Job, analyser: Analyser, pace: Pace) -> bool:
    """Hand one part of a job to an analyser; False when there is none for it."""
    if job.halt_until is not None:
        return False
    if job.disputes or job.pieces:
        if job.disputes and _hand_dispute(state, job, analyser, pace):
            return True
        if job.pieces and _hand_piece(state, job, analyser, pace):
            return True
    room = job.room
    if room <= 0:
        job.is_lead_bound = job.next_seq < job.target
        return isinstance(job, QuestionJob) and _reassign(state, job, analyser, pace)
    left = job.left_count if job.pieces or job.staying else job.target - job.next_seq
    count = part_count(state, job, analyser, pace, left)
    if count == 0:
        return False
    first, end = job.grant_fresh(job.fresh_run(min(count, room)))
    hand_out(state, job, analyser, pace, new_part(state), first, end)
    if job.staying or not isinstance(job, TrialJob):
        job.skip_known()
    return True


def reassign(state: SchedulerState, job: QuestionJob) -> None:
    """Hand questions that would be answered late to analysers with nothing better to do."""
    for analyser, lease in reassignments(state, job):
        pace = job.paces[analyser.number]
        hand_out(state, job, analyser, pace, lease.part, lease.first, lease.end)


def _reassign(state: SchedulerState, job: QuestionJob, analyser: Analyser, pace: Pace) -> bool:
    lease = lease_to_reassign(state, job, analyser, pace)
    if lease is not None:
        hand_out(state, job, analyser, pace, lease.part, lease.first, lease.end)
    return lease is not None


def part_count(state: SchedulerState, job: Job, analyser: Analyser, pace: Pace, left: int) -> int:
    """Return how many of the `left` trials a part gets; 0: none, others are sooner done."""
    share = left * pace.tail_share
    if isinstance(job, QuestionJob):
        is_sure = share >= 1.0 and _is_within_quota(job, pace, left)
        return 0 if not is_sure and is_sooner_elsewhere(state, job, analyser, pace, left) else 1
    if share >= pace.part_trials:
        return pace.part_trials
    if _would_be_last(state, job, analyser, pace, left):
        return 0
    if pace.rate > 0.0 and job.paces.fleet_rate > 0.0:
        quota = (left + job.leased) * pace.rate / job.paces.fleet_rate - pace.leased
        share = min(share, TAIL_SHARE * quota / analyser.workers)
    return max(0, int(share)) + 1


def _is_within_quota(job: QuestionJob, pace: Pace, left: int) -> bool:
    """Say whether one more is no more than an analyser's part of all, by the rates.

    The analyser asked first may have room for all questions of a short job; the others would then
    be idle until they took them over one by one.
    """
    return (pace.leased + 1) * job.paces.fleet_rate <= (left + job.leased) * pace.rate


def _would_be_last(
    state: SchedulerState, job: Job, analyser: Analyser, pace: Pace, left: int
) -> bool:
    if pace.rate <= 0.0 or job.paces.fleet_rate <= 0.0:
        return False
    mine_s = (pace.leased + 1) / pace.rate
    all_s = (left + job.leased) / job.paces.fleet_rate
    if mine_s <= max(PART_TARGET_S, TAIL_FACTOR * all_s):
        return False
    return any(
        other is not analyser and other.is_taking and job.paces[number].leased > 0
        for number, other in state.analysers.items()
        if number in job.paces
    )


def new_part(state: SchedulerState) -> Part:
    """Return a part with the next number."""
    part = Part(state.next_part)
    state.next_part += 1
    return part


def _hand_dispute(state: SchedulerState, job: Job, analyser: Analyser, pace: Pace) -> bool:
    dispute = next((d for d in job.disputes.values() if may_settle(d, analyser)), None)
    if dispute is None or dispute.referee is not None:
        return False
    seq = dispute.seq
    lease = hand_out(state, job, analyser, pace, new_part(state), seq, seq + 1)
    lease.is_referee = True
    dispute.referee = lease
    return True


def may_settle(dispute: Dispute, analyser: Analyser) -> bool:
    """Say whether an analyser is a third one, and the dispute still waits for one."""
    return dispute.referee is None and analyser.name not in dispute.names


def _hand_piece(state: SchedulerState, job: Job, analyser: Analyser, pace: Pace) -> bool:
    horizon = job.fold.folded + job.lead
    for index, piece in enumerate(job.pieces):
        if piece.first >= horizon:
            job.is_lead_bound = True
            return False
        if not _is_left_to_others(state, job, analyser, piece):
            del job.pieces[index]
            return _hand_of_piece(state, job, analyser, pace, piece, horizon)
    return False


def _is_left_to_others(
    state: SchedulerState, job: Job, analyser: Analyser, piece: Piece[Part]
) -> bool:
    """Say whether an analyser or its host failed at the piece, and some that did not are here."""
    suspicion = job.suspicions.get(piece.first)
    if suspicion is None:
        return False
    names, hosts = suspicion.names, suspicion.hosts
    if analyser.name not in names and analyser.host not in hosts:
        return False
    others = [
        other
        for number, other in state.analysers.items()
        if other.is_taking and other.name not in names and job.may_use(number)
    ]
    if analyser.name in names:
        return bool(others)
    return any(other.host not in hosts for other in others)


def _hand_of_piece(
    state: SchedulerState,
    job: Job,
    analyser: Analyser,
    pace: Pace,
    piece: Piece[Part],
    horizon: int,
) -> bool:
    """Hand out the first missing trials of a piece that was just taken from the queue."""
    fold, first = job.fold, piece.first
    while first < piece.end and fold.has(first):
        first += 1
    if first == piece.end:
        return _hand_next(state, job, analyser, pace)
    count = part_count(state, job, analyser, pace, piece.end - first + job.left_count)
    limit = min(piece.end, horizon, first + count)
    end = first
    while end < limit and not fold.has(end):
        end += 1
    if end == first:
        job.requeue(first, piece.end, piece.part)
        return False
    job.requeue(end, piece.end, None)
    part = piece.part or new_part(state)
    hand_out(state, job, analyser, pace, part, first, end)
    return True


def hand_out(
    state: SchedulerState,
    job: Job,
    analyser: Analyser,
    pace: Pace,
    part: Part,
    first: int,
    end: int,
) -> JobLease:
    """Hand trials first .. end - 1 to an analyser as the next attempt of a part."""
    lease = open_lease(part, analyser, job, pace, first, end, state.now)
    state.out.append(
        HandOut(
            analyser.number,
            part.number,
            part.attempts,
            job.number,
            first,
            end - first,
            job.context(first),
            job.spec.service,
            lease.is_urgent,
        )
    )
    return lease
