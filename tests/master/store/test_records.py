import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.contract.job_words import JobState, Priority
from master.store.checksums import Column
from master.store.records import (
    JobEnd,
    JobRecord,
    NewJob,
    RunsIn,
    from_row,
    to_request_row,
    to_status_row,
)

names = st.lists(st.text(), max_size=4).map(tuple)
requests = st.builds(
    NewJob,
    context=st.text(),
    digest=st.text(),
    game=st.text(),
    engine=st.text(),
    alternative_names=names,
    value_names=names,
    trials=st.none() | st.integers(0, 2**40),
    stop_se=st.none() | st.floats(allow_nan=False),
    label=st.text(),
    stop_settled=st.none() | st.floats(allow_nan=False),
)


ends = st.builds(JobEnd, st.text(), st.text(), st.integers(0, 2**40))


@given(requests, st.sampled_from(JobState), ends, st.sampled_from(Priority))
def test_record_reads_back_as_written(
    request: NewJob, state: JobState, end: JobEnd, priority: Priority
) -> None:
    row = (
        7,
        *to_request_row(7, request, "now"),
        *to_status_row(7, state, end, RunsIn.DAEMON),
        priority.name.lower(),
    )
    assert from_row(row) == JobRecord(7, request, state, end, RunsIn.DAEMON, "now", (), priority)


@pytest.mark.parametrize("word", ["soon", "", 3, None, b"background"])
def test_priority_that_nobody_knows_is_status(word: object) -> None:
    assert from_row((*ROW[:-1], word)).priority is Priority.STANDING


REQUEST = NewJob("noop/1", "d", "noop", "e", ("a", "b"), ("v",), 10, 0.5, "label", 2.0)
ROW = (
    7,
    *to_request_row(7, REQUEST, "now"),
    *to_status_row(7, JobState.DONE, JobEnd("trials", "", 20), RunsIn.DAEMON),
    "standing",
)


@pytest.mark.parametrize("index", range(len(ROW) - 1))  # the last is believed or left out
@pytest.mark.parametrize("other", [None, 8, 0.25, "x", b"x", "\udcff"])
def test_no_other_value_of_any_column_is_believed(index: int, other: Column) -> None:
    record = from_row((*ROW[:index], other, *ROW[index + 1 :]))
    if index <= 12:
        assert record.state is JobState.DAMAGED
        assert "forget" in record.end.error
    else:
        assert (record.state, record.end) == (JobState.HALTED, JobEnd("interrupted"))
        assert record.request == REQUEST
