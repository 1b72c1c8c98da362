import asyncio
import json
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from master.cli.app import manyply
from master.contract.errors import MasterError
from master.web.application import make_application
from master.web.positions import handlers as module
from tests.master.web.asgi import BEARER, JSON, Answer, application, asked, calling, site_of
from tests.master.web.fake_master import FakeMaster
from tests.master.web.handed_in import GAME, POSITION

ASK = "/api/positions/ask"


async def question(master: FakeMaster, action: str, **settings: object) -> Answer:
    app = make_application(site_of(master))
    return await asked(app, "POST", ASK, BEARER | JSON, POSITION.body(action, **settings))


async def test_position_is_read() -> None:
    _, app = application()
    answer = await asked(app, "GET", f"/api/positions?game={GAME}&text={quote(POSITION.text)}")
    assert answer.status == 200
    assert answer.json["position"] == POSITION.text
    assert answer.json["board"]["dice"] == [3, 1]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("", "unknown-game"),
        ("?game=go&text=x", "unknown-game"),
        (f"?game={GAME}", "bad-position"),
        (f"?game={GAME}&text=%00%ff%0a", "bad-position"),
        (f"?game={GAME}&text=" + "x" * 9000, "bad-body"),
    ],
)
async def test_what_is_no_position_is_refused(query: str, code: str) -> None:
    _, app = application()
    answer = await asked(app, "GET", f"/api/positions{query}")
    assert (answer.status, answer.json["code"]) == (422, code)
    assert len(answer.json["text"].splitlines()) == 1


@given(st.text(max_size=60))
@pytest.mark.when_changed
def test_any_text_is_answered(text: str) -> None:
    async def check() -> None:
        _, app = application()
        path = f"/api/positions?game={GAME}&text={quote(text, errors='surrogatepass')}"
        assert (await asked(app, "GET", path)).status in (200, 422)

    asyncio.run(check())


@pytest.mark.parametrize(
    ("action", "command"), [("evaluate", "eval"), ("moves", "move"), ("cube", "cube")]
)
async def test_answers_are_those_of_the_command_line(action: str, command: str) -> None:
    answer = await question(FakeMaster(), action, plies=2)
    assert answer.status == 200
    printed = CliRunner().invoke(manyply, [command, POSITION.text, "--plies", "2", "--json"])
    assert answer.json["report"] == json.loads(printed.output)
    assert (answer.json["action"], answer.json["position"]) == (action, POSITION.text)


async def test_job_is_submitted_and_its_number_told() -> None:
    master, app = application()
    body = POSITION.body("rollout", trials=72)
    assert (await asked(app, "POST", "/api/jobs", BEARER | JSON, body)).json == {"job": 1}
    named = json.dumps(json.loads(body) | {"label": "mine"}).encode()
    assert (await asked(app, "POST", "/api/jobs", BEARER | JSON, named)).json == {"job": 2}
    assert [request.trials for request in master.submitted] == [72, 72]
    assert [request.label for request in master.submitted][1] == "mine"


async def test_job_that_the_master_refuses_is_said() -> None:
    master, app = application()
    master.error = MasterError("this master is ending")
    answer = await asked(app, "POST", "/api/jobs", BEARER | JSON, POSITION.body("rollout"))
    assert (answer.status, answer.json["text"]) == (409, "this master is ending")


async def test_bad_questions_and_jobs_are_refused() -> None:
    master, app = application()
    for path, body in (
        (ASK, POSITION.body("moves", dice="77")),
        ("/api/jobs", POSITION.body("rollout", moves=["1/9"])),
        ("/api/jobs", POSITION.body("rollout", trials=-1)),
    ):
        answer = await asked(app, "POST", path, BEARER | JSON, body)
        assert (answer.status, answer.json["code"]) == (422, "bad-question")
    assert master.submitted == []
    long = await asked(app, "POST", ASK, BEARER | JSON, b"x" * 20_000)
    assert long.status == 413


async def test_question_that_nobody_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ASK_S", 0.01)
    master = FakeMaster()
    master.may_answer.clear()
    answer = await question(master, "cube", plies=3)
    assert (answer.status, answer.json["code"]) == (503, "too-slow")
    assert "are analysers ready?" in answer.json["text"]


async def test_so_many_wait_for_answers_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ASKED_MAX", 1)
    master, app = application()
    master.may_answer.clear()
    body = POSITION.body("cube", plies=3)
    async with calling(app, "POST", ASK, BEARER | JSON, (body,)) as call:
        await master.is_asked.wait()
        answer = await asked(app, "POST", ASK, BEARER | JSON, body)
        assert (answer.status, answer.json["code"]) == (503, "too-many-questions")
        master.may_answer.set()
        assert (await call.sent.get())["status"] == 200
        await call.sent.get()
    assert (await asked(app, "POST", ASK, BEARER | JSON, body)).status == 200
