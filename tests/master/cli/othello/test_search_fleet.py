"""Boards solved by a fleet of this process, and what is said when nobody searches."""

import json

import pytest
from click.testing import CliRunner

from engine_ext.othello.answer import BoardQuestion
from engine_ext.othello.parts import PartKind
from master.cli.app import manyply
from master.cli.errors import CommandError, ExitCode
from master.cli.othello import search_alone
from master.cli.othello.search_fleet import search_by_fleet
from master.cli.place import Place
from master.config.fleet_list import FleetEntry, parse_fleet_address
from master.search.strategies import OURS
from tests.engine_ext.othello.positions import running


def nobody_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have one thread give up at once."""
    monkeypatch.setattr(search_alone, "ALONE_NODES", dict.fromkeys(PartKind, 0))
    monkeypatch.setattr(search_alone.Alone, "go_on", lambda alone: None)


@pytest.mark.slow
def test_fleet_of_local_workers_answers_as_one_thread_does(monkeypatch: pytest.MonkeyPatch) -> None:
    nobody_alone(monkeypatch)
    text = running(17, 1)[0].to_text()
    answers = []
    sequential = ("--strategy", "sequential")
    for options in (sequential, ("--local", "2"), ("--local", "1", "--strategy", "nb0amg")):
        words = ["search", "othello", text, "--solve", "--json", *options]
        ended = CliRunner().invoke(manyply, words)
        assert ended.exit_code == 0, ended.output
        answers.append(json.loads(ended.stdout))
    assert [one["strategy"] for one in answers] == ["sequential", "manyply", "nb0amg"]
    assert len({(one["value"], one["best_move"], one["exact"]) for one in answers}) == 1
    assert len({tuple(one) for one in answers}) == 1  # the same keys, in the same order
    assert all(one["pv"][0] == one["best_move"] for one in answers)
    assert [one["job"] for one in answers] == [None, 1, 2]
    for job in (1, 2):
        kept = json.loads(CliRunner().invoke(manyply, ["show", str(job), "--json"]).stdout)
        same = {key: value for key, value in answers[job].items() if key != "seconds"}
        assert list(kept) == list(answers[job])
        assert same == {key: kept[key] for key in same}


@pytest.mark.slow
def test_depth_is_searched_by_a_fleet_as_by_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    nobody_alone(monkeypatch)
    text = running(40, 1)[0].to_text()
    answers = []
    for options in (("--strategy", "sequential"), ("--local", "2")):
        words = ["search", "othello", text, "--depth", "9", "--json", *options]
        ended = CliRunner().invoke(manyply, words)
        assert ended.exit_code == 0, ended.output
        answers.append(json.loads(ended.stdout))
    same = ("value", "best_move", "exact")
    assert [answers[0][key] for key in same] == [answers[1][key] for key in same]
    assert answers[1]["pv"][0] == answers[1]["best_move"]


@pytest.mark.slow
def test_nobody_who_searches_is_one_line() -> None:
    entry = FleetEntry("", parse_fleet_address("exec:/nonexistent/a"))
    question = BoardQuestion(running(17, 1)[0], 17)
    with pytest.raises(CommandError, match="no analyser can be used") as caught:
        search_by_fleet(Place(None, (entry,), 0), question, OURS)
    assert caught.value.exit_code == ExitCode.JOB_FAILED
