import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.store.store import JOB_MAX
from master.web.asking import (
    BODY_BYTES_MAX,
    RefusedError,
    read_body,
    read_job,
    read_priority,
    read_text,
    read_trials,
)
from master.web.schemas import EXTRA_TRIALS_MAX


@given(st.integers(1, JOB_MAX))
def test_numbers_of_jobs_are_read(job: int) -> None:
    assert read_job(str(job)) == job


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "01", "1.0", "x", "\u0661", "1\n", str(JOB_MAX + 1)]
)
def test_other_texts_name_no_job(text: str) -> None:
    with pytest.raises(RefusedError, match="number of a job"):
        read_job(text)


@given(st.integers(1, EXTRA_TRIALS_MAX))
def test_trials_are_read(trials: int) -> None:
    assert read_trials(json.dumps({"trials": trials}).encode()) == trials


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"7",
        b'{"trials": 0}',
        b'{"trials": -1}',
        b'{"trials": 1.5}',
        b'{"trials": true}',
        b'{"trials": null}',
        b'{"trials": "7"}',
        b'{"trials": 10000001}',
        b'{"trials": 7, "more": 1}',
        b'{"trials": NaN}',
        b"\xff",
        b"[" * BODY_BYTES_MAX,
    ],
)
def test_other_bodies_are_refused_in_words(body: bytes) -> None:
    with pytest.raises(RefusedError, match=r"^expected ") as refused:
        read_trials(body)
    assert refused.value.refusal.status == 422


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"[]", b'{"priority": "urgent"}', b'{"priority": 1}', b'{"priority": []}']
)
def test_other_priorities_are_refused_in_words(body: bytes) -> None:
    with pytest.raises(RefusedError, match=r"^expected ") as refused:
        read_priority(body)
    assert refused.value.refusal.status == 422


def test_empty_object_is_asked_for_where_nothing_is_said() -> None:
    assert read_body(b"{}") == {}
    with pytest.raises(RefusedError, match="with no field"):
        read_body(b'{"a": 1}')


def test_fields_that_may_be_there_may_be_left_out() -> None:
    wanted, optional = frozenset({"a"}), frozenset({"b"})
    assert read_body(b'{"a": 1}', wanted, optional) == {"a": 1}
    assert read_body(b'{"a": 1, "b": 2}', wanted, optional) == {"a": 1, "b": 2}
    for body in (b'{"b": 2}', b'{"a": 1, "c": 2}', b"[]"):
        with pytest.raises(RefusedError, match="with the field a, or beside it b"):
            read_body(body, wanted, optional)


@given(st.text(max_size=9))
def test_texts_are_read_if_they_can_be_written(text: str) -> None:
    assert read_text("name", text, 9) == text


@pytest.mark.parametrize("value", [None, 7, ["a"], "a" * 10, "\ud800", {}])
def test_other_values_are_no_texts(value: object) -> None:
    with pytest.raises(RefusedError, match="expected name, a text of at most 9 characters"):
        read_text("name", value, 9)
