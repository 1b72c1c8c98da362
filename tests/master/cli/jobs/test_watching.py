import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engine_ext.noop.runner import noop_context
from master.api.client import MasterGoneError
from master.cli.errors import CommandError, ExitCode
from master.cli.jobs import unserved, watching
from master.cli.jobs.unserved import NO_ANALYSER
from master.cli.jobs.watching import (
    WatchOutcome,
    draw_result,
    exit_code,
    headline,
    print_result,
    run_async,
    run_job,
)
from master.cli.place import Place
from master.contract.errors import MasterError, NoAnalyserError
from master.contract.job_words import JobState
from master.contract.master import Master
from master.contract.views import JobRequest, Update
from master.games.front import Front
from master.store.errors import JobBusyError, StoreError, UnknownJobError
from tests.master.cli.shown import TWO_MOVES, job_view, update

HERE = Place(is_computing=False)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (MasterGoneError("gone"), ExitCode.UNREACHABLE),
        (StoreError("full"), ExitCode.STORAGE),
        (UnknownJobError(3), ExitCode.BAD_INPUT),
        (JobBusyError(3, "process 7"), ExitCode.BAD_INPUT),
        (MasterError("no"), ExitCode.BAD_INPUT),
        (NoAnalyserError("nobody"), ExitCode.JOB_FAILED),
    ],
)
def test_what_a_master_refuses_has_its_exit_code(error: MasterError, code: ExitCode) -> None:
    async def fail() -> None:
        raise error

    with pytest.raises(CommandError, match=re.escape(str(error))) as caught:
        run_async(fail())
    assert caught.value.exit_code == code


def test_interruption_before_the_job_begins_ends_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watching, "STORING_S_MAX", 0.01)

    async def start(master: Master) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(10)
        return 1

    with pytest.raises(SystemExit) as caught:
        run_job(HERE, start, is_json=True)
    assert caught.value.code == ExitCode.INTERRUPTED


def test_interruption_while_the_job_is_stored_says_how_to_go_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def start(master: Master) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0.01)
        return await master.submit(JobRequest(noop_context(), 1_000))

    with pytest.raises(SystemExit) as caught:
        run_job(HERE, start, is_json=True)
    assert caught.value.code == ExitCode.INTERRUPTED
    assert capsys.readouterr().err.splitlines()[-1] == "manyply: go on with: manyply resume 1"


@pytest.mark.parametrize(
    ("stopped_by", "is_interrupted", "code"),
    [
        ("trials", False, 0),
        ("stop_se", False, 0),
        ("trials", True, 0),
        ("stop_se", True, 0),
        ("halted", True, 130),
        ("", True, 130),
        ("halted", False, 1),
        ("failed", False, 1),
        ("failed", True, 1),
    ],
)
def test_exit_code_tells_how_it_ended(stopped_by: str, is_interrupted: bool, code: int) -> None:
    assert exit_code(WatchOutcome(job_view(stopped_by=stopped_by), is_interrupted)) == code


class MasterElsewhere:
    """A master without analysers that runs a job."""

    is_elsewhere = True

    async def subscribe(self, job: int) -> AsyncIterator[Update]:
        while True:
            yield update(job_view())
            await asyncio.sleep(0.01)


def test_job_that_nobody_computes_at_a_master_is_watched_no_more(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @asynccontextmanager
    async def open_it(place: Place, **rest: object) -> AsyncIterator[MasterElsewhere]:
        yield MasterElsewhere()

    async def start(master: Master) -> int:
        return 3

    monkeypatch.setattr(watching, "open_master", open_it)
    monkeypatch.setattr(unserved, "UNSERVED_S", 0.05)
    with pytest.raises(SystemExit) as caught:
        run_job(Place(wait_s=0.0), start, is_json=True)
    assert caught.value.code == ExitCode.JOB_FAILED
    said = capsys.readouterr().err
    assert NO_ANALYSER in said
    assert "job 3 runs on; watch: manyply attach 3; end: manyply halt 3" in said


def test_headline_says_how_far_it_came() -> None:
    label = "Job 3: 4HPwATDgc/ABMA - 36 trials"
    assert headline(job_view(stopped_by="trials")) == f"{label}, complete"
    assert headline(job_view(stopped_by="stop_se")) == f"{label}, standard error reached"
    assert headline(job_view(**TWO_MOVES)) == f"{label} each, running"


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (WatchOutcome(job_view(state=JobState.DONE, stopped_by="trials")), []),
        (WatchOutcome(job_view(state=JobState.HALTED, stopped_by="halted")), ["manyply resume 3"]),
        (WatchOutcome(job_view(), is_elsewhere=True), ["manyply attach 3"]),
        (WatchOutcome(job_view()), []),
        (
            WatchOutcome(job_view(state=JobState.HALTED, stopped_by="failed", error="poison")),
            ["job 3: poison", "manyply resume 3"],
        ),
    ],
)
def test_result_says_how_to_go_on(
    capsys: pytest.CaptureFixture[str], outcome: WatchOutcome, words: list[str]
) -> None:
    print_result(outcome, is_json=False)
    out, err = capsys.readouterr()
    assert out.startswith("Job 3: ")
    assert len(err.splitlines()) == len(words)
    assert all(word in line for word, line in zip(words, err.splitlines(), strict=True))


def test_result_is_printed_as_a_text_where_its_game_has_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    outcome = WatchOutcome(job_view())
    print_result(outcome, is_json=False, layout="export")
    assert capsys.readouterr().out.startswith("XGID=")
    with pytest.raises(CommandError, match="no text for --poem"):
        print_result(outcome, is_json=False, layout="poem")


def test_result_is_drawn_where_its_game_has_a_drawing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.svg"
    with pytest.raises(CommandError, match="no drawing of a job of backgammon"):
        draw_result(job_view(), path)
    monkeypatch.setattr("master.cli.jobs.watching.front_of", lambda game: Front(job_svg=repr))
    draw_result(job_view(alternatives=()), path)
    assert f"{path} is not written: job 3 has no result yet" in capsys.readouterr().err
    assert not path.exists()
    draw_result(job_view(), path)
    assert path.read_text() == repr(job_view())
