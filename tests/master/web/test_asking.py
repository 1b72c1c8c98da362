import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.store import JOB_MAX
from master.web.asking import (
    BODY_BYTES_MAX,
    RefusedError,
    read_body,
    read_job,
    read_priority,
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
