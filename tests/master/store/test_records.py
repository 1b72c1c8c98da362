from hypothesis import given
from hypothesis import strategies as st

from master.store.records import JobEnd, JobRecord, JobState, NewJob, RunsIn, from_row, to_row

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
)


@given(requests, st.sampled_from(JobState), st.text(), st.integers(0, 2**40))
def test_record_reads_back_as_written(
    request: NewJob, state: JobState, stopped_by: str, folded: int
) -> None:
    row = (7, *to_row(request), state.value, stopped_by, "oops", folded, "daemon", "now")
    assert from_row(row) == JobRecord(
        7, request, state, JobEnd(stopped_by, "oops", folded), RunsIn.DAEMON, "now"
    )
