from base64 import b64encode
from hashlib import sha256

from starlette.types import ASGIApp

from engine_ext.control import RunControl
from engine_ext.services import answer
from master.web.application import make_application
from master.web.matches.analyses import RUNNING_MAX
from master.web.matches.handlers import RECEIVED_MAX, report_fields
from master.web.positions.reading import handlers_of
from master.web.positions.resources import MATCH_BYTES_MAX
from master.web.rules import SECURITY_FIELDS
from tests.master.web.asgi import BEARER, JSON, Answer, application, asked, calling, site_of
from tests.master.web.fake_master import FakeMaster
from tests.master.web.handed_in import GAME, match_body, match_text


async def hand_in(app: ASGIApp, **changes: object) -> Answer:
    return await asked(app, "POST", "/api/matches", BEARER | JSON, match_body(**changes))


async def ended(app: ASGIApp, match: int = 1) -> str:
    """Return the state of a match that is not running any more."""
    state = "running"
    while state == "running":
        state = str((await asked(app, "GET", f"/api/matches/{match}")).json["state"])
    return state


async def test_match_is_analysed_and_its_report_is_that_of_its_plan() -> None:
    _, app = application()
    begun = await hand_in(app)
    assert (begun.status, begun.json["match"], begun.json["state"]) == (200, 1, "running")
    assert await ended(app) == "done"
    report = await asked(app, "GET", "/api/matches/1/report.html")
    matches = handlers_of(GAME).matches
    assert matches is not None
    plan = matches.plan(match_text(), "a.mat", "quick")
    expected = plan.report([answer(text, RunControl()) or "" for text in plan.questions])
    assert report.body.decode() == expected.page
    assert report.fields["content-type"] == "text/html; charset=utf-8"
    fields = {name.lower(): value for name, value in report_fields(plan.script).items()}
    assert report.fields.items() >= fields.items()
    listed = (await asked(app, "GET", "/api/matches")).json["matches"]
    assert [(each["title"], each["summary"]) for each in listed] == [(plan.title, expected.summary)]


async def test_report_runs_its_one_script_in_a_box() -> None:
    fields = report_fields("alert(1)")
    digest = b64encode(sha256(b"alert(1)").digest()).decode()
    policy = fields["Content-Security-Policy"].split("; ")
    assert "sandbox allow-scripts" in policy
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert {*SECURITY_FIELDS} - {*fields} == {"Cross-Origin-Opener-Policy"}


async def test_report_is_not_there_before_its_end() -> None:
    master = FakeMaster()
    master.may_answer.clear()
    app = make_application(site_of(master))
    await hand_in(app)
    early = await asked(app, "GET", "/api/matches/1/report.html")
    assert (early.status, early.json["code"]) == (409, "no-report")
    forgotten = await asked(app, "POST", "/api/matches/1/forget")
    assert forgotten.json["match"] == 1
    for path in ("/api/matches/1", "/api/matches/1/report.html", "/api/matches/x"):
        gone = await asked(app, "GET", path)
        assert (gone.status, gone.json["code"]) == (404, "unknown-match")


async def test_files_on_their_way_are_bounded_and_said() -> None:
    _, app = application()
    opened = [
        calling(app, "POST", "/api/matches", BEARER | JSON, (b"{",), is_ended=False)
        for _ in range(RECEIVED_MAX)
    ]
    for each in opened:
        await each.__aenter__()
    refused = await hand_in(app)
    assert (refused.status, refused.json["code"]) == (503, "too-many-files")
    for each in opened:
        await each.__aexit__(None, None, None)
    assert (await hand_in(app)).status == 200


async def test_match_that_is_analysed_keeps_its_report_alone() -> None:
    _, app = application()
    asked_at_first = (await hand_in(app)).json["questions"]
    assert await ended(app) == "done"
    again = (await asked(app, "GET", "/api/matches/1")).json
    assert (again["questions"], again["answered"]) == (asked_at_first, asked_at_first)


async def test_too_many_and_too_large_are_refused() -> None:
    master = FakeMaster()
    master.may_answer.clear()
    site = site_of(master)
    app = make_application(site)
    for _ in range(RUNNING_MAX):
        assert (await hand_in(app)).status == 200
    refused = await hand_in(app)
    assert (refused.status, refused.json["code"]) == (409, "too-many-matches")
    large = await asked(
        application()[1],
        "POST",
        "/api/matches",
        BEARER | JSON,
        *[b"x" * 65_536] * (MATCH_BYTES_MAX // 40_000),
    )
    assert (large.status, large.json["code"]) == (413, "too-large")
    await site.background.aclose()
    states = [each["state"] for each in (await asked(app, "GET", "/api/matches")).json["matches"]]
    assert states == ["failed"] * RUNNING_MAX
