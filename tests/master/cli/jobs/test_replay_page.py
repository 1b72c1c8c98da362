"""A record's page: its link, what is served there, and its end."""

import asyncio
import json
import os
import signal
import urllib.request
from pathlib import Path

import pytest
from starlette.types import ASGIApp

from master.api.application import make_application
from master.api.rules import read_token
from master.api.timeline import TimelineHandlers
from master.cli.jobs import replay_page as module
from master.cli.jobs.replay_page import RecordHandlers, show_record
from master.contract.errors import MasterError
from master.timeline.reading import RecordedTimeline
from protocol.address import Address
from tests.master.api.asgi import asked, calling
from tests.master.api.made_up_timeline import made_up

STEP_S_MAX = 20.0

TEXT = "this is a record: nothing runs here"


@pytest.fixture
def app() -> ASGIApp:
    return make_application((RecordHandlers("a", TEXT), TimelineHandlers(made_up())))


async def test_reader_gets_the_reason_why_nothing_runs_and_then_heartbeats(
    app: ASGIApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HEARTBEAT_S", 0.0)
    async with calling(app, "GET", "/api/events") as call:
        await call.sent.get()
        name, _, reported = await call.event()
        assert name == "state"
        (master,) = reported["changed"]["master"]
        assert (master["name"], master["trouble"]) == ("a", TEXT)
        assert (await call.event())[0] == "alive"


async def test_nothing_can_be_changed_and_there_are_no_jobs(app: ASGIApp) -> None:
    for change in ("halt", "resume", "forget"):
        assert (await asked(app, "POST", f"/api/jobs/1/{change}")).status == 404
    for path in ("/api/jobs", "/api/positions/ask", "/api/matches"):
        assert (await asked(app, "POST", path)).status == 404
        assert (await asked(app, "GET", path)).status == 404


async def test_timeline_is_shown(app: ASGIApp) -> None:
    assert len((await asked(app, "GET", "/api/timeline")).json["lanes"]) == 2


@pytest.mark.sockets
async def test_record_is_served_until_it_is_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = RecordedTimeline(made_up().timeline, is_cut=True)
    here = Address("127.0.0.1", 0)
    showing = asyncio.create_task(show_record(recorded, "decisions.log", here, tmp_path))
    link = ""
    async with asyncio.timeout(STEP_S_MAX):
        while "\n" not in link:
            await asyncio.sleep(0)
            assert not showing.done(), showing
            link += capsys.readouterr().out
    url, _, fragment = link.strip().partition("#")
    assert f"#{fragment}" == f"{read_token(tmp_path).fragment}/timeline"

    def ask() -> bytes:
        with urllib.request.urlopen(f"{url}api/timeline", timeout=STEP_S_MAX) as answer:
            body: bytes = answer.read()
            return body

    reported = json.loads(await asyncio.to_thread(ask))
    assert (reported["title"], reported["is_live"], reported["is_cut"]) == (
        "decisions.log",
        False,
        True,
    )
    os.kill(os.getpid(), signal.SIGINT)
    async with asyncio.timeout(STEP_S_MAX):
        await showing


@pytest.mark.sockets
async def test_others_are_not_shown_it(tmp_path: Path) -> None:
    recorded = RecordedTimeline(made_up().timeline)
    with pytest.raises(MasterError, match="on this machine alone"):
        await show_record(recorded, "a", Address("0.0.0.0", 0), tmp_path)
