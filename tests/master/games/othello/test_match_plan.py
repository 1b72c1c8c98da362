"""Games that are handed in have the report that `manyply analyse othello --html` writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from engine_ext import services
from engine_ext.control import RunControl
from master.cli.app import manyply
from master.contract.errors import MasterError
from master.games.errors import AskedError, RecordError
from master.games.othello import match_plan
from master.games.othello.level import Level
from master.games.othello.match_plan import LEVELS, MATCHES, plan_match
from tests.master.games.othello.analysis.games import TIGER

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
    monkeypatch.setattr(match_plan, "DECISIONS_MAX", 3)
    with pytest.raises(RecordError, match="decisions; at most 3: choose some with"):
        plan_match(TIGER.encode(), "a.txt", "quick")
    monkeypatch.setattr(match_plan, "GAMES_MAX", 1)
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
