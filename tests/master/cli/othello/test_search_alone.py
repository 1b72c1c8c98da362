"""Beginning a search alone: what is found, and what others get of it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine_ext.othello import shared_table
from engine_ext.othello.answer import BoardQuestion, answer_at_once
from engine_ext.othello.parts import PartKind, read_entries
from master.cli.app import manyply
from master.cli.errors import CommandError
from master.cli.othello import search_alone
from master.cli.othello.search_alone import Alone
from tests.engine_ext.othello.positions import running

ENGINE = "0" * 16
QUESTION = BoardQuestion(running(18, 1)[0], 60)


@pytest.fixture(autouse=True)
def fresh_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_table.TABLES, "by_name", {})


def short_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_alone, "ALONE_NODES", dict.fromkeys(PartKind, 1))
    monkeypatch.setattr("engine_ext.othello.answer.SOLVE_STEP_NODES", 1000)


def test_a_short_search_is_answered_as_by_one_thread() -> None:
    expected = answer_at_once(QUESTION)
    found = Alone(QUESTION).search_a_moment()
    assert found is not None
    assert (found.value, found.best_move, found.pv) == (
        expected.value, expected.best_move, expected.pv
    )  # fmt: skip


def test_a_longer_one_goes_on_until_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = answer_at_once(QUESTION)
    short_moments(monkeypatch)
    alone = Alone(QUESTION)
    assert alone.search_a_moment() is None
    assert 0 < alone.nodes < expected.nodes
    alone.go_on()
    assert alone._thread is not None
    alone._thread.join()
    assert alone.is_over
    found = alone.stop()
    assert found is not None
    assert found.value == expected.value


def test_what_was_found_out_is_passed_on_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    short_moments(monkeypatch)
    monkeypatch.setattr(search_alone, "ALONE_NODES", dict.fromkeys(PartKind, 100_000))
    monkeypatch.setattr(search_alone, "NEWS_DEPTH", 10)
    alone = Alone(QUESTION)
    alone.search_a_moment()
    alone.pass_on(ENGINE)
    (shared,) = shared_table.TABLES.by_name.values()
    assert shared.table is alone._table
    reported = [entry for text in shared.news() for entry in read_entries(text)[1]]
    assert reported
    assert min(depth for _, depth, _ in reported) >= 10


def test_one_that_is_given_up_stops_within_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    short_moments(monkeypatch)
    alone = Alone(BoardQuestion(running(40, 1)[0], 60))
    alone.go_on()
    assert alone.stop() is None
    nodes = alone.nodes
    assert alone._thread is not None
    assert not alone._thread.is_alive()
    assert alone.nodes == nodes


@pytest.mark.slow
def test_state_that_cannot_be_used_leaves_the_search_to_one_thread(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    short_moments(monkeypatch)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    board = QUESTION.board.to_text()
    result = CliRunner().invoke(manyply, ["search", "othello", board, "--solve", "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["value"] == answer_at_once(QUESTION).value
    places = ["--local", "2"]
    asked = CliRunner().invoke(manyply, ["search", "othello", board, "--solve", *places])
    assert isinstance(asked.exception, CommandError)
