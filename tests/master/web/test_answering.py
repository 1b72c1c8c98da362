import asyncio

import pytest

from master.web.answering import Background
from master.web.asking import BODY_BYTES_MAX
from tests.master.web.asgi import BEARER, JSON, application, asked
from tests.master.web.fake_master import VIEW


async def test_body_has_a_limit_and_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    master, app = application(VIEW)
    half = b" " * (BODY_BYTES_MAX // 2 + 1)
    answer = await asked(app, "POST", "/api/jobs/1/halt", BEARER | JSON, half, half)
    assert (answer.status, answer.json["code"]) == (413, "too-large")
    monkeypatch.setattr("master.web.answering.BODY_S", 0.01)
    answer = await asked(app, "POST", "/api/jobs/1/halt", BEARER | JSON, b"{", is_ended=False)
    assert (answer.status, answer.json["code"]) == (408, "too-slow")
    assert master.asked == []


async def test_what_goes_on_ends_with_the_endpoint() -> None:
    async def work() -> str:
        await may_end.wait()
        return "done"

    may_end, background = asyncio.Event(), Background()
    ended = background.begin(work())
    may_end.set()
    assert await ended == "done"
    may_end.clear()
    left = background.begin(work())
    await background.aclose()
    assert left.cancelled()
