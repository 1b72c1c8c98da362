"""The document, the table and the answers agree: each answer that was recorded is as described."""

import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from master.contract.job_words import JobState
from master.web.openapi import document
from master.web.route import Route
from master.web.routes import ROUTES
from tests.master.web.asgi import BEARER, JSON, WATCHED, application, asked, path_of
from tests.master.web.fake_master import VIEW
from tests.master.web.handed_in import POSITION, match_body

DOCUMENT = document()
ANSWERED = [route for route in ROUTES if route.answer]
BODIES = {
    "extend": b'{"trials": 36}',
    "prioritise": b'{"priority": "background"}',
    "ask": POSITION.body("evaluate", plies=0),
    "start": POSITION.body("rollout", trials=36),
    "hand_in": match_body(),
    "begin_game": WATCHED,
}


def checked(name: str, value: Any) -> None:
    schema = {"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]}
    Draft202012Validator(schema).validate(value)


def operation_of(route: Route) -> dict[str, Any]:
    operation: dict[str, Any] = DOCUMENT["paths"][route.path][route.method.lower()]
    return operation


def test_every_route_is_described_and_nothing_else() -> None:
    described = {
        (method.upper(), path) for path, item in DOCUMENT["paths"].items() for method in item
    }
    assert described == {(route.method, route.path) for route in ROUTES}
    names = [operation_of(route)["operationId"] for route in ROUTES]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("route", ANSWERED, ids=lambda route: route.name)
async def test_answers_are_as_described(route: Route) -> None:
    _, app = application(VIEW)
    if "{match}" in route.path:
        await asked(app, "POST", "/api/matches", BEARER | JSON, match_body())
    await asked(app, "POST", "/api/watched", BEARER | JSON, WATCHED)
    body = BODIES.get(route.name, b"{}")
    answer = await asked(app, route.method, path_of(route), BEARER | JSON, body)
    assert answer.status == 200
    assert answer.fields["content-type"].startswith(route.media)
    checked(route.answer, answer.json)


@pytest.mark.parametrize("route", ANSWERED, ids=lambda route: route.name)
async def test_refusals_are_as_described(route: Route) -> None:
    _, app = application(VIEW)
    answer = await asked(app, route.method, path_of(route), {"host": "evil.example"})
    assert answer.status == 421
    checked("Error", answer.json)


@pytest.mark.parametrize("state", JobState)
async def test_jobs_in_every_state_are_as_described(state: JobState) -> None:
    master, app = application(VIEW)
    master.change(1, state=state, trials=None, stop_se=0.01, eta_s=None, error="why")
    checked("Jobs", (await asked(app, "GET", "/api/jobs")).json)


def test_what_is_other_than_described_is_found() -> None:
    with pytest.raises(Exception, match="is a required property"):
        checked("Jobs", {"jobs": [{}]})


def test_what_stands_in_a_path_is_described() -> None:
    for route in ROUTES:
        reported = operation_of(route).get("parameters", [])
        named = [each["name"] for each in reported if each["in"] == "path"]
        assert named == re.findall(r"{(\w+)}", route.path)
        assert all(each["required"] for each in reported if each["in"] == "path")


async def test_document_is_served_as_it_is() -> None:
    _, app = application()
    assert (await asked(app, "GET", "/api/openapi.json")).json == DOCUMENT
