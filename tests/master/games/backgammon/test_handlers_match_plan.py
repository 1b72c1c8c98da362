"""A match that is handed in has the report that `manyply analyse --html` writes."""

import html
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine_ext import services
from engine_ext.control import RunControl
from master.cli.app import manyply
from master.contract.errors import MasterError
from master.games.backgammon import handlers
from master.games.backgammon.handlers import MATCHES, plan_match
from master.games.backgammon.matches.mat_write import write_mat
from master.games.backgammon.matches.record import Game
from master.games.errors import AskedError, RecordError
from master.games.handlers import MatchPlan, MatchReport
from tests.master.games.backgammon.matches.random_matches import random_match

MATCH = random_match(5, 3, games_max=1)
TEXT = write_mat(MATCH)

XG_TEXT = """XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10

X:Player 1   O:Player 2
Score is X:0 O:0. Unlimited Game, Jacoby Beaver
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 | X           O    |   | O              X |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
X to play 52
"""


def report_of(plan: MatchPlan) -> MatchReport:
    return plan.report([services.answer(text, RunControl()) or "" for text in plan.questions])


def test_report_is_that_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(TEXT)
    words = ["analyse", str(tmp_path / "a.mat"), "--level", "quick", "--html", "-"]
    result = CliRunner().invoke(manyply, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    plan = plan_match(TEXT.encode(), "a.mat", "quick")
    report = report_of(plan)
    page = report.page
    assert page.strip() == result.output.strip()
    words[-2:] = ["--json"]
    printed = json.loads(CliRunner().invoke(manyply, words).output)
    rates = [f"{player['pr']:.2f}" for player in printed["match"]]
    assert report.summary == f"PR {rates[0]} - {rates[1]}"
    assert page.count("<script") == 1
    assert f"<script>{plan.script}</script>" in page


def test_match_is_called_by_its_players() -> None:
    first, second = MATCH.players
    assert plan_match(TEXT.encode(), "a.mat", "deep").title == f"{first} - {second}, 3 points"


def test_levels_are_those_of_the_command() -> None:
    assert MATCHES.level in MATCHES.levels
    for level in MATCHES.levels:
        assert MATCHES.plan(TEXT.encode(), "a.mat", level).questions
    with pytest.raises(AskedError, match="level: expected one of quick, normal, deep, rollout"):
        plan_match(TEXT.encode(), "a.mat", "deeper")


@pytest.mark.parametrize("content", [b"", b"nonsense", bytes(range(256)), b"(;GM[1])"])
def test_what_is_no_match_is_one_line_that_names_the_file(content: bytes) -> None:
    with pytest.raises(RecordError, match=r"^a\.mat:") as caught:
        plan_match(content, "a.mat", "quick")
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("text", ["4HPwATDgc/ABMA\n", XG_TEXT])
def test_a_position_is_sent_to_where_positions_are_pasted(text: str, encoding: str) -> None:
    with pytest.raises(RecordError, match=r"^a\.txt: this is a position, not a match: paste it"):
        plan_match(text.encode(encoding), "a.txt", "quick")


def test_a_match_without_a_decision_is_no_position() -> None:
    with pytest.raises(RecordError, match="nothing is decided in it"):
        plan_match(write_mat(replace(MATCH, games=(Game((0, 0)),))).encode(), "a.mat", "quick")


def test_match_with_too_many_decisions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handlers, "DECISIONS_MAX", 3)
    with pytest.raises(RecordError, match="decisions; at most 3: `manyply analyse` takes more"):
        plan_match(TEXT.encode(), "a.mat", "quick")


def test_answer_that_is_none_is_no_report() -> None:
    plan = plan_match(TEXT.encode(), "a.mat", "quick")
    with pytest.raises(MasterError, match="makes no sense"):
        plan.report(["nonsense"] * len(plan.questions))


def test_a_game_that_is_skipped_is_named_in_the_warnings() -> None:
    session = write_mat(random_match(5, 0, games_max=2, beavers=False))
    head, dots, game = session.rpartition("  1) ")
    damaged = f"{head}{dots}{re.sub(r': [^ ]+', ': 24/1', game, count=1)}"
    plan = plan_match(damaged.encode(), "a.mat", "quick")
    (warning,) = plan.warnings
    assert warning.startswith("game 2: ")
    assert warning.endswith("; skipped")
    assert f"Warning: {html.escape(warning)}" in report_of(plan).page
