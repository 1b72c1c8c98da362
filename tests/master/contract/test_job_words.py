"""The words of priorities and states come back from messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from master.contract.job_words import JOB_MAX, JobNumber, JobState, Priority, PriorityWord

PRIORITY: TypeAdapter[Priority] = TypeAdapter(PriorityWord)
JOB: TypeAdapter[int] = TypeAdapter(JobNumber)


def test_priorities_are_words() -> None:
    for priority in Priority:
        assert PRIORITY.validate_python(priority.name.lower()) is priority
        assert PRIORITY.dump_python(priority) == priority.name.lower()
    words = [priority.name.lower() for priority in Priority]
    assert PRIORITY.json_schema() == {"enum": words}


@pytest.mark.parametrize("word", ["soon", "", "ASKED", 1, True, None])
def test_other_words_are_no_priority(word: object) -> None:
    with pytest.raises(ValidationError, match="expected one of background, standing, asked, urg"):
        PRIORITY.validate_python(word)


@given(st.integers())
def test_job_has_a_number_that_every_reader_of_json_has_exactly(number: int) -> None:
    is_job = 1 <= number <= JOB_MAX
    if is_job:
        assert JOB.validate_python(number) == number == int(float(number))
    else:
        with pytest.raises(ValidationError):
            JOB.validate_python(number)


def test_work_that_a_user_waits_for_goes_first() -> None:
    assert sorted(Priority, reverse=True) == [
        Priority.URGENT, Priority.ASKED, Priority.STANDING, Priority.BACKGROUND,
    ]  # fmt: skip


def test_states_come_back_by_their_words() -> None:
    assert [JobState(state.value) for state in JobState] == list(JobState)
