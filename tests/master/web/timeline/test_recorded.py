"""What is asked of a record that stands for a master."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from starlette.types import ASGIApp

from master.contract.errors import MasterError
from master.contract.master import Master
from master.web.application import make_application
from master.web.timeline.recorded import RecordedMaster
from tests.master.web.asgi import asked, calling, site_of
from tests.master.web.timeline.made_up import made_up

TEXT = "this is a record: nothing runs here"


@pytest.fixture
async def app() -> AsyncIterator[ASGIApp]:
    master = RecordedMaster(TEXT)
    site = replace(site_of(master), timeline=made_up())  # type: ignore[arg-type]
    yield make_application(site)
    await site.watching.aclose()


@pytest.mark.parametrize("path", ["/api/jobs", "/api/jobs/1", "/api/analysers", "/api/master"])
async def test_whoever_asks_is_told_what_it_is(app: ASGIApp, path: str) -> None:
    answer = await asked(app, "GET", path)
    assert (answer.status, answer.json["text"]) == (409, TEXT)


async def test_nothing_is_changed(app: ASGIApp) -> None:
    for change in ("halt", "resume", "forget"):
        assert (await asked(app, "POST", f"/api/jobs/1/{change}")).json["text"] == TEXT


async def test_who_follows_is_told_what_it_is_and_sees_the_timeline(app: ASGIApp) -> None:
    async with calling(app, "GET", "/api/events") as call:
        await call.sent.get()
        await call.sent.get()  # how soon to come again
        name, _, reported = await call.event()
    assert name == "state"
    assert reported["changed"]["master"][0]["trouble"] == TEXT
    assert len((await asked(app, "GET", "/api/timeline")).json["lanes"]) == 2


async def test_it_is_a_master_that_refuses() -> None:
    master: Master = RecordedMaster(TEXT)
    with pytest.raises(MasterError, match=TEXT):
        await master.ask(["x"])
    with pytest.raises(MasterError, match=TEXT):
        master.subscribe(1)
