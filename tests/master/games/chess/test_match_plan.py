"""Games that are handed in have the report that `manyply analyse chess --html` writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from engine_ext import services
from engine_ext.control import RunControl
from master.cli.app import manyply
from master.contract.errors import MasterError
from master.games.chess import match_plan
from master.games.chess.match_plan import MATCHES, NODES, plan_match
from master.games.errors import AskedError, RecordError
from tests.master.games.chess.analysis.games import LEGAL, SCHOLAR


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NODES, "quick", 2_000)


def test_report_is_that_of_the_command(tmp_path: Path) -> None:
    path, page = tmp_path / "a.pgn", tmp_path / "a.html"
    path.write_text(SCHOLAR)
    words = ["analyse", "chess", str(path), "--nodes", "2000", "--local", "1", "--html", str(page)]
    result = CliRunner().invoke(manyply, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    plan = plan_match(SCHOLAR.encode(), "a.pgn", "quick")
    report = plan.report([services.answer(text, RunControl()) or "" for text in plan.questions])
    assert report.page == page.read_text()
    assert report.page.count(f"<script>{plan.script}</script>") == 1
    assert report.summary.startswith("accuracy ")


def test_games_are_called_by_their_players_or_counted() -> None:
    assert plan_match(SCHOLAR.encode(), "a.pgn", "deep").title == "Ann - Bob"
    assert plan_match(f"{SCHOLAR}\n{LEGAL}".encode(), "a.pgn", MATCHES.level).title == "2 games"


@pytest.mark.parametrize("content", [b"", b"nonsense", bytes(range(256)), b'[White "A"]\n\n*\n'])
def test_what_has_no_moves_is_one_line_that_names_the_file(content: bytes) -> None:
    with pytest.raises(RecordError, match=r"^a\.pgn") as caught:
        plan_match(content, "a.pgn", "quick")
    assert len(str(caught.value).splitlines()) == 1


def test_what_is_too_much_or_no_level_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_plan, "DECISIONS_MAX", 3)
    with pytest.raises(RecordError, match="more than 3 positions: `manyply analyse chess` takes"):
        plan_match(SCHOLAR.encode(), "a.pgn", "quick")
    with pytest.raises(AskedError, match="level: expected one of quick, normal, deep"):
        plan_match(SCHOLAR.encode(), "a.pgn", "deeper")


def test_answer_that_is_none_is_said() -> None:
    plan = plan_match(SCHOLAR.encode(), "a.pgn", "quick")
    with pytest.raises(MasterError, match="makes no sense"):
        plan.report(["nonsense"] * len(plan.questions))
