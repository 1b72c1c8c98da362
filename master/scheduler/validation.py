"""Invariants of the scheduler after every event; tests assert them, and nothing else calls them."""

from master.scheduler.jobs import Analyser, Job
from master.scheduler.limits import LEAD_TRIALS_MAX, WINDOW_MAX, WINDOW_OUTSTANDING_MAX
from master.scheduler.state import SchedulerState


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
