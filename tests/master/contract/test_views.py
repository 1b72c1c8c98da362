"""Views are copies that nobody can change, in the words that their documentation promises."""

import re
from dataclasses import FrozenInstanceError, fields

import pytest

from master.contract.commands import StoppedBy
from master.contract.job_words import JobState
from master.contract.views import (
    ANALYSER_STATES,
    UPDATE_INTERVAL_S,
    AlternativeSummary,
    AnalyserLine,
    JobRequest,
    JobView,
    Notice,
    NoticeKind,
    Update,
)
from master.service.job_records import ANSWERED, DRAINED
from master.store.records import INTERRUPTED
from tests.master.cli.shown import job_view

SUMMARY = AlternativeSummary(2, (0.5,), (None,), 0.0, None)
LINE = AnalyserLine("attic", "local", "ready")
NOTICE = Notice(NoticeKind.WARNING, "text")
VIEW = job_view()
VALUES = [SUMMARY, JobRequest("x/1", 5), VIEW, LINE, NOTICE, Update(VIEW, (LINE,), (NOTICE,), True)]


@pytest.mark.parametrize("value", VALUES, ids=lambda each: type(each).__name__)
def test_view_cannot_be_changed_nor_anything_in_it(value: object) -> None:
    for field in fields(value):  # type: ignore[arg-type]
        with pytest.raises(FrozenInstanceError):
            setattr(value, field.name, None)
    assert isinstance(hash(value), int)


def test_job_ends_by_its_trials_unless_a_standard_error_is_given() -> None:
    request = JobRequest("x/1", 5)
    assert (request.stop_se, request.label) == (None, "")


def test_analyser_of_which_only_the_endpoint_is_known_does_nothing() -> None:
    line = AnalyserLine("attic", "local", "connecting")
    assert (line.workers, line.parts, line.trials, line.trials_per_s) == (0, 0, 0, 0.0)
    assert line.text == ""


def test_nobody_was_caught_unless_it_is_said() -> None:
    assert VIEW.caught == ()
    assert job_view(caught=("attic lied",)) != VIEW


def test_words_of_states_and_ends_are_documented() -> None:
    states = {state.value for state in JobState}
    ends = {str(why) for why in StoppedBy} | {ANSWERED, DRAINED, INTERRUPTED}
    assert states == {"running", "halted", "done", "damaged"}
    assert set(re.findall(r'"([a-z_]+)"', (JobView.__doc__ or "").split("stopped_by:")[1])) == ends


def test_words_of_analysers_are_documented() -> None:
    text = (AnalyserLine.__doc__ or "").split("state:")[1].split("workers:")[0]
    words = set(re.findall(r'"([a-z]+)"', text))
    assert words == set(ANALYSER_STATES)


def test_kinds_of_notices_are_the_words_people_read() -> None:
    assert [f"{kind}" for kind in NoticeKind] == ["warning", "incident"]


def test_people_see_updates_twice_a_second() -> None:
    assert UPDATE_INTERVAL_S * 2 == 1.0
