"""`manyply replay`: what it says of a log."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.errors import CommandError
from master.contract.events import AnalyserReady, EngineOffer, JobSpec, JobSubmitted
from master.contract.goals import Goal
from master.scheduler import Scheduler, SchedulerOptions
from master.scheduler.event_log import first_line, turn_line


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
