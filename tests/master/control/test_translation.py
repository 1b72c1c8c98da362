import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.contract.job_words import JobState, Priority
from master.contract.search_views import HotSpot, SearcherLine, SearchView
from master.contract.views import (
    AlternativeSummary,
    AnalyserLine,
    HeldPart,
    JobRequest,
    JobView,
    Notice,
    NoticeKind,
    PastIncident,
    Update,
)
from master.control.translation import (
    from_analyser,
    from_shown,
    from_submit,
    from_update,
    to_analyser,
    to_shown,
    to_submit,
    to_update,
)
from protocol.control import CONTROL_CODEC
from protocol.messages import Message

text = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), max_size=20).filter(
    str.isprintable
)
name = text.filter(bool)
number = st.integers(0, 2**50)
value = st.floats(allow_nan=False, allow_infinity=False)
rate = st.floats(0, 1e12)
digest = st.text("0123456789abcdef", min_size=16, max_size=16)
requests = st.builds(
    JobRequest,
    context=st.text("abc =/%", min_size=1, max_size=50),
    trials=st.none() | st.integers(1, 2**40),
    stop_se=st.none() | st.floats(1e-12, 1e3),
    stop_settled=st.none() | st.floats(1e-12, 1e2),
    label=text,
)
summaries = st.integers(1, 3).flatmap(
    lambda width: st.builds(
        AlternativeSummary,
        trials=number,
        means=st.tuples(*[value] * width),
        std_errors=st.tuples(*[value] * width) | st.just((None,) * width),
        diff_to_best=value,
        diff_std_error=st.none() | value,
        quantiles=st.lists(value, max_size=21).map(tuple),
    )
)
searchers = st.builds(
    SearcherLine, name=text, workers=number, parts=number, nodes=number, nodes_per_s=rate
)
spots = st.builds(
    HotSpot,
    name=text,
    path=st.none() | st.lists(st.integers(0, 300), max_size=5).map(tuple),
    depth=number,
    age_s=rate,
)
ascii_text = st.text(st.characters(codec="ascii", categories=("L", "N", "P", "Zs")), max_size=50)
bound = st.none() | st.integers(-(2**50), 2**50)
searches = st.builds(
    SearchView,
    phase=text,
    position=ascii_text,
    lower=bound,
    upper=bound,
    move=st.none() | number,
    is_exact=st.booleans(),
    nodes=number,
    seconds=rate,
    parts=number,
    shot=number,
    searchers=st.lists(searchers, max_size=3).map(tuple),
    hot_spots=st.lists(spots, max_size=3).map(tuple),
    answer=ascii_text,
)
views = st.builds(
    JobView,
    job=number,
    context=st.text("abc =/%", min_size=1, max_size=50),
    digest=digest,
    game=st.just("noop"),
    engine=digest,
    alternative_names=st.lists(name, max_size=3).map(tuple),
    value_names=st.lists(name, max_size=3).map(tuple),
    label=text,
    created=text,
    trials=st.none() | st.integers(1, 2**40),
    stop_se=st.none() | st.floats(1e-12, 1e3),
    stop_settled=st.none() | st.floats(1e-12, 1e2),
    state=st.sampled_from(JobState),
    stopped_by=text,
    error=text,
    folded=number,
    held=number,
    trials_per_s=rate,
    eta_s=st.none() | rate,
    alternatives=st.lists(summaries, max_size=3).map(tuple),
    search=st.none() | searches,
    priority=st.sampled_from(Priority),
)
incidents = st.builds(
    PastIncident, at=st.just("2026-01-02T03:04:05+00:00"), kind=st.just("stalled"), text=text
)
lines = st.builds(
    AnalyserLine,
    name=text,
    address=text,
    state=st.sampled_from(["ready", "away", "connecting"]),
    workers=number,
    parts=number,
    trials=number,
    trials_per_s=rate,
    text=text,
    powers=st.lists(st.tuples(name, rate), max_size=3).map(tuple),
    round_trip_s=st.none() | rate,
    part=st.none() | st.builds(HeldPart, st.none() | number, number, number),
    incident_counts=st.lists(st.tuples(name, number), max_size=3).map(tuple),
    incidents=st.lists(incidents, max_size=8).map(tuple),
)
updates = st.builds(
    Update,
    job=views,
    analysers=st.lists(lines, max_size=3).map(tuple),
    notices=st.lists(st.builds(Notice, st.sampled_from(NoticeKind), text), max_size=3).map(tuple),
    is_final=st.booleans(),
)


def over_the_wire(*messages: Message) -> list[Message]:
    return [CONTROL_CODEC.decode(CONTROL_CODEC.encode(m).removesuffix(b"\n")) for m in messages]


@given(requests)
def test_request_arrives_as_sent(request: JobRequest) -> None:
    (message,) = over_the_wire(to_submit(1, request))
    assert from_submit(message) == request  # type: ignore[arg-type]


@given(lines)
def test_analyser_arrives_as_sent(line: AnalyserLine) -> None:
    (message,) = over_the_wire(to_analyser(1, line))
    assert from_analyser(message) == line  # type: ignore[arg-type]


@given(st.lists(views, max_size=3))
@pytest.mark.when_changed
def test_jobs_arrive_bit_for_bit(jobs: list[JobView]) -> None:
    messages = over_the_wire(*(message for view in jobs for message in to_shown(1, view)))
    assert repr(from_shown(messages)) == repr(jobs)


@given(updates)
@pytest.mark.when_changed
def test_update_arrives_bit_for_bit(update: Update) -> None:
    assert repr(from_update(over_the_wire(*to_update(1, update)))) == repr(update)
