"""Messages of a master are frozen, strict and finite, in the words of their documentation."""

import importlib
import json
import pkgutil
import re
from dataclasses import MISSING, FrozenInstanceError, fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

import master
from master.api.messages import (
    About,
    Extension,
    GivenAnswers,
    MasterState,
    PriorityChange,
    Problem,
    Questions,
)
from master.contract.commands import StoppedBy
from master.contract.job_words import JOB_MAX, JobNumber, JobState, Priority, PriorityWord
from master.contract.questions import QUESTIONS_MAX
from master.contract.search_views import SearcherLine, SearchView
from master.contract.shapes import FIELD_CHARACTERS_MAX, Asked, first_error
from master.contract.views import (
    ANALYSER_STATES,
    TRIALS_MAX,
    UPDATE_INTERVAL_S,
    AlternativeSummary,
    AnalyserLine,
    Figures,
    JobConvergence,
    JobFlow,
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


def test_search_that_has_not_begun_says_nothing() -> None:
    view = SearchView()
    said = {field.name: getattr(view, field.name) for field in fields(view)}
    assert not any(said.values()), said
    assert (view.lower, view.upper, view.move) == (None, None, None)


@pytest.mark.parametrize("view", [SearchView(), SearcherLine("a", 1, 1, 0, 0.0)])
def test_views_are_never_changed(view: Any) -> None:
    with pytest.raises(FrozenInstanceError):
        view.nodes = 1


def test_states_are_those_that_a_display_shows() -> None:
    assert AnalyserLine.__doc__ is not None
    for state in ANALYSER_STATES:
        assert f'"{state}"' in AnalyserLine.__doc__


def test_new_master_has_done_nothing() -> None:
    assert Figures() == Figures(0, 0, {}, {}, 0, 0, 0)


def test_job_of_which_nothing_is_known_has_no_points_and_is_not_live() -> None:
    assert (JobConvergence().points, JobConvergence().is_behind) == ((), False)
    assert (JobFlow().samples, JobFlow().by_analyser, JobFlow().is_live) == ((), (), False)


REQUEST = {"context": "noop/1", "trials": 7}


def read(kind: Any, text: str) -> Any:
    return TypeAdapter(kind).validate_json(text)


def requests() -> list[type]:
    """Return the shapes of all messages to a master."""
    for found in pkgutil.walk_packages(master.__path__, "master."):
        if found.name.startswith(("master.api", "master.contract")):
            importlib.import_module(found.name)
    found_kinds = [kind for kind in Asked.__subclasses__() if "__slots__" in vars(kind)]
    return sorted(found_kinds, key=lambda kind: kind.__qualname__)


@pytest.mark.parametrize("kind", requests(), ids=lambda kind: kind.__name__)
def test_unknown_field_of_a_request_is_refused(kind: type) -> None:
    assert TypeAdapter(kind).json_schema()["additionalProperties"] is False
    with pytest.raises(ValidationError, match="Unexpected keyword argument"):
        read(kind, '{"a field that no message has": 1}')


@pytest.mark.parametrize("kind", requests(), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("text", ["", "[]", "null", "7", '"{}"', "{", "\ufeff{}"])
def test_what_is_no_object_is_no_request(kind: type, text: str) -> None:
    with pytest.raises(ValidationError):
        read(kind, text)


@pytest.mark.parametrize(
    "word",
    ["true", "false", '"1"', '"1_000"', "1_000", "1.0", "1.5", "1e400", "NaN", "Infinity", "[]",
     "{}", "0", "-1", str(TRIALS_MAX + 1), "0x1", "01", "+1"],
)  # fmt: skip
def test_other_values_are_no_count(word: str) -> None:
    with pytest.raises(ValidationError):
        read(Extension, f'{{"trials": {word}}}')
    with pytest.raises(ValidationError):
        read(JobRequest, f'{{"context": "noop/1", "trials": {word}}}')


@pytest.mark.parametrize(
    "word",
    ["true", '"1"', '"1_000"', "1_000", "1e400", "-1e400", "NaN", "-Infinity", "[]", "0", "-0.5"],
)
@pytest.mark.parametrize("name", ["stop_se", "stop_settled"])
def test_other_values_are_no_finite_number(name: str, word: str) -> None:
    assert read(JobRequest, f'{{"context": "noop/1", "{name}": 1}}')
    assert read(JobRequest, f'{{"context": "noop/1", "{name}": 0.5}}')
    with pytest.raises(ValidationError):
        read(JobRequest, f'{{"context": "noop/1", "{name}": {word}}}')


@pytest.mark.parametrize("word", ["7", "true", "null", '""', '["a"]', '"\\ud800"'])
def test_other_values_are_no_text(word: str) -> None:
    with pytest.raises(ValidationError):
        read(JobRequest, f'{{"context": {word}, "trials": 7}}')


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "a", "address": "b", "state": "ready", "trials_per_s": NaN}',
        '{"name": "a", "address": "b", "state": "ready", "trials_per_s": 1e400}',
        '{"name": "a", "address": "b", "state": "ready", "trials_per_s": true}',
        '{"name": "a", "address": "b", "state": "ready", "workers": "1"}',
        '{"name": "a", "address": "b", "state": "ready", "workers": -1}',
        '{"name": "a", "address": "b"}',
    ],
)
def test_client_reads_no_bad_numbers_either(text: str) -> None:
    with pytest.raises(ValidationError):
        read(AnalyserLine, text)


def test_client_ignores_fields_of_a_newer_master() -> None:
    text = '{"name": "a", "api": "2.9", "pid": 1, "new": {"more": [1]}}'
    assert read(About, text) == About("a", "2.9", 1)
    state = '{"name": "a", "api": "2.9", "figures": {"parts_waiting": 1, "new": 2}}'
    assert read(MasterState, state) == MasterState("a", "2.9", Figures(1))


@pytest.mark.parametrize("priority", Priority)
def test_priority_is_its_word_on_the_wire(priority: Priority) -> None:
    said = TypeAdapter(PriorityChange).dump_json(PriorityChange(priority))
    assert json.loads(said) == {"priority": priority.name.lower()}
    assert read(PriorityChange, said.decode()) == PriorityChange(priority)


def test_priority_may_have_its_old_word() -> None:
    assert read(PriorityChange, '{"priority": "standing"}') == PriorityChange(Priority.NORMAL)


@pytest.mark.parametrize("word", ["1", "true", "null", "[]", '"soon"', '"ASKED"', '""', '"1"'])
def test_other_words_are_no_priority(word: str) -> None:
    with pytest.raises(ValidationError, match="expected one of background, normal, asked, urg"):
        read(PriorityChange, f'{{"priority": {word}}}')
    with pytest.raises(ValidationError, match="expected one of background, normal, asked, urg"):
        read(Questions, f'{{"questions": [], "priority": {word}}}')


def test_questions_have_a_number_and_each_is_a_text() -> None:
    texts = ["q"] * QUESTIONS_MAX
    assert len(read(Questions, json.dumps({"questions": texts})).questions) == QUESTIONS_MAX
    for wrong in ([*texts, "q"], "q", [1], [None], {"a": "q"}, None):
        with pytest.raises(ValidationError):
            read(Questions, json.dumps({"questions": wrong}))


@given(st.integers(1, TRIALS_MAX))
def test_every_allowed_number_of_trials_is_read(trials: int) -> None:
    assert read(Extension, f'{{"trials": {trials}}}') == Extension(trials)


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 2**53), st.text(max_size=8)), max_size=5))
def test_answers_arrive_as_sent(answers: list[tuple[int, str]]) -> None:
    given_answers = GivenAnswers(tuple(answers))
    said = TypeAdapter(GivenAnswers).dump_json(given_answers).decode()
    assert read(GivenAnswers, said) == given_answers


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"trials": True}, "trials: expected a valid integer"),
        ({"trials": 0}, "trials: expected greater than or equal to 1"),
        ({"stop_se": "x"}, "stop_se: expected a valid number"),
        ({"more": 1}, "more: there is no such field"),
        ({"context": None}, "context: expected a valid string"),
    ],
)
def test_first_mistake_is_one_line_that_names_its_field(change: dict[str, Any], text: str) -> None:
    with pytest.raises(ValidationError) as caught:
        read(JobRequest, json.dumps(REQUEST | change))
    assert first_error(caught.value) == text


@pytest.mark.parametrize(
    ("said", "text"),
    [("{}", "context: it is needed"), ("[]", "body: expected an object")],
)
def test_missing_field_and_other_value_are_said_in_plain_words(said: str, text: str) -> None:
    with pytest.raises(ValidationError) as caught:
        read(JobRequest, said)
    assert first_error(caught.value) == text


@pytest.mark.slow
@given(st.dictionaries(st.text(max_size=8), st.integers() | st.text(), min_size=1))
def test_mistake_in_any_field_is_one_short_line(said: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as caught:
        read(Extension, json.dumps({"trials": 0} | {f"more {key}": said[key] for key in said}))
    line = first_error(caught.value)
    assert line.isprintable()
    assert len(line) <= 2 * FIELD_CHARACTERS_MAX


@pytest.mark.slow
@given(st.binary(max_size=80))
def test_bytes_by_chance_are_no_request(body: bytes) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(JobRequest).validate_json(body)


def test_problem_without_a_question_has_no_index() -> None:
    assert [each.name for each in fields(Problem) if each.default is not MISSING] == ["index"]
    assert read(Problem, '{"code": "a", "text": "b"}') == Problem("a", "b", None)


PRIORITY: TypeAdapter[Priority] = TypeAdapter(PriorityWord)
JOB: TypeAdapter[int] = TypeAdapter(JobNumber)


def test_priorities_are_words() -> None:
    for priority in Priority:
        assert PRIORITY.validate_python(priority.name.lower()) is priority
        assert PRIORITY.dump_python(priority) == priority.name.lower()
    words = [priority.name.lower() for priority in Priority]
    assert PRIORITY.json_schema() == {"enum": words}


@pytest.mark.parametrize("word", ["soon", "", "ASKED", 1, True, None])
def test_job_words_other_words_are_no_priority(word: object) -> None:
    with pytest.raises(ValidationError, match="expected one of background, normal, asked, urg"):
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
        Priority.URGENT, Priority.ASKED, Priority.NORMAL, Priority.BACKGROUND,
    ]  # fmt: skip


def test_states_come_back_by_their_words() -> None:
    assert [JobState(state.value) for state in JobState] == list(JobState)
