import asyncio
import json
import posixpath
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from master.api.application import DocumentHandlers, SessionHandlers, document, make_application
from master.api.messages import API_VERSION
from master.api.routing import BoundOperation, operations_of
from master.api.rules import SECURITY_FIELDS, Need
from master.api.server import master_handlers
from master.api.site import ASSETS, Asset
from master.contract.errors import MasterError
from master.contract.job_words import JOB_MAX, JobState
from master.store.errors import JobBusyError, StoreError
from tests.master.api.asgi import (
    BEARER,
    JSON,
    PORT,
    TOKEN,
    WATCHED,
    application,
    asked,
    calling,
    operations,
    path_of,
    rules_of,
    site_of,
)
from tests.master.api.fake_master import CONTEXT, VIEW, FakeMaster
from tests.master.api.handed_in import POSITION, match_body

ALL = [
    *operations(),
    *operations_of(SessionHandlers(rules_of())),
    *operations_of(DocumentHandlers(())),
]
PATHS = [(each.operation.method, path_of(each), each.operation.need) for each in ALL]
READ = [path for _, path, need in PATHS if need is Need.READING]
CHANGE = [path for _, path, need in PATHS if need is Need.TOKEN]


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (MasterError("job 1 is running"), 409, "refused"),
        (JobBusyError(1, "pid 3"), 409, "refused"),
        (StoreError("the disk is full"), 503, "storage"),
    ],
)
async def test_refusals_of_the_master_are_one_line_with_a_code(
    error: MasterError, status: int, code: str
) -> None:
    master, app = application(VIEW)
    master.error = error
    answer = await asked(app, "POST", "/api/jobs/1/forget")
    assert answer.status == status
    assert answer.json == {"code": code, "text": str(error), "index": None}


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/jobs/2", 404, "unknown-job"),
        ("GET", "/api/jobs/x", 404, "unknown-job"),
        ("GET", "/api/jobs/2/report", 404, "unknown-job"),
        ("GET", "/api/jobs/2/updates", 404, "unknown-job"),
        ("GET", "/api/jobs/", 404, "not-found"),
        ("GET", "/api/jobs/1/halt", 405, "method-not-allowed"),
        ("GET", "/nothing", 404, "not-found"),
        ("POST", "/api/analysers", 405, "method-not-allowed"),
        ("DELETE", "/api/jobs/1", 405, "method-not-allowed"),
    ],
)
async def test_unknown_resource_and_other_method_are_refused_with_a_code(
    method: str, path: str, status: int, code: str
) -> None:
    _, app = application(VIEW)
    answer = await asked(app, method, path)
    assert (answer.status, answer.json["code"]) == (status, code)
    assert answer.fields.items() >= {k.lower(): v for k, v in SECURITY_FIELDS.items()}.items()


@pytest.mark.parametrize("path", CHANGE)
@pytest.mark.parametrize(
    ("fields", "status"),
    [
        (JSON, 401),
        (JSON | {"authorization": "Bearer " + "u" * 43}, 401),
        (JSON | {"cookie": f"manyply-web-{PORT}={TOKEN.reading_pass}"}, 401),
        (BEARER, 415),
        (BEARER | {"content-type": "text/plain"}, 415),
        (BEARER | JSON | {"origin": "http://evil.example"}, 403),
        (BEARER | JSON | {"origin": "http://127.0.0.1:1"}, 403),
        (BEARER | JSON | {"origin": "null"}, 403),
        (BEARER | JSON | {"sec-fetch-site": "same-site"}, 403),
        (BEARER | JSON | {"host": "evil.example"}, 421),
    ],
)
async def test_change_takes_the_token_and_json_from_our_own_page(
    path: str, fields: dict[str, str], status: int
) -> None:
    master, app = application(VIEW)
    answer = await asked(app, "POST", path, fields, b"{}")
    assert answer.status == status
    assert master.asked == []
    assert "set-cookie" not in answer.fields


@pytest.mark.parametrize("path", READ)
async def test_beyond_this_machine_reading_takes_the_token_or_the_pass(path: str) -> None:
    _, app = application(VIEW, is_reading_free=False)
    await asked(app, "POST", "/api/watched", BEARER | JSON, WATCHED)
    cookie = {"cookie": f"manyply-web-{PORT}={TOKEN.reading_pass}"}
    for fields, is_let_in in (({}, False), (BEARER, True), (cookie, True)):
        async with calling(app, "GET", path, fields) as call:
            assert ((await call.sent.get())["status"] != 401) == is_let_in


async def test_session_sets_a_cookie_for_this_endpoint_that_scripts_and_other_sites_never_see() -> (
    None
):
    _, app = application()
    answer = await asked(app, "POST", "/api/session")
    cookie = answer.fields["set-cookie"]
    name, _, rest = cookie.partition("=")
    value, *attributes = rest.split("; ")
    assert (name, value) == (f"manyply-web-{PORT}", TOKEN.reading_pass)
    assert {"HttpOnly", "Path=/api", "SameSite=strict"} <= set(attributes)


@pytest.mark.parametrize(("method", "path", "need"), PATHS)
async def test_every_answer_is_confined_to_its_origin(method: str, path: str, need: Need) -> None:
    _, app = application(VIEW)
    async with calling(app, method, path, BEARER | JSON, (b"{}",)) as call:
        start = await call.sent.get()
    fields = {name.decode().title(): value.decode() for name, value in start["headers"]}
    expected = {name.title(): value for name, value in SECURITY_FIELDS.items()}
    assert fields.items() >= expected.items()
    assert not [name for name in fields if name.startswith("Access-Control")]


@pytest.mark.parametrize("path", ["/", "/page.css", "/page.js", "/icon.svg"])
async def test_page_is_served_without_a_token(path: str) -> None:
    _, app = application(is_reading_free=False)
    answer = await asked(app, "GET", path, {"sec-fetch-site": "cross-site"})
    assert answer.status == 200
    assert answer.body
    assert (await asked(app, "GET", path, {"host": "evil.example"})).status == 421


async def test_change_goes_on_though_it_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(FakeMaster):
        async def halt(self, job: int) -> None:
            await may_end.wait()
            await super().halt(job)
            halted.set()

    monkeypatch.setattr("master.api.application.CALL_S", 0.01)
    may_end, halted = asyncio.Event(), asyncio.Event()
    master = Slow(VIEW)
    answer = await asked(
        make_application(master_handlers(site_of(master))), "POST", "/api/jobs/1/halt"
    )
    assert (answer.status, answer.json["code"]) == (503, "too-slow")
    may_end.set()
    await halted.wait()
    assert master.asked == [("halt", 1)]


async def test_fault_of_ours_is_one_line_and_its_traceback_is_raised_for_the_log() -> None:
    async def ask() -> None:
        async with calling(app, "GET", "/api/jobs") as call:
            assert (await call.sent.get())["status"] == 500
            reported.update(json.loads((await call.sent.get())["body"]))

    reported: dict[str, str] = {}
    master, app = application(VIEW)
    master.error = ValueError("ours")  # type: ignore[assignment]
    with pytest.raises(ValueError, match="ours"):
        await ask()
    assert reported["code"] == "fault"
    assert "ours" not in reported["text"]


async def test_owner_at_its_socket_needs_no_token_and_any_host_will_do() -> None:
    master = FakeMaster(VIEW)
    app = make_application(master_handlers(site_of(master)))
    assert (await asked(app, "POST", "/api/jobs/1/halt", {"host": "any"}, b"{}")).status == 200
    assert master.asked == [("halt", 1)]
    assert (await asked(app, "POST", "/api/session", {"host": "any"}, b"{}")).status == 404
    assert (await asked(app, "GET", "/", {"host": "any"})).status == 404


async def test_page_has_its_files_and_metrics_alone_have_none() -> None:
    _, page = application()
    for asset in ASSETS:
        answer = await asked(page, "GET", asset.path)
        assert (answer.status, answer.fields["content-type"]) == (200, asset.media)


async def test_link_to_the_description_is_followed_from_anywhere_and_links_to_answers_are_not() -> (
    None
):
    _, app = application(VIEW)
    foreign = {"sec-fetch-site": "cross-site"}
    assert (await asked(app, "GET", "/api/openapi.json", foreign)).status == 200
    assert (await asked(app, "GET", "/api/jobs", foreign)).status == 403


async def test_refusal_of_a_method_names_those_that_there_are() -> None:
    _, app = application(VIEW)
    answer = await asked(app, "DELETE", "/api/jobs/1")
    assert {each.strip() for each in answer.fields["allow"].split(",")} == {"GET", "HEAD"}


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


PAGES = Path(str(files("master") / "page"))
PAGE = {
    str(each.relative_to(PAGES)): each.read_text() for each in PAGES.rglob("*") if each.is_file()
}
SCRIPTS = [name for name in PAGE if name.endswith(".js")]
FOR_PEOPLE = ("LICENSE", "README.md")
"""Of what others made: it lies beside it in the package, and no page asks for it."""


def test_every_file_is_served_and_each_that_is_served_is_there() -> None:
    wanted = [name for name in PAGE if posixpath.basename(name) not in FOR_PEOPLE]
    assert sorted(asset.name for asset in ASSETS) == sorted(wanted)
    assert all(asset.body for asset in ASSETS)


@pytest.mark.parametrize("asset", ASSETS, ids=lambda asset: asset.name)
def test_types_are_those_that_browsers_take(asset: Asset) -> None:
    ending = asset.name.rpartition(".")[2]
    known = {"html": "text/html", "css": "text/css", "svg": "image/svg+xml", "js": "text/javascr"}
    assert asset.media.startswith(known[ending])


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_put_in_text_alone(name: str) -> None:
    html = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|Function\("
    assert re.findall(html, PAGE[name]) == []


@pytest.mark.parametrize("asset", ASSETS, ids=lambda asset: asset.name)
def test_nothing_is_asked_of_elsewhere(asset: Asset) -> None:
    code = re.sub(r"(?ms)^\s*//.*?$|^\s*/\*.*?\*/", "", PAGE[asset.name])
    addresses = re.findall(r"(?:https?:)?//[\w.]+", code)
    assert [found for found in addresses if found != "http://www.w3.org"] == []


def test_imports_of_scripts_are_served() -> None:
    served = {asset.path for asset in ASSETS}
    for name in SCRIPTS:
        for imported in re.findall(r'(?:from|import\(|module:) "(\.\.?/[\w./]+)"', PAGE[name]):
            assert (
                posixpath.normpath(posixpath.join("/", posixpath.dirname(name), imported)) in served
            )


def test_page_has_neither_script_nor_style_of_its_own() -> None:
    page = PAGE["index.html"]
    assert re.findall(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page) == []
