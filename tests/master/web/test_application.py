import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.contract.errors import MasterError
from master.contract.job_words import JobState, Priority
from master.store.errors import JobBusyError, StoreError
from master.web.application import make_application
from master.web.events.watching import READERS_MAX
from master.web.routes import ROUTES
from master.web.rules import SECURITY_FIELDS, Need
from tests.master.web.asgi import (
    BEARER,
    JSON,
    PORT,
    TOKEN,
    WATCHED,
    application,
    asked,
    calling,
    path_of,
    site_of,
)
from tests.master.web.fake_master import VIEW, FakeMaster

PATHS = [(route.method, path_of(route), route.need) for route in ROUTES]
READ = [path for _, path, need in PATHS if need is Need.READING]
CHANGE = [path for _, path, need in PATHS if need is Need.TOKEN]


async def test_jobs_and_analysers_are_listed() -> None:
    _, app = application(VIEW)
    jobs = (await asked(app, "GET", "/api/jobs")).json["jobs"]
    assert [(job["job"], job["state"], job["folded"]) for job in jobs] == [(1, "running", 10)]
    (line,) = (await asked(app, "GET", "/api/analysers")).json["analysers"]
    assert (line["name"], line["state"], line["workers"]) == ("attic", "ready", 4)


async def test_job_is_shown_with_its_report() -> None:
    _, app = application(VIEW)
    shown = (await asked(app, "GET", "/api/jobs/1")).json
    assert shown["report"]["job"] == 1


@pytest.mark.parametrize("name", ["halt", "resume", "forget"])
async def test_jobs_are_changed(name: str) -> None:
    master, app = application(VIEW)
    answer = await asked(app, "POST", f"/api/jobs/1/{name}")
    assert (answer.status, answer.json) == (200, {"job": 1})
    assert master.asked == [(name, 1)]


async def test_job_is_extended() -> None:
    master, app = application(VIEW)
    answer = await asked(app, "POST", "/api/jobs/1/extend", BEARER | JSON, b'{"tri', b'als": 72}')
    assert answer.json == {"job": 1}
    assert master.asked == [("extend", 1, 72)]


async def test_job_is_put_into_the_background() -> None:
    master, app = application(VIEW)
    body = b'{"priority": "background"}'
    answer = await asked(app, "POST", "/api/jobs/1/priority", BEARER | JSON, body)
    assert answer.json == {"job": 1}
    assert master.asked == [("prioritise", 1, Priority.BACKGROUND)]
    assert (await asked(app, "GET", "/api/jobs/1")).json["priority"] == "background"


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
    assert answer.json == {"code": code, "text": str(error)}


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/jobs/2", 404, "unknown-job"),
        ("GET", "/api/jobs/x", 404, "unknown-job"),
        ("GET", "/api/jobs/1/halt", 405, "method-not-allowed"),
        ("GET", "/nothing", 404, "not-found"),
        ("POST", "/api/analysers", 405, "method-not-allowed"),
        ("DELETE", "/api/jobs/1", 405, "method-not-allowed"),
    ],
)
async def test_what_is_not_there_is_said(method: str, path: str, status: int, code: str) -> None:
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
async def test_nothing_is_changed_without_all_that_it_takes(
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
async def test_every_answer_is_kept_in_its_bounds_and_opened_to_nobody(
    method: str, path: str, need: Need
) -> None:
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

    monkeypatch.setattr("master.web.application.CALL_S", 0.01)
    may_end, halted = asyncio.Event(), asyncio.Event()
    master = Slow(VIEW)
    answer = await asked(make_application(site_of(master)), "POST", "/api/jobs/1/halt")
    assert (answer.status, answer.json["code"]) == (503, "too-slow")
    may_end.set()
    await halted.wait()
    assert master.asked == [("halt", 1)]


@given(st.binary(max_size=60))
def test_any_body_is_answered_and_extends_nothing_by_chance(body: bytes) -> None:
    async def check() -> None:
        master, app = application(VIEW)
        answer = await asked(app, "POST", "/api/jobs/1/extend", BEARER | JSON, body)
        assert answer.status == 422 or json.loads(body)["trials"] == master.asked[0][2]

    asyncio.run(check())


async def test_further_reader_of_events_gets_them_and_the_oldest_leaves() -> None:
    site = site_of(FakeMaster(VIEW))
    app = make_application(site)
    opened = [calling(app, "GET", "/api/events") for _ in range(READERS_MAX + 1)]
    for each in opened:
        call = await each.__aenter__()
        assert (await call.sent.get())["status"] == 200
        await call.event()
    assert site.watching.reader_count == READERS_MAX
    assert (await call.event())[0] == "state"
    for each in opened:
        await each.__aexit__(None, None, None)
    assert site.watching.reader_count == 0


async def test_events_tell_a_change_and_resume_after_a_break() -> None:
    master, app = application(VIEW)
    async with calling(app, "GET", "/api/events") as call:
        assert (await call.sent.get())["status"] == 200
        await call.event()
        name, number, reported = await call.event()
        assert name == "state"
        assert reported["changed"]["jobs"][0]["state"] == "running"
    async with calling(app, "GET", "/api/events", {"last-event-id": number}) as call:
        await call.sent.get()
        await call.event()
        master.change(1, state=JobState.DONE)
        name, _, reported = await call.event()
    assert name == "changes"
    assert [job["state"] for job in reported["changed"]["jobs"]] == ["done"]
    assert "analysers" not in reported["changed"]


async def test_head_of_events_ends() -> None:
    _, app = application()
    assert (await asked(app, "HEAD", "/api/events")).status == 200


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
