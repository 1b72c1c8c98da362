"""The words are those of the control protocol, and come back from it."""

from typing import get_args

import pytest
from pydantic import TypeAdapter, ValidationError

from master.contract.job_words import JobState, Priority
from protocol.control_fields import PriorityWord


def test_priorities_are_the_protocols_words() -> None:
    said = TypeAdapter(PriorityWord)
    for priority in Priority:
        assert said.validate_python(priority.name.lower()) == priority.name.lower()
    (pattern,) = (field.metadata[0].pattern for field in get_args(PriorityWord)[1:])
    assert pattern == f"^({'|'.join(each.name.lower() for each in Priority)})$"
    with pytest.raises(ValidationError):
        said.validate_python("soon")


def test_work_that_somebody_waits_for_goes_first() -> None:
    assert sorted(Priority, reverse=True) == [
        Priority.URGENT, Priority.ASKED, Priority.STANDING, Priority.BACKGROUND,
    ]  # fmt: skip


def test_states_come_back_by_their_words() -> None:
    assert [JobState(state.value) for state in JobState] == list(JobState)
