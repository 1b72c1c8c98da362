"""`manyply replay`: the report on a log, and the page of a record."""

import asyncio
import json
import os
import signal
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.types import ASGIApp

from master.api.application import make_application
from master.api.rules import read_token
from master.api.timeline import TimelineHandlers
from master.cli.app import manyply
from master.cli.errors import CommandError
from master.cli.jobs import replay_page as module
from master.cli.jobs.replay_page import RecordHandlers, show_record
from master.contract.errors import MasterError
from master.contract.events import AnalyserReady, EngineOffer, JobSpec, JobSubmitted
from master.contract.goals import Goal
from master.scheduler import Scheduler, SchedulerOptions
from master.scheduler.event_log import first_line, turn_line
from master.timeline.reading import RecordedTimeline
from protocol.address import Address
from tests.master.api.asgi import asked, calling
from tests.master.api.made_up_timeline import made_up


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The log of a job handed out to one analyser."""
    path = tmp_path / "decisions.log"
    lines = [first_line(SchedulerOptions())]
    scheduler = Scheduler(
        SchedulerOptions(log=lambda now, taken, given: lines.append(turn_line(now, taken, given)))
    )
    offer = EngineOffer("nim", "0123456789abcdef", 1.0)
    scheduler.handle(AnalyserReady(1, "attic", 2, (offer,)), 0.0)
    scheduler.handle(JobSubmitted(JobSpec(1, "nim/1", "nim", offer.digest, 1, 1, Goal(100))), 1.0)
    path.write_text("\n".join(lines) + "\n")
    return path


def test_same_decisions_are_said_to_be_the_same(log: Path) -> None:
    ended = CliRunner().invoke(manyply, ["replay", str(log)])
    assert (ended.exit_code, ended.stdout) == (0, "2 events, 4 commands: the same\n")
    log.write_text(log.read_text()[:-9])
    assert CliRunner().invoke(manyply, ["replay", str(log)]).stdout == (
        "1 events, 0 commands: the same; the record is cut there\n"
    )


def test_another_decision_is_shown(log: Path) -> None:
    log.write_text(log.read_text().replace('"first_seq": 0', '"first_seq": 7', 1))
    error = CliRunner().invoke(manyply, ["replay", str(log)]).exception
    assert isinstance(error, CommandError)
    assert str(error).startswith(f"{log}: line 3: ")
    assert (error.exit_code, "was logged" in str(error)) == (1, True)


def test_what_is_no_log_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "letter"
    path.write_bytes(b"Dear \xff\n")
    error = CliRunner().invoke(manyply, ["replay", str(path)]).exception
    assert isinstance(error, CommandError)
    assert (error.exit_code, "line 1: expected a log of" in str(error)) == (2, True)
    missing = CliRunner().invoke(manyply, ["replay", str(tmp_path / "none")])
    assert missing.exception is not None


@pytest.mark.parametrize("text", ["Dear\n", '{"format": "manyply-search-log/1"}\n'])
def test_what_cannot_be_shown_is_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "letter"
    path.write_text(text)
    error = CliRunner().invoke(manyply, ["replay", str(path), "--web"]).exception
    assert isinstance(error, CommandError)
    assert (error.exit_code, "line 1: expected a" in str(error)) == (2, True)


def test_bad_address_is_one_line(log: Path) -> None:
    ended = CliRunner().invoke(manyply, ["replay", str(log), "--web", "here"], standalone_mode=True)
    assert ended.exit_code == 2


def test_record_of_a_simulation_is_not_decided_again(tmp_path: Path) -> None:
    path = tmp_path / "search.log"
    path.write_text('{"format": "manyply-search-log/1"}\n')
    error = CliRunner().invoke(manyply, ["replay", str(path)]).exception
    assert "`manyply replay FILE --web` shows it" in str(error)


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
