"""The document, the operations and the answers agree: each answer is as described."""

import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from master.api.application import DocumentHandlers, SessionHandlers
from master.api.messages import API_VERSION
from master.api.openapi import document
from master.api.routing import BoundOperation, operations_of
from master.api.rules import Need
from master.contract.job_words import JOB_MAX, JobState
from tests.master.api.asgi import (
    BEARER,
    JSON,
    WATCHED,
    application,
    asked,
    operations,
    path_of,
    rules_of,
)
from tests.master.api.fake_master import CONTEXT, VIEW
from tests.master.api.handed_in import POSITION, match_body

ALL = [
    *operations(),
    *operations_of(SessionHandlers(rules_of())),
    *operations_of(DocumentHandlers(())),
]
DOCUMENT = document(ALL)
ANSWERED = [each for each in ALL if each.signature.answer is not None]
BODIES = {
    "submit": b'{"context": "%s", "trials": 5}' % CONTEXT.encode(),
    "extend": b'{"trials": 36}',
    "prioritise": b'{"priority": "background"}',
    "ask_position": POSITION.body("evaluate", plies=0),
    "start": POSITION.body("rollout", trials=36),
    "hand_in": match_body(),
    "begin_game": WATCHED,
}


def checked(schema: Any, value: Any) -> None:
    found = {"allOf": [schema], "components": DOCUMENT["components"]}
    Draft202012Validator(found).validate(value)


def described(endpoint: BoundOperation) -> dict[str, Any]:
    marked = endpoint.operation
    found: dict[str, Any] = DOCUMENT["paths"][marked.path][marked.method.lower()]
    return found


def answer_schema(endpoint: BoundOperation) -> Any:
    return described(endpoint)["responses"]["200"]["content"][endpoint.operation.media]["schema"]


def refusal_schema(endpoint: BoundOperation) -> Any:
    return described(endpoint)["responses"]["default"]["content"]["application/json"]["schema"]


def of_name(name: str) -> BoundOperation:
    return next(each for each in ALL if each.name == name)


def test_every_operation_is_described_and_nothing_else() -> None:
    found = {(method.upper(), path) for path, item in DOCUMENT["paths"].items() for method in item}
    assert found == {(each.operation.method, each.operation.path) for each in ALL}
    names = [described(each)["operationId"] for each in ALL]
    assert len(set(names)) == len(names)
    assert (DOCUMENT["openapi"], DOCUMENT["info"]["version"]) == ("3.1.0", API_VERSION)


@pytest.mark.parametrize("endpoint", ANSWERED, ids=lambda each: each.name)
async def test_answers_are_as_described(endpoint: BoundOperation) -> None:
    _, app = application(VIEW)
    if "{match}" in endpoint.operation.path:
        await asked(app, "POST", "/api/matches", BEARER | JSON, match_body())
    await asked(app, "POST", "/api/watched", BEARER | JSON, WATCHED)
    body = BODIES.get(endpoint.name, b"{}")
    method = endpoint.operation.method
    answer = await asked(app, method, path_of(endpoint), BEARER | JSON, body)
    assert answer.status == 200, answer.json
    assert answer.fields["content-type"].startswith(endpoint.operation.media)
    checked(answer_schema(endpoint), answer.json)


@pytest.mark.parametrize("endpoint", ALL, ids=lambda each: each.name)
async def test_refusals_are_as_described(endpoint: BoundOperation) -> None:
    _, app = application(VIEW)
    method = endpoint.operation.method
    answer = await asked(app, method, path_of(endpoint), {"host": "evil.example"})
    assert answer.status == 421
    checked(refusal_schema(endpoint), answer.json)


@pytest.mark.parametrize("endpoint", ALL, ids=lambda each: each.name)
def test_bodies_of_the_tests_are_as_described(endpoint: BoundOperation) -> None:
    body = described(endpoint).get("requestBody")
    assert (body is not None) == (endpoint.operation.method == "POST")
    if body is not None:
        schema = body["content"]["application/json"]["schema"]
        with pytest.raises(Exception, match=r"additional|unevaluated|Additional"):
            checked(schema, {"a field that no message has": 1})


@pytest.mark.parametrize("state", JobState)
async def test_jobs_in_every_state_are_as_described(state: JobState) -> None:
    master, app = application(VIEW)
    master.change(1, state=state, trials=None, stop_se=0.01, eta_s=None, error="why")
    checked(answer_schema(of_name("jobs")), (await asked(app, "GET", "/api/jobs")).json)


def test_other_answer_than_described_is_found() -> None:
    with pytest.raises(Exception, match="is a required property"):
        checked(answer_schema(of_name("jobs")), {"jobs": [{}]})


@pytest.mark.parametrize("endpoint", ALL, ids=lambda each: each.name)
def test_parameters_of_the_path_and_the_query_are_described(endpoint: BoundOperation) -> None:
    reported = described(endpoint).get("parameters", [])
    in_path = [each for each in reported if each["in"] == "path"]
    in_query = [each for each in reported if each["in"] == "query"]
    assert [each["name"] for each in in_path] == re.findall(r"{(\w+)}", endpoint.operation.path)
    assert all(each["required"] for each in in_path)
    assert [each["name"] for each in in_query] == list(endpoint.signature.query)
    assert not any(each.get("required", False) for each in in_query)
    for each in in_path:
        if each["name"] == "job":
            assert (each["schema"]["minimum"], each["schema"]["maximum"]) == (1, JOB_MAX)


def test_permission_of_each_operation_is_described() -> None:
    for endpoint in ALL:
        security, need = described(endpoint)["security"], endpoint.operation.need
        assert ({} in security or not security) == (need is not Need.TOKEN)
        assert ({"token": []} in security) == (need is not Need.NOTHING)


@pytest.mark.parametrize("name", DOCUMENT["components"]["schemas"])
def test_schemas_are_schemas(name: str) -> None:
    Draft202012Validator.check_schema(DOCUMENT["components"]["schemas"][name])


def test_default_of_each_field_is_as_described() -> None:
    fields = [
        field
        for schema in DOCUMENT["components"]["schemas"].values()
        for field in schema.get("properties", {}).values()
        if "default" in field
    ]
    assert len(fields) > 10
    for field in fields:
        checked(field, field["default"])


def test_every_reference_leads_to_a_schema() -> None:
    found = set(re.findall(r"#/components/schemas/(\w+)", str(DOCUMENT)))
    assert found <= set(DOCUMENT["components"]["schemas"])
    assert found


def test_message_in_both_directions_is_described_for_each() -> None:
    submitted = described(of_name("submit"))["requestBody"]["content"]["application/json"]["schema"]
    checked(submitted, {"context": "x", "trials": 5})
    with pytest.raises(Exception, match="Additional properties"):
        checked(submitted, {"context": "x", "trials": 5, "more": 1})
    priority = described(of_name("prioritise"))["requestBody"]["content"]["application/json"]
    checked(priority["schema"], {"priority": "urgent"})
    with pytest.raises(Exception, match="is not one of"):
        checked(priority["schema"], {"priority": 3})


async def test_document_is_served_as_it_is() -> None:
    _, app = application()
    assert (await asked(app, "GET", "/api/openapi.json")).json == DOCUMENT
