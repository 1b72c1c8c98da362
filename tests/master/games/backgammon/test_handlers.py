import html
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given

from engine_ext import services
from engine_ext.backgammon.context import RolloutContext
from engine_ext.backgammon.ids import parse_id, to_xgid
from engine_ext.backgammon.match_state import GameState
from engine_ext.control import RunControl
from master.cli.app import manyply
from master.contract.errors import MasterError
from master.contract.goals import Goal
from master.contract.views import JobRequest
from master.games.backgammon import handlers
from master.games.backgammon.handlers import MATCHES, QUESTIONS, ROLLOUT, plan_match
from master.games.backgammon.matches.mat_write import write_mat
from master.games.backgammon.matches.record import Game
from master.games.backgammon.position_view import shown_state, state_text
from master.games.backgammon.rollout_request import RolloutOptions, rollout_job, to_context
from master.games.backgammon.typed import read_id
from master.games.errors import AskedError, RecordError
from master.games.handlers import MatchPlan, MatchReport
from tests.master.games.askers import Answering
from tests.master.games.backgammon.handler_states import STATES
from tests.master.games.backgammon.matches.random_matches import random_match

OPENING = read_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10")


@given(STATES)
def test_text_says_all_of_a_state(state: GameState) -> None:
    assert parse_id(state_text(state)) == state


@given(STATES)
def test_board_is_what_the_xgid_says(state: GameState) -> None:
    """As the page does it: places from the bottom player's view, and the fields behind them."""
    board = shown_state(state)["board"]
    assert isinstance(board, dict)
    places = ["-"] * 26
    for slot in range(1, 26):
        if board["bottom"][slot]:
            places[slot] = chr(ord("A") + board["bottom"][slot] - 1)
        if board["top"][slot]:
            places[25 - slot] = chr(ord("a") + board["top"][slot] - 1)
    fields = to_xgid(state).removeprefix("XGID=").split(":")
    sign = {"bottom": 1, "top": -1, None: 0}
    assert "".join(places) == fields[0]
    assert [2 ** int(fields[1]), int(fields[2]), int(fields[3])] == [
        board["cube"]["value"], sign[board["cube"]["owner"]], sign[board["turn"]],
    ]  # fmt: skip
    assert [int(each) for each in fields[5:7]] == board["scores"]
    assert int(fields[8]) == board["match_length"]
    assert board["is_double_offered"] == (fields[4] == "D")


def test_resignation_is_said_by_a_gnubg_id() -> None:
    state = replace(OPENING, match=replace(OPENING.match, dice=None, resignation=2))
    assert parse_id(state_text(state)) == state
    assert not state_text(state).startswith("XGID")


def test_player_at_the_top_is_named_when_on_roll() -> None:
    state = read_id("XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:0:0:3:0:10")
    shown = shown_state(state)
    assert shown["title"] == "Backgammon: Top to play 3-1 against Bottom"
    assert "Top (dark, top)" in str(shown["words"])


ASKED_OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"
LATE = "XGID=-BBBBBB------------bbbbbb-:1:1:1:00:2:3:0:7:10"
CROWDED = "XGID=-a-B--C-BB--dE---c-e----A-:0:0:1:00:0:0:3:0:10"
OVER = "/38AAAAAAAAAAA"
ACTIONS = {action.name: action for action in QUESTIONS}
COMMANDS = {
    "evaluate": ("eval",),
    "moves": ("move",),
    "rolls": ("move", "--all-rolls"),
    "cube": ("cube",),
}


async def answered(name: str, text: str, **given: object) -> tuple[Any, Answering]:
    action, asker, state = ACTIONS[name], Answering(), read_id(text)
    assert action.ask is not None
    report = await action.ask(asker.ask, state, action.settings(given, state))
    return json.loads(json.dumps(report)), asker


def printed(*words: str) -> Any:
    result = CliRunner().invoke(manyply, [*words, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


@pytest.mark.parametrize(
    ("name", "text", "given"),
    [
        ("evaluate", ASKED_OPENING, {"plies": 2}),
        ("evaluate", OVER, {"plies": 0}),
        ("moves", ASKED_OPENING, {"plies": 2}),
        ("moves", LATE, {"plies": 1, "dice": "42"}),
        ("rolls", LATE, {"plies": 0}),
        ("cube", ASKED_OPENING, {"plies": 2}),
        ("cube", CROWDED, {"plies": 3}),
        ("cube", LATE, {"plies": 2}),
        ("cube", LATE, {"plies": 0}),
    ],
)
async def test_answers_are_those_of_the_command(
    name: str, text: str, given: dict[str, Any]
) -> None:
    report, _ = await answered(name, text, **given)
    dice = ("--dice", given["dice"]) if "dice" in given else ()
    words = (*COMMANDS[name], text, "--plies", str(given["plies"]), *dice)
    assert report == printed(*words)


async def test_deep_questions_are_asked_of_the_fleet_and_shallow_ones_are_not() -> None:
    for name in ("moves", "cube"):
        assert (await answered(name, ASKED_OPENING, plies=0))[1].asked == []
        assert (await answered(name, ASKED_OPENING, plies=3))[1].asked


async def test_moves_need_a_roll() -> None:
    for settings, why in (({}, "no roll"), ({"dice": "7"}, "is not a roll")):
        with pytest.raises(AskedError, match=why):
            await answered("moves", CROWDED, **settings)


@pytest.mark.parametrize("name", ["moves", "rolls", "cube"])
async def test_nothing_is_decided_when_the_game_is_over(name: str) -> None:
    with pytest.raises(AskedError, match="the game is over"):
        await answered(name, OVER)


BEFORE = replace(OPENING, match=replace(OPENING.match, dice=None))
PASSED = read_id("XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:3:0:10")


def begun(state: object, **given: object) -> JobRequest:
    assert ROLLOUT.job is not None
    return ROLLOUT.job(state, ROLLOUT.settings(given, state))


def names(request: JobRequest) -> list[str]:
    context = RolloutContext.from_text(request.context)
    return [alternative.name for alternative in context.alternatives]


def test_job_is_that_of_the_command() -> None:
    options = RolloutOptions(dice=(3, 1), candidates=3, seed=7, ply=1, truncation_ply=11)
    expected = rollout_job(OPENING, to_context(OPENING, options), Goal(72, 0.01, 2.0))
    given = {"candidates": 3, "seed": 7, "plies": 1, "truncate": 11, "trials": 72}
    assert begun(OPENING, stop_se=0.01, stop_settled=2.0, **given) == expected


def test_what_is_compared_follows_from_the_position_or_is_said() -> None:
    assert names(begun(OPENING))[0] == "8/5 6/5"
    assert names(begun(BEFORE)) == ["position"]
    assert names(begun(OPENING, of="position")) == ["position"]
    assert names(begun(OPENING, of="cube")) == ["no double", "double, take"]
    assert names(begun(BEFORE, dice="65", candidates=2))[0] == "24/13"
    assert names(begun(OPENING, moves=["8/5 6/5", "24/20"])) == ["8/5 6/5", "24/20"]


@pytest.mark.parametrize(
    ("state", "given", "why"),
    [
        (BEFORE, {"stop_settled": 2.33}, "nothing can be settled"),
        (PASSED, {"of": "cube"}, "the opponent owns the cube"),
        (OPENING, {"moves": ["8/3"]}, "legal moves"),
        (OPENING, {"dice": "71"}, "is not a roll"),
        (OPENING, {"trials": 0}, "trials: expected"),
        (read_id("/38AAAAAAAAAAA"), {}, "the game is over"),
    ],
)
def test_what_makes_no_sense_is_one_line(state: object, given: dict[str, object], why: str) -> None:
    with pytest.raises(AskedError, match=why) as caught:
        begun(state, **given)
    assert len(str(caught.value).splitlines()) == 1


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
