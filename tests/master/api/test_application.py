import asyncio
import json

import pytest

from master.api.application import DocumentHandlers, SessionHandlers, make_application
from master.api.assets import ASSETS
from master.api.routing import operations_of
from master.api.rules import SECURITY_FIELDS, Need
from master.api.server import master_handlers
from master.contract.errors import MasterError
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
from tests.master.api.fake_master import VIEW, FakeMaster

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
