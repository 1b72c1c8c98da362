import asyncio
import json
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter
from starlette.types import ASGIApp

from engine_ext.backgammon.context import RolloutContext
from master.api import positions as module
from master.api.positions import (
    POSITION_CHARACTERS_MAX,
    GameShown,
    PositionJob,
    PositionQuestion,
    Wanted,
    game_shown,
    handlers_of,
    read_position,
    read_wanted,
)
from master.api.routing import read_body
from master.api.rules import RefusedError
from master.cli.app import manyply
from master.contract.errors import MasterError
from master.games.handlers import Action, Field, Handlers, Kind, PositionHandlers
from master.games.table import GAMES
from master.reports.report import Report
from tests.master.api.asgi import BEARER, JSON, Answer, application, asked, calling
from tests.master.api.handed_in import GAME, POSITION

ASK, START = "/api/positions/ask", "/api/positions/start"

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def outcome(body: bytes, *, is_job: bool = False) -> Wanted | str:
    """Return what a body asks for, or why it is refused: in one line, which can be written."""
    try:
        read = read_body(body, PositionJob if is_job else PositionQuestion)
        return read_wanted(read, is_job=is_job)
    except RefusedError as error:
        text = error.refusal.text
    assert len(text.splitlines()) == 1
    assert text.encode()
    return text


async def question(app: ASGIApp, action: str, **settings: object) -> Answer:
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
        (f"?game={GAME}&text=" + "x" * 9000, "bad-query"),
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
    answer = await question(application()[1], action, plies=2)
    assert answer.status == 200
    printed = CliRunner().invoke(manyply, [command, POSITION.text, "--plies", "2", "--json"])
    assert answer.json["report"] == json.loads(printed.output)
    assert (answer.json["action"], answer.json["position"]) == (action, POSITION.text)


async def test_job_is_submitted_and_its_number_is_the_answer() -> None:
    master, app = application()
    body = POSITION.body("rollout", trials=72)
    assert (await asked(app, "POST", START, BEARER | JSON, body)).json == {"job": 1}
    named = json.dumps(json.loads(body) | {"label": "mine"}).encode()
    assert (await asked(app, "POST", START, BEARER | JSON, named)).json == {"job": 2}
    assert [request.trials for request in master.submitted] == [72, 72]
    assert [request.label for request in master.submitted][1] == "mine"


@pytest.mark.parametrize(
    ("settings", "ply", "move_filter"),
    [
        ({}, 0, "normal"),
        ({"level": "normal"}, 2, "normal"),
        ({"level": "deep"}, 3, "large"),
        ({"level": "deep", "plies": 1}, 1, "large"),
    ],
)
async def test_level_of_a_rollout_sets_what_no_field_sets(
    settings: dict[str, object], ply: int, move_filter: str
) -> None:
    master, app = application()
    await asked(app, "POST", START, BEARER | JSON, POSITION.body("rollout", **settings))
    context = RolloutContext.from_text(master.submitted[0].context)
    assert (context.ply, context.move_filter) == (ply, move_filter)


async def test_job_that_the_master_refuses_is_said() -> None:
    master, app = application()
    master.error = MasterError("this master is ending")
    answer = await asked(app, "POST", START, BEARER | JSON, POSITION.body("rollout"))
    assert (answer.status, answer.json["text"]) == (409, "this master is ending")


async def test_bad_questions_and_jobs_are_refused() -> None:
    master, app = application()
    for path, body in (
        (ASK, POSITION.body("moves", dice="77")),
        (START, POSITION.body("rollout", moves=["1/9"])),
        (START, POSITION.body("rollout", trials=-1)),
    ):
        answer = await asked(app, "POST", path, BEARER | JSON, body)
        assert (answer.status, answer.json["code"]) == (422, "bad-question")
    assert master.submitted == []
    long = await asked(app, "POST", ASK, BEARER | JSON, b"x" * 20_000)
    assert long.status == 413


async def test_question_that_nobody_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ASK_S", 0.01)
    master, app = application()
    master.may_answer.clear()
    answer = await question(app, "cube", plies=3)
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


@given(
    st.fixed_dictionaries(
        {"game": VALUES, "position": VALUES, "action": VALUES, "settings": VALUES}
    )
)
@pytest.mark.when_changed
def test_any_fields_are_refused_in_one_line(fields: dict[str, Any]) -> None:
    assert isinstance(outcome(json.dumps(fields).encode()), str)


@given(
    st.text(max_size=60),
    st.sampled_from(["evaluate", "moves", "rollout", "search", "else"]),
    st.sampled_from([*GAMES]),
    st.booleans(),
)
def test_any_text_is_a_position_or_is_refused(
    text: str, action: str, game: str, is_job: bool
) -> None:
    fields = {"game": game, "position": text, "action": action}
    assert outcome(json.dumps(fields).encode(), is_job=is_job)


@given(st.binary(max_size=60))
def test_any_body_is_refused_in_one_line(body: bytes) -> None:
    assert isinstance(outcome(body), str)


def test_questions_and_jobs_have_paths_of_their_own() -> None:
    question, job = POSITION.body("evaluate", plies=1), POSITION.body("rollout", trials=36)
    wanted = outcome(question)
    assert isinstance(wanted, Wanted)
    assert (wanted.game, wanted.action.name) == (GAME, "evaluate")
    assert wanted.settings["plies"] == 1
    assert wanted.handlers.text(wanted.position) == POSITION.text
    assert isinstance(outcome(job, is_job=True), Wanted)
    assert outcome(job) == "rollout is for /api/positions/start"
    assert outcome(question, is_job=True) == "evaluate is for /api/positions/ask"


def test_settings_may_be_left_out() -> None:
    fields = json.loads(POSITION.body("evaluate"))
    del fields["settings"]
    wanted = outcome(json.dumps(fields).encode())
    assert wanted == outcome(POSITION.body("evaluate"))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"game": "go"}, "expected a game, one of"),
        ({"game": None}, "game: expected a valid string"),
        ({"position": "x" * (POSITION_CHARACTERS_MAX + 1)}, "position: string should have at most"),
        ({"position": "\ud800"}, "body: invalid JSON"),
        ({"position": "nonsense"}, "no ID in "),
        ({"action": "dance"}, "expected one of evaluate"),
        ({"settings": []}, "settings: expected a"),
        ({"settings": {"plies": 9}}, "plies: expected a whole number from 0 to 3"),
        ({"settings": {"plies": True}}, "plies: expected a whole number from 0 to 3"),
        ({"settings": {"plies": float("nan")}}, "plies: expected a whole number from 0 to 3"),
        ({"settings": {"pile": 1}}, "'pile': expected one of plies"),
        ({"label": "x"}, "label: there is no such field"),
        ({"more": 1}, "more: there is no such field"),
    ],
)
def test_refusal_names_the_field_and_the_expected_value(
    changes: dict[str, object], why: str
) -> None:
    body = json.dumps(json.loads(POSITION.body("evaluate")) | changes).encode()
    assert why in str(outcome(body))


def test_label_of_a_job_has_a_limit() -> None:
    fields = json.loads(POSITION.body("rollout")) | {"label": "x" * 200}
    assert isinstance(outcome(json.dumps(fields).encode(), is_job=True), Wanted)
    fields["label"] += "x"
    assert "label" in str(outcome(json.dumps(fields).encode(), is_job=True))


def test_game_without_positions_offers_nothing() -> None:
    bare = [game for game in GAMES if handlers_of(game).positions is None]
    assert bare, "one of the games has no positions here yet"
    with pytest.raises(RefusedError, match="nothing can be asked about positions"):
        read_position(bare[0], "x")
    with pytest.raises(RefusedError, match="at most"):
        read_position(GAME, "x" * (POSITION_CHARACTERS_MAX + 1))


def test_every_game_comes_back_from_its_json() -> None:
    both = TypeAdapter(GameShown)
    for game in GAMES:
        shown = game_shown(game, handlers_of(game))
        again = both.validate_json(both.dump_json(shown))
        assert both.dump_json(again) == both.dump_json(shown)


async def test_position_has_the_reason_for_each_impossible_action(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    field = Field("plies", "Look-ahead", Kind.COUNT, 1, 0, 3, hint="more is slower")
    actions = (
        Action("move", "Move", (field,), refusal=lambda position: f"no {position}"),
        Action("eval", "Evaluate"),
    )
    show: Report = {"board": {"kind": "none"}, "ids": [], "title": "T", "words": "W"}
    handlers = Handlers(PositionHandlers("a", "b", str, str.upper, lambda position: show, actions))
    monkeypatch.setattr(module, "handlers_of", lambda game: handlers)
    _, app = application()
    shown = (await asked(app, "GET", "/api/positions?game=nim&text=heap")).json
    assert shown == {"game": "nim", "position": "HEAP", **show, "refusals": {"move": "no heap"}}
    assert game_shown("nim", handlers).matches is None
