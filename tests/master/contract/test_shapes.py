"""Messages are strict and finite: no value of one type is read as one of another."""

import importlib
import json
import pkgutil
from dataclasses import MISSING, fields
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
from master.contract.job_words import Priority
from master.contract.questions import QUESTIONS_MAX
from master.contract.shapes import FIELD_CHARACTERS_MAX, Asked, first_error
from master.contract.views import TRIALS_MAX, AnalyserLine, Figures, JobRequest

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


@pytest.mark.parametrize("word", ["1", "true", "null", "[]", '"soon"', '"ASKED"', '""', '"1"'])
def test_other_words_are_no_priority(word: str) -> None:
    with pytest.raises(ValidationError, match="expected one of background, standing, asked, urg"):
        read(PriorityChange, f'{{"priority": {word}}}')
    with pytest.raises(ValidationError, match="expected one of background, standing, asked, urg"):
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
