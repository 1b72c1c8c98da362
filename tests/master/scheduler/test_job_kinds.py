import pytest

from master.contract.commands import CorrectAnswer, CorrectTrial, StoreAnswer, StoreTrials
from master.contract.events import JobSpec
from master.scheduler.jobs import Analyser, Job, JobLease, Part, QuestionJob, TrialJob
from master.scheduler.outstanding import open_lease
from master.scheduler.paces import Pace
from master.scheduler.submissions import new_job

QUESTIONS = ("x/1 a", "x/1 b", "x/1 c")


def trials() -> Job:
    return new_job(JobSpec(3, "x/1", "x", "e", 2, 1, trials=8), ())


def question_job(work: str = "x/1") -> Job:
    spec = JobSpec(-1, "", "x", "e", 1, 1, trials=3, questions=QUESTIONS, service="s", work=work)
    return new_job(spec, ())


def test_spec_says_which_kind_a_job_is() -> None:
    assert type(trials()) is TrialJob
    assert type(question_job()) is QuestionJob


def test_trials_share_a_context_and_a_question_is_its_own() -> None:
    assert [trials().context(seq) for seq in (0, 7)] == ["x/1", "x/1"]
    assert tuple(question_job().context(seq) for seq in range(3)) == QUESTIONS
    assert len({trials().refusal_key(seq) for seq in range(8)}) == 1
    assert [question_job().refusal_key(seq) for seq in range(3)] == [0, 1, 2]


def test_people_read_of_trials_by_job_and_of_questions_by_place() -> None:
    assert trials().name_of(5) == "trial 5 of job 3"
    assert question_job().name_of(1) == "question 1"


def test_results_become_commands_of_their_kind() -> None:
    values = [(0.5,), (0.25,)]
    assert trials().to_store(9, 2, values) == StoreTrials(3, 9, 2, values)
    assert trials().to_correct(9, 2, (0.5,)) == CorrectTrial(3, 9, 2, (0.5,))
    assert question_job().to_store(9, 2, [("so",)]) == StoreAnswer(-1, 9, 2, "so")
    assert question_job().to_correct(9, 2, ("so",)) == CorrectAnswer(-1, 9, 2, "so")


def test_questions_of_one_class_of_work_share_their_paces_and_unclassed_ones_nothing() -> None:
    one, other, unclassed = question_job(), question_job("x/1 plies=2"), question_job("")
    assert isinstance(one, QuestionJob)
    assert isinstance(other, QuestionJob)
    assert isinstance(unclassed, QuestionJob)
    assert one.kind == ("x", "e", "s", "x/1") != other.kind
    assert unclassed.kind == ()


@pytest.mark.parametrize("limit", [0, 1, 3, 4, 8])
def test_stop_rule_waits_for_attempts_with_results_below_it(limit: int) -> None:
    job = trials()
    analyser = Analyser(1, "a", 2, {})
    job.paces[1] = Pace(1.0, 0.0)
    first, end = job.grant_fresh(8)
    lease: JobLease = open_lease(Part(1), analyser, job, job.paces[1], first, end, now=0.0)
    assert not job.is_unconfirmed_below(limit)
    job.unconfirmed[lease] = None
    lease.sent = 4
    job.record_source(1, 3, 4)  # of its trials it gave the fourth; the others are somebody else's
    assert job.is_unconfirmed_below(limit) is (limit > 3)
    del job.unconfirmed[lease]
    assert not job.is_unconfirmed_below(limit)
