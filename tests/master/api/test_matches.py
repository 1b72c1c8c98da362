import asyncio
import gzip
import json
import os
import threading
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import ASGIApp

from engine_ext.control import RunControl
from engine_ext.services import answer
from master.api import analyses as analyses_module
from master.api.analyses import (
    HELD_MAX,
    RUNNING_MAX,
    Analyses,
    HandedIn,
    MatchAnalysis,
    MatchState,
    TooManyMatchesError,
)
from master.api.kept_matches import FOLDER, KeptContent, KeptMatch, KeptMatches
from master.api.matches import RECEIVED_MAX, MatchFile, read_file, report_fields
from master.api.positions import MATCH_BYTES_MAX, handlers_of
from master.api.routing import read_body
from master.api.rules import SECURITY_FIELDS, RefusedError
from master.api.site import Background, Site
from master.cli.app import manyply
from master.contract.errors import MasterError
from master.contract.job_words import Priority
from master.games.handlers import MatchPlan, MatchReport
from tests.master.api.asgi import (
    BEARER,
    JSON,
    Answer,
    application,
    asked,
    calling,
    page_of,
    site_of,
)
from tests.master.api.fake_master import FakeMaster
from tests.master.api.handed_in import GAME, match_body, match_text


def read(body: bytes) -> HandedIn:
    found: MatchFile = read_body(body, MatchFile)
    return read_file(found)


def refusal_of(body: bytes) -> tuple[int, str]:
    with pytest.raises(RefusedError) as caught:
        read(body)
    assert len(caught.value.refusal.text.splitlines()) == 1
    return caught.value.refusal.status, caught.value.refusal.text


async def hand_in(app: ASGIApp, **changes: object) -> Answer:
    return await asked(app, "POST", "/api/matches", BEARER | JSON, match_body(**changes))


async def ended(app: ASGIApp, match: int = 1) -> str:
    """Return the state of a match that is not running any more."""
    state = "running"
    while state == "running":
        state = str((await asked(app, "GET", f"/api/matches/{match}")).json["state"])
    return state


@pytest.mark.slow
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
    master, app = application()
    master.may_answer.clear()
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
    assert (refused.status, refused.json["code"]) == (503, "too-many-requests")
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
    app = page_of(site)
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


def test_match_is_read_with_its_level_or_the_usual_one() -> None:
    handed = read(match_body())
    assert (handed.game, handed.name, handed.level) == (GAME, "a.mat", "quick")
    assert handed.plan.questions
    assert read(match_body(level=None)).level == "normal"
    assert read(match_body(name=" a\n\tb ")).name == "a b"


@pytest.mark.parametrize(
    ("changes", "status", "why"),
    [
        ({"game": "go"}, 422, "expected a game, one of"),
        ({"game": "threes"}, 422, "are not analysed here"),
        ({"level": "deeper"}, 422, "level: expected one of"),
        ({"name": "x" * 256}, 422, "name: string should have at most 255 characters"),
        ({"name": None}, 422, "name: it is needed"),
        ({"content": "*"}, 422, "content: expected the file in base64"),
        ({"content": "\u00e4"}, 422, "content: expected the file in base64"),
        ({"content": 7}, 422, "content: expected a valid string"),
        ({"content": ""}, 422, "found an empty file"),
        ({"content": b64encode(bytes(MATCH_BYTES_MAX + 1)).decode()}, 413, "at most"),
        ({"more": "x"}, 422, "more: there is no such field"),
    ],
)
def test_refusal_names_the_field_and_the_expected_value(
    changes: dict[str, object], status: int, why: str
) -> None:
    found, text = refusal_of(match_body(**changes))
    assert found == status
    assert why in text


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"[" + b"[]," * 400_000 + b"0]", "body: expected an object with a few texts"),
        (b'{"a":' * 200_000, "body: invalid JSON"),
    ],
)
async def test_body_of_many_values_is_refused_before_it_is_read(body: bytes, why: str) -> None:
    _, app = application()
    answer = await asked(app, "POST", "/api/matches", BEARER | JSON, body)
    assert answer.status == 422
    assert answer.json["text"].startswith(why)


@given(st.binary(max_size=200))
def test_any_content_is_refused_in_one_line(content: bytes) -> None:
    status, _ = refusal_of(match_body(content=b64encode(content).decode()))
    assert status == 422


@given(st.binary(max_size=60) | st.builds(json.dumps, st.text()).map(str.encode))
def test_any_body_is_refused_in_one_line(body: bytes) -> None:
    assert refusal_of(body)[0] == 422


@pytest.mark.parametrize("text", ["0", "-1", "01", "x", "\u0661", "1" * 17])
async def test_other_texts_name_no_match(text: str) -> None:
    answer = await asked(application()[1], "GET", f"/api/matches/{text}")
    assert (answer.status, answer.json["code"]) == (404, "unknown-match")


PLAN = MatchPlan(
    "Ann - Bob", (), ("one", "two"), lambda answers: MatchReport("<p>", " and ".join(answers)), ""
)


class Asker:
    """Answers one question at once and the others when it may."""

    def __init__(self) -> None:
        self.has_begun = asyncio.Event()
        self.may_end = asyncio.Event()
        self.error: Exception | None = None

    async def ask(
        self,
        questions: Sequence[str],
        *,
        priority: Priority = Priority.ASKED,
        on_answer: Callable[[int, str], None] | None = None,
    ) -> list[str]:
        assert on_answer is not None
        on_answer(0, "first")
        on_answer(0, "first, again")
        self.has_begun.set()
        await self.may_end.wait()
        if self.error is not None:
            raise self.error
        return [each.upper() for each in questions]


@pytest.fixture
async def asker() -> Asker:
    return Asker()


@pytest.fixture
async def analyses(asker: Asker) -> AsyncIterator[Analyses]:
    background = Background()
    yield Analyses(asker.ask, background)
    await background.aclose()


WAIT_S = 10.0


def begin(analyses: Analyses) -> MatchAnalysis:
    return analyses.begin(HandedIn("nim", "a.nim", "deep", PLAN))


async def until_ended(analysis: MatchAnalysis) -> None:
    assert analysis.task is not None
    await asyncio.wait([analysis.task])


async def test_progress_is_how_many_are_answered_each_once(
    analyses: Analyses, asker: Asker
) -> None:
    analysis = begin(analyses)
    await asker.has_begun.wait()
    shown = analysis.shown()
    assert (shown.state, shown.questions, shown.answered) == ("running", 2, 1)
    asker.may_end.set()
    await until_ended(analysis)
    assert analysis.state is MatchState.DONE
    shown = analysis.shown()
    assert (shown.error, shown.summary) == (None, "ONE and TWO")


@pytest.mark.parametrize(
    ("error", "reported"),
    [(MasterError("the fleet left"), "the fleet left"), (KeyError("ours"), "the master made a")],
)
async def test_what_goes_wrong_is_said(
    analyses: Analyses, asker: Asker, error: Exception, reported: str
) -> None:
    faults: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    asker.error = error
    asker.may_end.set()
    analysis = begin(analyses)
    await until_ended(analysis)
    assert analysis.state is MatchState.FAILED
    assert analysis.error.startswith(reported)
    await asyncio.sleep(0)
    assert len(faults) == isinstance(error, KeyError), "a fault of ours is said in the log"


async def test_forgotten_one_is_computed_no_further(analyses: Analyses) -> None:
    analysis = begin(analyses)
    analyses.forget(analysis)
    await until_ended(analysis)
    assert analysis.task is not None
    assert analysis.task.cancelled()
    assert analyses.find(analysis.match) is None


async def test_so_many_are_analysed_and_so_many_kept(analyses: Analyses, asker: Asker) -> None:
    running = [begin(analyses) for _ in range(RUNNING_MAX)]
    with pytest.raises(TooManyMatchesError):
        begin(analyses)
    asker.may_end.set()
    for each in running:
        await until_ended(each)
    for _ in range(HELD_MAX):
        await until_ended(begin(analyses))
    numbers = [each.match for each in analyses.all()]
    assert numbers == list(range(RUNNING_MAX + 1, RUNNING_MAX + HELD_MAX + 1))
    assert analyses.find(1) is None


async def kept_one(analyses: Analyses, asker: Asker) -> MatchAnalysis:
    asker.may_end.set()
    analysis = analyses.begin(HandedIn("nim", "a.nim", "deep", PLAN, b"the file"))
    await until_ended(analysis)
    return analysis


async def test_kept_match_outlives_the_master_until_it_is_forgotten(
    asker: Asker, tmp_path: Path
) -> None:
    store, background = KeptMatches(tmp_path / "new"), Background()
    before = Analyses(asker.ask, background, store)
    first, second = await kept_one(before, asker), await kept_one(before, asker)
    assert first.shown().is_kept
    after = Analyses(asker.ask, background, store)
    found = after.find(first.match)
    assert found is not None
    assert found.shown() == first.shown()
    assert after.report(found) == before.report(first) == b"<p>"
    assert store.studied(found.kept()).content == b"the file"
    assert store.studied(found.kept()).answers == ("ONE", "TWO")
    after.forget(found)
    assert [each.match for each in Analyses(asker.ask, background, store).all()] == [second.match]
    assert (await kept_one(after, asker)).match == second.match + 1
    await background.aclose()


class Interrupted(KeptMatches):
    """Does something once a match is written, and notes that it is deleted."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.after: Callable[[], object] = lambda: None
        self.has_deleted = threading.Event()

    def write(self, match: KeptMatch, content: KeptContent) -> None:
        super().write(match, content)
        self.after()

    def delete(self, number: int) -> None:
        super().delete(number)
        self.has_deleted.set()


async def test_match_that_is_forgotten_while_it_is_kept_leaves_no_file(
    asker: Asker, tmp_path: Path
) -> None:
    store, background = Interrupted(tmp_path), Background()
    analyses = Analyses(asker.ask, background, store)
    loop = asyncio.get_running_loop()

    async def forget() -> None:
        for each in analyses.all():
            analyses.forget(each)

    store.after = lambda: asyncio.run_coroutine_threadsafe(forget(), loop).result(WAIT_S)
    await kept_one(analyses, asker)
    assert await asyncio.to_thread(store.has_deleted.wait, WAIT_S)
    assert store.all() == []
    await background.aclose()


async def test_report_that_cannot_be_kept_is_held_and_said(asker: Asker, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    background = Background()
    analyses = Analyses(asker.ask, background, KeptMatches(tmp_path / "file"))
    analysis = await kept_one(analyses, asker)
    assert analyses.report(analysis) == b"<p>"
    assert analysis.shown().is_kept is False
    assert "lost when the master ends" in analysis.shown().warnings[0]
    await background.aclose()


async def test_damaged_files_are_named_and_the_others_shown(
    asker: Asker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store, background = KeptMatches(tmp_path), Background()
    analyses = Analyses(asker.ask, background, store)
    first, second = await kept_one(analyses, asker), await kept_one(analyses, asker)
    (tmp_path / f"{first.match}.json").write_bytes(b"{}")
    content = tmp_path / f"{second.match}.gz"
    whole = content.read_bytes()
    head, nothing = whole[:10], gzip.compress(b"{}")
    assert [each.match for each in store.all()] == [second.match]
    assert f"{first.match}.json is no kept match" in caplog.text
    for damaged in (
        b"nonsense",
        b"",
        whole[:-9],
        whole[:-8] + bytes(8),
        head + b"\xff" * 99,
        nothing,
    ):
        content.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"^the kept match \d+ is damaged: .+\Z"):
            analyses.report(second)
    await background.aclose()


def site_with(folder: Path) -> Site:
    return replace(site_of(FakeMaster()), state_dir=folder, keeps_matches=True)


async def studied(folder: Path) -> tuple[str, Any, Any, Any]:
    """Return a player of a match that a former master kept, the profile, a quiz, and nobody's."""
    app = page_of(site_with(folder))
    assert (await hand_in(app)).status == 200
    assert await ended(app) == "done"
    app = page_of(site_with(folder))
    (shown,) = (await asked(app, "GET", "/api/matches")).json["matches"]
    player = str(shown["players"][0])
    query = f"?game={GAME}&player={quote(f' {player.upper()} ')}"
    profile = await asked(app, "GET", f"/api/study/profile{query}")
    quiz = await asked(app, "GET", f"/api/study/quiz{query}")
    nobody = await asked(app, "GET", f"/api/study/quiz?game={GAME}&player=nobody")
    return player, profile.json, quiz.json, nobody.json


@pytest.mark.slow
def test_profile_and_quiz_are_made_of_kept_matches(tmp_path: Path) -> None:
    player, profile, quiz, nobody = asyncio.run(studied(tmp_path))
    assert profile["matches"] == 1
    file = tmp_path / "a.mat"
    file.write_bytes(match_text())
    command = ["profile", player, str(file), "--level", "quick", "--json", "--local", "1"]
    printed = json.loads(CliRunner().invoke(manyply, command).output)
    for name in ("overall", "months", "kinds"):
        assert profile["report"][name] == printed[name]
    without = [{**each, "file": ""} for each in printed["errors"]]
    assert [{**each, "file": ""} for each in profile["report"]["errors"]] == without
    assert len(quiz["questions"]) >= 1
    for question in quiz["questions"]:
        losses = {each["answer"]: each["loss"] for each in question["options"]}
        assert losses[question["best"]] == 0.0
        assert losses[question["played"]] > 0.0
    assert (nobody["matches"], nobody["questions"]) == (0, [])


@pytest.mark.slow
async def test_kept_matches_that_cannot_be_read_are_left_out_and_named(tmp_path: Path) -> None:
    before = page_of(site_with(tmp_path))
    for match in (1, 2, 3):
        assert (await hand_in(before, name=f"{match}.mat")).status == 200
        assert await ended(before, match) == "done"
    app = page_of(site_with(tmp_path))
    (shown, *_) = (await asked(app, "GET", "/api/matches")).json["matches"]
    store = KeptMatches(tmp_path / FOLDER)
    (tmp_path / FOLDER / "1.gz").write_bytes(b"nonsense")
    second, content = store.all()[1], store.content(2)
    store.write(second, replace(content, answers=content.answers[1:]))
    for name in ("profile", "quiz"):
        query = f"?game={GAME}&player={quote(shown['players'][0])}"
        found = (await asked(app, "GET", f"/api/study/{name}{query}")).json
        assert found["matches"] == 1
        damaged, other = found["left_out"]
        assert damaged.startswith("the kept match 1 is damaged: ")
        assert other == "2.mat: another version analysed it; analyse it again"


async def test_players_of_some_games_are_not_studied(tmp_path: Path) -> None:
    answered = await asked(
        page_of(site_with(tmp_path)), "GET", "/api/study/quiz?game=threes&player=x"
    )
    assert (answered.status, answered.json["code"]) == (422, "unknown-game")


def test_states_are_words() -> None:
    assert [*MatchState] == ["running", "done", "failed"]


async def test_content_that_is_gone_is_one_line_without_the_masters_paths(
    asker: Asker, tmp_path: Path
) -> None:
    background = Background()
    analyses = Analyses(asker.ask, background, KeptMatches(tmp_path))
    analysis = await kept_one(analyses, asker)
    (tmp_path / f"{analysis.match}.gz").unlink()
    with pytest.raises(ValueError, match=r"^the kept match \d+ cannot be read: No such file"):
        analyses.report(analysis)
    await background.aclose()


async def test_disk_without_room_is_left_with_no_part_of_a_match(
    asker: Asker, tmp_path: Path
) -> None:
    (tmp_path / "1.gz").mkdir()  # the file is written beside it, and cannot take its place
    background = Background()
    analyses = Analyses(asker.ask, background, KeptMatches(tmp_path))
    analysis = await kept_one(analyses, asker)
    assert analysis.shown().is_kept is False
    assert os.listdir(tmp_path) == ["1.gz"]
    await background.aclose()


async def test_match_whose_files_cannot_be_deleted_stays_but_makes_room(
    asker: Asker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    background = Background()
    analyses = Analyses(asker.ask, background, KeptMatches(tmp_path))
    first = await kept_one(analyses, asker)
    (tmp_path / f"{first.match}.gz").unlink()
    (tmp_path / f"{first.match}.gz").mkdir()  # unlink() fails
    with pytest.raises(OSError, match="directory"):
        analyses.forget(first)
    assert analyses.all() == [first]
    monkeypatch.setattr(analyses_module, "KEPT_MAX", 1)
    second = await kept_one(analyses, asker)
    assert analyses.all() == [second]
    assert f"match {first.match} cannot be deleted" in caplog.text
    await background.aclose()
