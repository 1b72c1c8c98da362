"""How `manyply show` tells IDs from jobs, and what it prints of an ID."""

import json
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner

from engine_ext.backgammon.board import START
from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.trials import VALUE_NAMES
from master.cli.app import manyply
from master.cli.errors import CommandError
from master.cli.jobs.job_commands import PriorityType
from master.contract.goals import Goal
from master.contract.job_words import STATE_WORDS, WHY_HALTED, JobState
from master.games.backgammon.drawing.board_svg import state_svg
from master.games.backgammon.matches.mat_write import write_mat
from master.games.backgammon.typed import read_id
from master.reports.png import png_bytes
from master.store.records import JobEnd, NewJob, RunsIn
from master.store.store import Store
from tests.master.cli.shown import CONTEXT, POSITION
from tests.master.games.backgammon.matches.random_matches import random_match

TINY = ("--trials", "12", "--truncate", "2", "--local", "1")


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, args)


def complaint(*args: str) -> str:
    """Return what a command refuses with."""
    result = ran(*args)
    assert isinstance(result.exception, CommandError | SystemExit), result
    reported = (
        str(result.exception) if isinstance(result.exception, CommandError) else result.stderr
    )
    assert reported
    return reported


@pytest.fixture
def stored_job(state_dir: Path) -> Iterator[Callable[..., int]]:
    """Store a job that another process would have left."""

    def store_job(
        state: JobState = JobState.HALTED, engine: str = "e" * 16, stopped_by: str = ""
    ) -> int:
        new = NewJob(CONTEXT, "d" * 16, "backgammon", engine, ("position",), VALUE_NAMES, Goal(36))
        store = Store(state_dir)
        job = store.create_job(new)
        if state is JobState.RUNNING:
            store.set_running(job, RunsIn.COMMAND)
            job_locks.append(store.claim(job))
        else:
            usual = "halted" if state is JobState.HALTED else "trials"
            store.set_ended(job, state, JobEnd(stopped_by or usual))
        store.close()
        return job

    job_locks: list[Any] = []
    yield store_job
    for lock in job_locks:
        lock.release()


@pytest.mark.slow
def test_rollout_is_shown_listed_extended_and_resumed() -> None:
    report = json.loads(ran("rollout", POSITION, *TINY, "--json").stdout)
    assert (report["job"], report["trials"], report["stopped_by"]) == (1, 12, "trials")
    assert json.loads(ran("show", "--json").stdout) == report
    assert json.loads(ran("resume", "1", "--local", "1", "--json").stdout) == report
    listed = json.loads(ran("jobs", "--json").stdout)
    assert {key: listed[key] for key in ("job", "state", "trials", "folded")} == {
        "job": 1, "state": "done", "trials": 12, "folded": 12,
    }  # fmt: skip
    longer = ran("extend", "1", "--trials", "24", "--local", "1", "--json")
    assert json.loads(longer.stdout)["trials"] == 36
    assert "complete" in ran("show").stdout
    assert "done" in ran("jobs").stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("extend", "9"), "Missing option '--trials'"),
        (("attach",), "no job is running"),
        (("attach", "9"), "there is no job 9"),
        (("halt", "9"), "there is no job 9"),
        (("priority", "9", "background"), "there is no job 9"),
        (("priority", "9", "urgent"), "'urgent' is not one of 'background', 'normal'"),
        (("show",), "there is no job yet"),
        (("show", "9"), "there is no job 9"),
        (("show", "nine"), "is neither a job number nor a position"),
    ],
)
def test_mistake_is_named(args: tuple[str, ...], words: str) -> None:
    assert words in complaint(*args)


@pytest.mark.slow  # each starts the workers before it looks
@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("resume",), "no unfinished job"),
        (("resume", "9"), "there is no job 9"),
        (("extend", "9", "--trials", "3"), "there is no job 9"),
    ],
)
def test_job_that_is_not_there_is_named(args: tuple[str, ...], words: str) -> None:
    assert words in complaint(*args, "--local", "1")


def test_no_jobs_are_an_empty_list() -> None:
    assert ran("jobs", "--json").stdout == ""
    assert ran("jobs").stdout.split()[:2] == ["Job", "State"]


@pytest.mark.slow
def listed(*args: str) -> list[int]:
    """Return the numbers of the jobs that are listed, the same as a table and as objects."""
    table, objects = ran("jobs", *args), ran("jobs", "--json", *args)
    assert (table.exit_code, objects.exit_code) == (0, 0)
    numbers = [json.loads(line)["job"] for line in objects.stdout.splitlines()]
    assert [int(line.split()[0]) for line in table.stdout.splitlines()[1:]] == numbers
    return numbers


def test_jobs_are_listed_by_the_word_of_their_state_and_the_newest_alone(
    stored_job: Callable[..., int], state_dir: Path
) -> None:
    done = stored_job(JobState.DONE), stored_job(JobState.DONE)
    failed, interrupted = (stored_job(stopped_by=word) for word in WHY_HALTED)
    by_word = {
        "done": [*done], "failed": [failed], "interrupted": [interrupted],
        "halted": [stored_job()], "running": [stored_job(JobState.RUNNING)],
        "damaged": [stored_job(JobState.DONE)],
    }  # fmt: skip
    with sqlite3.connect(state_dir / "jobs.sqlite3") as database:
        database.execute("UPDATE job SET label = 'x' WHERE job = ?", by_word["damaged"])
    assert {word: listed("--state", word) for word in STATE_WORDS} == by_word
    everything = sorted(job for jobs in by_word.values() for job in jobs)
    assert listed() == everything
    assert listed(*(text for word in STATE_WORDS for text in ("--state", word))) == everything
    for count in range(1, len(everything) + 2):
        assert listed("--last", str(count)) == everything[-count:]
    assert listed("--state", "done", "--last", "1") == [done[-1]]


def test_empty_list_of_jobs_says_so(stored_job: Callable[..., int]) -> None:
    assert "there is no job yet" in ran("jobs").stderr
    stored_job(JobState.DONE)
    assert ran("jobs").stderr == ""
    assert "there is no job in this state" in ran("jobs", "--state", "running").stderr
    assert ran("jobs", "--state", "running", "--json").output == ""


@pytest.mark.parametrize("command", ["show", "resume", "attach", "halt", "forget", "extend"])
def test_shell_is_offered_the_numbers_of_jobs(
    command: str, stored_job: Callable[..., int], state_dir: Path
) -> None:
    def offered(typed: str) -> list[str]:
        completion = BashComplete(manyply, {}, "manyply", "_MANYPLY_COMPLETE")
        return [item.value for item in completion.get_completions([command], typed)]

    assert offered("") == []
    jobs = [str(stored_job()) for _ in range(11)]
    assert offered("") == jobs[::-1]
    assert offered("1") == ["11", "10", "1"]
    assert offered("x") == []
    (state_dir / "jobs.sqlite3").write_bytes(b"no database" * 100)
    assert offered("") == []


def test_word_that_is_no_state_is_one_line_with_all_that_are() -> None:
    refused = complaint("jobs", "--state", "runing").splitlines()[-1]
    assert all(f"'{word}'" in refused for word in STATE_WORDS)


def test_job_of_another_engine_is_not_gone_on_with(stored_job: Callable[..., int]) -> None:
    stored_job(engine="0123456789abcdef")
    for args in (("resume",), ("extend", "1", "--trials", "5")):
        assert "was computed by engine 0123456789abcdef" in complaint(*args, "--local", "1")


@pytest.mark.slow
def test_job_of_another_engine_begins_again_under_this_one(stored_job: Callable[..., int]) -> None:
    stored_job(engine="0123456789abcdef")
    assert "begin anew: manyply again 1" in complaint("resume", "--local", "1")
    again = json.loads(ran("again", "1", "--local", "1", "--json").stdout)
    jobs = [json.loads(line) for line in ran("jobs", "--json").stdout.splitlines()]
    assert [(each["job"], each["state"]) for each in jobs] == [(1, "halted"), (2, "done")]
    assert again["job"] == 2
    assert again["trials"] == jobs[0]["trials"] == jobs[1]["trials"]
    assert jobs[1]["engine"] == again["engine"] != jobs[0]["engine"]


@pytest.mark.slow
def test_resume_prefers_the_newest_that_stands_still(stored_job: Callable[..., int]) -> None:
    stored_job(engine="0" * 16)
    stored_job(state=JobState.DONE)
    stored_job(state=JobState.RUNNING)
    assert "job 1 was computed by engine 0000" in complaint("resume", "--local", "1")


def test_job_of_another_process_is_watched_there(stored_job: Callable[..., int]) -> None:
    stored_job(state=JobState.RUNNING)
    assert "run by another `manyply`" in complaint("attach")
    shown = ran("show")
    assert "running" in shown.stdout
    assert shown.stderr == ""


def test_a_rollout_draws_its_position_where_asked_for() -> None:
    asked = ("rollout", POSITION, "--dice", "31", "--trials", "4", "--truncate", "1")
    drawn = ran(*asked, "--board")
    assert drawn.exit_code == 0
    assert drawn.stdout.index("X rolled 3-1") < drawn.stdout.index("8/5")
    assert "|BAR|" not in ran(*asked).stdout
    assert json.loads(ran(*asked, "--board", "--json").stdout)


START_ID = "4HPwATDgc/ABMA"


def show_ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["show", *args])


@pytest.mark.parametrize(
    "text",
    [
        START_ID,
        f"{START_ID}:cAkAAAAAAAAA",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
    ],
)
def test_any_id_is_drawn(text: str) -> None:
    result = show_ran(text)
    assert result.exit_code == 0
    first, empty, top, *_ = result.stdout.splitlines()
    assert (first, empty) == (to_gnubg_id(read_id(text)), "")
    assert top == " +-13--14--15--16--17--18-+---+-19--20--21--22--23--24-+  O opponent"
    assert result.stdout.count("167 pips") == 2


def test_an_id_as_json_is_its_position_and_match() -> None:
    shown = json.loads(show_ran(START_ID, "--json").stdout)
    assert shown["position_id"] == START.position_id
    assert shown["pip_counts"] == [167, 167]
    assert shown["match"]["cube_value"] == 1


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("7",), "no job 7"),
        (("0",), "not in the range"),
        (("99999999999999999999999",), "not in the range"),
        (("nonsense",), "is neither a job number nor a position"),
        ((START_ID, "--master", "socket"), "leave out --master"),
        ((START_ID, "--export"), "--export is for a job's result"),
        (("1", "--xg-table", "--json"), "in two ways"),
        (("threes:1230456000000007", "--svg", "x.svg"), "leave out --svg"),
        ((START_ID, "--svg", "/dev/full"), "cannot write /dev/full: the disk is full"),
        (("--svg", "/dev/null/x.svg"), "cannot write /dev/null/x.svg: Not a directory"),
    ],
)
def test_digits_are_a_job_and_what_is_neither_is_one_line(
    args: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = show_ran(*args)
    assert result.exit_code != 0
    assert words in str(result.exception) + result.output


def test_move_of_a_match_file_is_shown_and_rolled_out(tmp_path: Path) -> None:
    file = tmp_path / "m2.mat"
    file.write_text(write_mat(random_match(3, 3)))
    move = f"move 1.3 of {file}"
    shown = show_ran(move)
    assert shown.exit_code == 0
    assert "|BAR|" in shown.stdout
    assert "No analysis of it is kept" in shown.stdout
    report = json.loads(show_ran(move, "--json").stdout)
    assert (report["game"], report["action"], report["decisions"]) == (1, 3, [])
    drawing = tmp_path / "board.svg"
    assert show_ran(move, "--svg", str(drawing)).exit_code == 0
    assert drawing.read_text().startswith("<svg")
    rolled = ran("rollout", move, *TINY, "--candidates", "2", "--json")
    assert rolled.exit_code == 0
    object_shown = json.loads(rolled.stdout)
    assert object_shown["id"] == f"{report['position_id']}:{report['match_id']}"
    assert object_shown["settings"]["dice"] == report["match"]["dice"]
    assert "has no game 9" in str(show_ran(f"move 9.1 of {file}").output)
    assert "has no game 9" in complaint("rollout", f"move 9.1 of {file}")


def test_a_position_is_drawn_into_files(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="resvg-py is not installed (extra png)")
    svg, png = tmp_path / "board.svg", tmp_path / "board.png"
    result = show_ran(START_ID, "--svg", str(svg), "--png", str(png))
    assert result.exit_code == 0
    assert result.stdout == show_ran(START_ID).stdout
    assert svg.read_text() == state_svg(read_id(START_ID))
    assert png.read_bytes() == png_bytes(svg.read_text())
    refused = show_ran(START_ID, "--png", "/dev/null/x.png")
    assert str(refused.exception) == "cannot write /dev/null/x.png: Not a directory"


def test_without_the_extra_png_is_one_line_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    result = show_ran(START_ID, "--png", str(tmp_path / "board.png"))
    assert str(result.exception) == "PNG needs an optional extra: pip install 'manyply[png]'"
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_priority_is_normal_by_its_old_word_too() -> None:
    kind = PriorityType()
    assert [kind.convert(word, None, None) for word in ("normal", "standing", "Background")] == [
        "normal", "normal", "background",
    ]  # fmt: skip
