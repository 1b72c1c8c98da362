"""A job's trials: what is left, who delivered, where the stop rules look."""

from master.contract.commands import StoppedBy
from master.contract.events import JobSpec
from master.fold.trials import TrialFold
from master.scheduler.job_trials import NOBODY, Suspicion
from master.scheduler.jobs import Job
from master.scheduler.limits import DEATH_PAUSE_S
from master.scheduler.submissions import new_job
from tests.master.hand_driven import job_spec, value_of


def pieces(job: Job) -> list[tuple[int, int]]:
    return [(piece.first, piece.end) for piece in job.pieces]


def test_trials_given_back_skip_known_ones_and_stay_sorted() -> None:
    job = new_job(job_spec(50), ())
    job.grant_fresh(20)
    job.fold.add(10, value_of(10))
    job.requeue(10, 14, None)
    job.requeue(0, 3, None)
    assert pieces(job) == [(0, 3), (11, 14)]


def test_trial_somebody_died_of_comes_back_alone() -> None:
    job = new_job(job_spec(50), ())
    job.grant_fresh(20)
    job.suspicions[5] = Suspicion()
    job.suspicions[5].note("a", "", "", now=0.0)
    job.requeue(5, 9, None)
    assert pieces(job) == [(6, 9)]
    job.end_rests(DEATH_PAUSE_S / 2)
    assert pieces(job) == [(6, 9)]
    job.end_rests(DEATH_PAUSE_S)
    assert pieces(job) == [(5, 6), (6, 9)]


def test_losses_of_one_moment_count_once() -> None:
    suspicion = Suspicion()
    for count in range(1000):
        suspicion.note(f"a{count}", "", "", now=count * DEATH_PAUSE_S / 2)
    assert suspicion.names == ["a0"]
    suspicion.note("later", "", "", now=501 * DEATH_PAUSE_S)
    assert suspicion.names == ["a0", "later"]


def test_room_ends_at_the_lead_and_at_the_target() -> None:
    job = new_job(job_spec(50), ())
    job.lead = 8
    assert job.room == 8
    job.grant_fresh(8)
    assert job.room == 0
    job.fold.add(0, value_of(0))
    assert job.room == 1
    job.lead = 1000
    assert job.room == 42


def test_sources_are_remembered_by_session() -> None:
    job = new_job(job_spec(50), ())
    job.grant_fresh(5)
    job.record_source(0, 0, 1)
    job.record_source(7, 2, 5)
    assert [job.source(seq) for seq in range(6)] == [0, NOBODY, 7, 7, 7, NOBODY]


def test_adaptive_stop_looks_at_its_grid_only() -> None:
    spec = JobSpec(1, "c", "noop", "e", 1, 1, None, stop_se=0.1)
    job = new_job(spec, [(seq, (0.5,)) for seq in range(300)])
    assert job.fold.folded == 144
    assert job.verdict(waits_for_disputes=True) is StoppedBy.STOP_SE
    assert job.fold.folded == 144


def test_extended_job_goes_on_with_its_prefix() -> None:
    job = new_job(job_spec(5), [(seq, value_of(seq)) for seq in range(4)])
    job.extend(9)
    assert (job.target, job.fold.limit, job.room) == (9, 9, 5)


def test_corrected_result_is_folded_as_if_it_had_always_been_right() -> None:
    results = [(seq, value_of(seq)) for seq in range(10)]
    wrong = new_job(job_spec(20), [*results[:3], (3, (99.0,)), *results[4:]])
    wrong.correct(3, value_of(3))
    right = new_job(job_spec(20), results)
    assert isinstance(wrong.fold, TrialFold)
    assert isinstance(right.fold, TrialFold)
    assert wrong.fold.snapshot() == right.fold.snapshot()
