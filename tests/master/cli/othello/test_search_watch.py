"""How a search is watched: master.cli.othello.search_watch."""

import re

import pytest

from engine_ext.othello.answer import BoardAnswer, BoardQuestion, BoardStatus
from master.cli.jobs.progress import FIRST_PLAIN_S
from master.cli.othello.search_watch import status_line, watched
from tests.engine_ext.othello.positions import running

MIDGAME = running(30, 1)[0]


def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("master.cli.othello.search_watch.FIRST_PLAIN_S", 0)
    monkeypatch.setattr("master.cli.jobs.progress.FIRST_PLAIN_S", 0)


@pytest.mark.slow
def test_a_long_search_tells_how_it_stands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert FIRST_PLAIN_S <= 1
    impatient(monkeypatch)
    assert isinstance(watched(BoardQuestion(MIDGAME, 11)), BoardAnswer)
    out, err = capsys.readouterr()
    assert out == ""
    assert re.search(r"^depth \d+.* nodes, .* M/s, ", err)


@pytest.mark.slow
def test_a_quiet_search_tells_nothing_to_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    impatient(monkeypatch)
    watched(BoardQuestion(MIDGAME, 11), is_quiet=True)
    assert capsys.readouterr() == ("", "")


def test_a_search_whose_time_is_up_says_how_it_stood() -> None:
    found = watched(BoardQuestion(MIDGAME, 29), 0.0)
    assert isinstance(found, BoardStatus)
    assert found.nodes > 0


def test_a_search_that_is_done_in_time_is_answered() -> None:
    assert watched(BoardQuestion(MIDGAME, 3), 60.0) == watched(BoardQuestion(MIDGAME, 3))


def test_a_line_has_the_value_where_there_is_one() -> None:
    begun = BoardStatus("depth 1", 2_000_000, None, ())
    assert status_line(begun, 2.0) == "depth 1: 2,000,000 nodes, 1.0 M/s, 2 s"
    deep = BoardStatus("depth 9", 1, -1.5, ("f5", "d6"), 8)
    assert status_line(deep, 1.0).startswith("depth 9, -1.50 f5 d6: ")
