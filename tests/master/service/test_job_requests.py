from dataclasses import replace

import pytest

from engine_ext.noop.runner import noop_context
from engine_ext.services import engine_digest
from master.contract.errors import MasterError
from master.contract.goals import Goal
from master.contract.job_words import JobState
from master.contract.views import JobRequest
from master.fold.trials import SEQ_MAX
from master.service.job_requests import extended_goal, request_again, to_new_job
from master.store.records import JobEnd, JobRecord, NewJob, RunsIn
from tests.master.api.fake_master import CONTEXT, VIEW

REQUEST = NewJob("noop/1", "d", "noop", "e", ("a", "b"), ("v",), Goal(10))
RECORD = JobRecord(3, REQUEST, JobState.RUNNING, JobEnd(), RunsIn.COMMAND, "now")


def test_new_job_names_what_its_game_says() -> None:
    new_job = to_new_job(JobRequest(noop_context(alternatives=2), 5, 0.5, "mine"))
    assert new_job.game == "noop"
    assert (len(new_job.alternative_names), new_job.value_names) == (2, ("hash",))
    assert (new_job.goal, new_job.label) == (Goal(5, 0.5), "mine")
    assert len(new_job.digest) == len(new_job.engine) == 16


@pytest.mark.parametrize("game", ["backgammon", "threes", "othello", "chess"])
def test_question_again_names_the_engine_of_today(game: str) -> None:
    asked = f"{game}-rollout/1 engine=0123456789abcdef seed=7 label=engine=0123456789abcdef"
    view = replace(VIEW, game=game, context=asked, trials=5, stop_se=0.5, stop_settled=2.0)
    today = asked.replace("0123456789abcdef", engine_digest(game), 1)
    assert request_again(view) == JobRequest(today, 5, 0.5, "mine", 2.0)


def test_question_without_an_engine_is_the_same_again() -> None:
    assert to_new_job(request_again(VIEW)).digest == to_new_job(JobRequest(CONTEXT, 1)).digest


def test_extension_adds_at_least_one_game() -> None:
    with pytest.raises(MasterError, match="at least one"):
        extended_goal(RECORD, 0)


@pytest.mark.parametrize(
    ("goal", "end", "extended"),
    [
        (Goal(10), JobEnd("trials", folded=20), Goal(15)),
        (Goal(10, 0.1), JobEnd("trials", folded=20), Goal(15, 0.1)),
        (Goal(10, 0.1), JobEnd("stop_se", folded=12), Goal(11)),
        (Goal(None, 0.1), JobEnd("stop_se", folded=12), Goal(11)),
        (Goal(10, 0.1, 2.0), JobEnd("stop_se", folded=12), Goal(11, None, 2.0)),
        (Goal(10, 0.1, 2.0), JobEnd("settled", folded=12), Goal(11, 0.1)),
        (Goal(10, None, 2.0), JobEnd("trials", folded=20), Goal(15, None, 2.0)),
    ],
)
def test_extension_adds_to_what_ended_the_job(goal: Goal, end: JobEnd, extended: Goal) -> None:
    request = replace(REQUEST, goal=goal)
    record = replace(RECORD, request=request, state=JobState.DONE, end=end)
    assert extended_goal(record, 5) == extended


def test_job_without_a_number_of_trials_has_nothing_to_add_to_before_its_end() -> None:
    request = replace(REQUEST, goal=Goal(None, 0.1))
    record = replace(RECORD, request=request, state=JobState.HALTED, end=JobEnd("halted"))
    with pytest.raises(MasterError, match="job 3 has no number of trials"):
        extended_goal(record, 5)


def test_job_has_no_more_trials_than_there_are_numbers_for() -> None:
    most = SEQ_MAX // 2
    context = noop_context(alternatives=2)
    assert to_new_job(JobRequest(context, most)).goal == Goal(most)
    with pytest.raises(MasterError, match=f"at most {most} trials of each"):
        to_new_job(JobRequest(context, most + 1))
    record = replace(RECORD, request=replace(REQUEST, goal=Goal(most)))
    with pytest.raises(MasterError, match=f"at most {most} trials of each"):
        extended_goal(record, 1)


@pytest.mark.parametrize("stop_settled", [0.0, -1.0, 1000.0])
def test_settled_by_no_sensible_number_of_errors_is_refused(stop_settled: float) -> None:
    request = JobRequest(noop_context(alternatives=2), 5, stop_settled=stop_settled)
    with pytest.raises(MasterError, match="more than 0 and at most 100 standard errors"):
        to_new_job(request)


def test_one_alternative_has_nothing_to_settle() -> None:
    with pytest.raises(MasterError, match="one alternative"):
        to_new_job(JobRequest(noop_context(), 5, stop_settled=2.0))
