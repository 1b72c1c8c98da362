"""How a job begins."""

import pytest

from master.contract.commands import StoppedBy
from master.scheduler.job_trials import NOBODY
from master.scheduler.jobs import Job
from master.scheduler.submissions import new_job
from tests.master.hand_driven import job_spec, value_of


def pieces(job: Job) -> list[tuple[int, int]]:
    return [(piece.first, piece.end) for piece in job.pieces]


def test_job_without_an_end_is_a_mistake() -> None:
    with pytest.raises(AssertionError, match="end"):
        new_job(job_spec(None), ())


def test_known_results_are_folded_and_their_gaps_come_first() -> None:
    job = new_job(job_spec(20), [(seq, value_of(seq)) for seq in (0, 1, 4, 5, 9)])
    assert (job.fold.folded, job.next_seq) == (2, 10)
    assert pieces(job) == [(2, 4), (6, 9)]
    assert job.source(0) == NOBODY


def test_everything_known_is_a_job_at_its_end() -> None:
    job = new_job(job_spec(5), [(seq, value_of(seq)) for seq in range(5)])
    assert job.verdict(waits_for_disputes=True) is StoppedBy.TRIALS
    assert not job.has_work()


def test_results_beyond_the_end_are_neither_folded_nor_missed() -> None:
    job = new_job(job_spec(5), [(seq, value_of(seq)) for seq in (0, 1, 9)])
    assert job.next_seq == 5
    assert pieces(job) == [(2, 5)]
