"""Othello on the web page, its front, and files of games that are analysed there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given

from engine_ext import services
from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.whole_search import WholeSearch
from master.cli.app import manyply
from master.contract.errors import MasterError
from master.games.errors import AskedError, RecordError
from master.games.job_words import SearchWords
from master.games.othello import handlers
from master.games.othello.front import FRONT
from master.games.othello.handlers import (
    HANDLERS,
    LEVELS,
    MATCHES,
    TYPED_CHARACTERS_MAX,
    plan_match,
    read_board,
    shown_board,
)
from master.games.othello.level import Level
from master.games.othello.record import position_of, read_shown
from tests.engine_ext.othello.positions import boards
from tests.master.games.othello.analysis.games import TIGER

OVER = "X" * 64 + " O"


def test_board_has_its_discs_where_its_text_has_them() -> None:
    board = read_board("f5")
    shown = shown_board(board)["board"]
    assert isinstance(shown, dict)
    signs = {"X": ["●", "black"], "O": ["●", "white"], "-": None}
    cells = [signs[sign] for sign in board.to_text().split()[0]]
    assert [cell for row in shown["rows"] for cell in row] == cells
    assert shown["turn"] == "white"


def test_transcripts_boards_and_the_suite_are_read() -> None:
    assert read_board("f5d6c3").to_move == "O"
    assert read_board("FFO40").empties == 20
    assert read_board(OthelloBoard.start().to_text()) == OthelloBoard.start()
    with pytest.raises(ValueError, match=f"at most {TYPED_CHARACTERS_MAX} characters"):
        read_board("f5" * TYPED_CHARACTERS_MAX)


def test_search_goes_as_deep_as_is_said_unless_the_game_is_over() -> None:
    assert HANDLERS.positions is not None
    (search,) = HANDLERS.positions.actions
    assert search.job is not None
    board = read_board("f5")
    context = search.job(board, search.settings({"depth": 7}, board)).context
    assert WholeSearch.from_text(context).question.depth == 7
    assert "the game is over" in search.refusal(read_board(OVER))


GAMES = f"{TIGER}\nf5d6\n".encode()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEVELS, "quick", Level(2, 10))


def test_report_is_that_of_the_command(tmp_path: Path) -> None:
    path, page = tmp_path / "a.txt", tmp_path / "a.html"
    path.write_text(TIGER)
    words = ["analyse", "othello", str(path), "--depth", "2", "--local", "1", "--html", str(page)]
    result = CliRunner().invoke(manyply, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    plan = plan_match(TIGER.encode(), "a.txt", "quick")
    report = plan.report([services.answer(text, RunControl()) or "" for text in plan.questions])
    assert report.page == page.read_text()
    assert report.page.count(f"<script>{plan.script}</script>") == 1
    assert report.summary.startswith("accuracy ")


def test_games_are_called_by_their_players_or_counted() -> None:
    assert plan_match(TIGER.encode(), "a.txt", "deep").title == "Black - White"
    assert plan_match(GAMES, "a.txt", MATCHES.level).title == "2 games"


@pytest.mark.parametrize("content", [b"", b"nonsense", bytes(range(256)), b"(;GM[1])"])
def test_what_has_no_games_is_one_line_that_names_the_file(content: bytes) -> None:
    with pytest.raises(RecordError, match=r"^a\.txt") as caught:
        plan_match(content, "a.txt", "quick")
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("text", ["FFO41", f"{'-' * 27}OX------XO{'-' * 27} O"])
def test_a_position_is_sent_to_where_positions_are_pasted(text: str) -> None:
    with pytest.raises(RecordError, match=r"^a\.txt: this is a position, not a game: paste it"):
        plan_match(text.encode(), "a.txt", "quick")


def test_what_is_too_much_or_no_level_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handlers, "DECISIONS_MAX", 3)
    with pytest.raises(RecordError, match="decisions; at most 3: choose some with"):
        plan_match(TIGER.encode(), "a.txt", "quick")
    monkeypatch.setattr(handlers, "GAMES_MAX", 1)
    with pytest.raises(RecordError, match="2 games; at most 1: choose some with"):
        plan_match(GAMES, "a.txt", "quick")
    with pytest.raises(AskedError, match="level: expected one of quick, normal, deep"):
        plan_match(TIGER.encode(), "a.txt", "deeper")


def test_answer_that_is_none_is_said() -> None:
    plan = plan_match(TIGER.encode(), "a.txt", "quick")
    with pytest.raises(MasterError, match="makes no sense"):
        plan.report(["nonsense"] * len(plan.questions))


def test_a_game_that_is_skipped_is_named_in_the_warnings() -> None:
    plan = plan_match(b"f5d6c3\nf5f5\n", "a.txt", "quick")
    (warning,) = plan.warnings
    assert warning.startswith("a.txt, game 2, line 2: move 2 (f5): f5 is not empty")


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["show", *args])


def test_a_board_is_drawn_below_its_text_and_its_opening() -> None:
    lines = ran("othello:f5d6c3d3c4").stdout.splitlines()
    assert lines[0].endswith(" O, Tiger")
    assert len(lines) == 12
    assert "black" in lines[3]


def test_the_object_has_the_board_and_its_moves() -> None:
    found = json.loads(ran("othello:F5D6", "--json").stdout)
    board = OthelloBoard.start().play("f5").play("d6")
    assert found == {
        "board": board.to_text(), "discs": {"black": 3, "white": 3}, "moves": list(board.moves()),
        "opening": "Perpendicular",
    }  # fmt: skip


@given(boards())
def test_any_board_is_read_as_it_is(board: OthelloBoard) -> None:
    assert position_of(read_shown(f"othello:{board.to_text()}")) == board


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("othello:f5f5", "move 2 (f5): f5 is not empty; O may play f4 d6 f6"),
        ("othello:ffo60", "there is no FFO60"),
        ("othello:", "a board is 64 characters"),
    ],
)
def test_what_is_no_position_is_named(text: str, complaint: str) -> None:
    result = ran(text)
    assert result.exit_code == 2
    assert f": {complaint}" in " ".join(result.stderr.split()), "no other game complains"


def test_jobs_of_othello_are_searches() -> None:
    assert FRONT.search_job is not None
    assert isinstance(FRONT.search_words(), SearchWords)
