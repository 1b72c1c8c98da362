"""The effects of time: paces, sessions that stay away, parts that stand still, parts that are late.

All of them are checked at ticks, TICK_INTERVAL_S apart.
"""

from master.contract.commands import Incident, IncidentKind
from master.contract.leases import Life
from master.scheduler.dispatch import feed, hand_out, reassign
from master.scheduler.jobs import Analyser, Job, JobLease, QuestionJob, catch_up
from master.scheduler.limits import (
    CONFIRM_WAIT_S,
    HEDGES_PER_TICK_MAX,
    LATE_FACTOR,
    TICK_INTERVAL_S,
    TWINS_MAX,
)
from master.scheduler.paces import Pace, lead, stall_after_s
from master.scheduler.question_timing import refresh_paces
from master.scheduler.reclaiming import (
    drop_analyser,
    end_halted,
    release,
    requeue,
    stop,
    suspect,
)
from master.scheduler.results import conclude
from master.scheduler.state import SchedulerState
from master.scheduler.withdrawals import discard


def tick(state: SchedulerState) -> None:
    """Do all that is due by now."""
    state.set_tick()
    for analyser in list(state.analysers.values()):
        if analyser.away_until is None:
            if analyser.leases:
                _find_stalls(state, analyser)
        elif state.now >= analyser.away_until:
            drop_analyser(state, analyser, is_death=True)
        else:
            state.tick_at = min(state.tick_at, analyser.away_until)
    for job in list(state.active):
        end_halted(state, job)
        job.end_rests(state.now)
        if not job.is_ended:
            _refresh(state, job)
        if job.disputes or job.fold.folded >= job.fold.limit:
            _discard_silent(state, job)
            conclude(state, job)
    feed(state)
    _hedge(state)


def _discard_silent(state: SchedulerState, job: Job) -> None:
    """Give up the results of attempts that a stop rule waits for and that give no sign of life."""
    for lease in list(job.unconfirmed):
        moved_at = lease.handed_at if lease.moved_at is None else lease.moved_at
        if state.now - moved_at >= CONFIRM_WAIT_S:
            discard(state, lease)


def _refresh(state: SchedulerState, job: Job) -> None:
    """Bring a job's paces up to date, and the sizes and the lead that follow from them."""
    if isinstance(job, QuestionJob):
        if job.paces.refreshed_at < state.now:
            refresh_paces(state, job)
        return
    capacity, fleet_rate, observed, power = 0, 0.0, 0.0, 0.0
    for number, pace in job.paces.items():
        analyser = state.analysers[number]
        pace.observe(state.now)
        if analyser.away_until is None and not analyser.is_suspect:
            fleet_rate += pace.rate
            capacity += pace.window * pace.part_trials
        if pace.is_observed and pace.power > 0.0:
            observed, power = observed + pace.rate, power + pace.power
    job.paces.fleet_rate = fleet_rate
    job.paces.rate_per_power = observed / power if power > 0.0 else 0.0
    job.set_lead(lead(fleet_rate, capacity))
    for number, pace in job.paces.items():
        if not pace.is_observed:
            pace.rate = job.paces.rate_per_power * max(0.0, pace.power)
        pace.resize(state.analysers[number].workers, fleet_rate, state.options)


def _find_stalls(state: SchedulerState, analyser: Analyser) -> None:
    for lease in list(analyser.running()):
        pace = lease.job.paces.get(analyser.number)
        rate = pace.rate if pace is not None and pace.is_observed else 0.0
        limit_s = stall_after_s(rate, analyser.workers)
        if lease.moved_at is None:
            lease.moved_at = state.now
        elif state.now - lease.moved_at >= limit_s:
            _stalled(state, lease)
        if analyser.number not in state.analysers:
            return


def _stalled(state: SchedulerState, lease: JobLease) -> None:
    """Give a part that stands still to others; its analyser gets nothing until something moves."""
    analyser, job = lease.analyser, lease.job
    if lease.life is Life.DOUBTFUL:
        stop(state, lease)
        release(state, lease)
        requeue(state, lease)
        return
    discard(state, lease)
    lease.live(Life.STALLED)
    analyser.is_suspect = True
    analyser.update_taking()
    state.hungry.pop(analyser.number, None)
    for dispute in job.disputes.values():
        if dispute.referee is lease:
            dispute.referee = None
    text = f"{analyser.name}: part {lease.part.number}/{lease.attempt} stands still"
    state.out.append(Incident(IncidentKind.STALLED, text, analyser.number, job.number))
    if not lease.is_given_back:  # once for each handing-out, however often it stops and goes
        suspect(state, lease)
    requeue(state, lease)


def _hedge(state: SchedulerState) -> None:
    """Hand parts that are late, or that idle analysers finish much sooner, out a second time."""
    idle = [a for a in state.hungry.values() if len(a.leases) < a.workers]
    budget = HEDGES_PER_TICK_MAX
    for job in state.active:
        if isinstance(job, QuestionJob):
            reassign(state, job)
            continue
        if not idle or job.halt_until is not None:
            continue
        helpers = sorted(
            (a for a in idle if a.number in job.paces),
            key=lambda a: (-job.paces[a.number].rate, a.number),
        )
        for lease in job.by_trial()[:budget] if helpers else ():
            budget -= 1
            _hedge_lease(state, job, lease, helpers)
        idle = [a for a in idle if len(a.leases) < a.workers]


def _hedge_lease(state: SchedulerState, job: Job, lease: JobLease, helpers: list[Analyser]) -> None:
    twins = [twin for twin in lease.part.leases if twin.covers(lease.next, lease.end)]
    if not lease.covers(lease.next, lease.end) or len(twins) >= TWINS_MAX:
        return
    catch_up(lease)
    dead = job.suspects(lease.next)
    helper = next((a for a in helpers if a is not lease.analyser and a.name not in dead), None)
    if helper is None or lease.next == lease.end:
        return
    pace = job.paces[helper.number]
    if _is_late(state, lease) or _is_outpaced(lease, pace, helper.workers):
        hand_out(state, job, helper, pace, lease.part, lease.next, lease.end)
        if len(helper.leases) >= min(helper.workers, pace.window):
            helpers.remove(helper)


def _is_late(state: SchedulerState, lease: JobLease) -> bool:
    return state.now >= lease.due_at or lease.analyser.away_until is not None


def _is_outpaced(lease: JobLease, helper: Pace, helper_workers: int) -> bool:
    """Say whether an idle analyser would be done in half the time the holder still needs."""
    analyser = lease.analyser
    pace = lease.job.paces.get(analyser.number)
    if pace is None or pace.rate <= 0.0 or helper.rate <= 0.0:
        return False
    ahead = 0
    for other in analyser.leases.values():
        ahead += other.end - other.next
        if other is lease:
            break
    count = lease.end - lease.next
    holder_s = max(ahead, count * analyser.workers) / pace.rate
    return LATE_FACTOR * count * helper_workers / helper.rate + TICK_INTERVAL_S < holder_s
