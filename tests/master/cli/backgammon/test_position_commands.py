import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.notation import ALL_ROLLS
from engine_ext.backgammon.play import rank_moves
from master.cli.app import manyply
from master.cli.arguments import is_board_shown
from master.cli.backgammon import compare_levels, position_commands
from master.cli.backgammon.analysing.analyse_asking import AnswerOptions
from master.cli.backgammon.compare_levels import Comparison, compared, read_levels
from master.cli.backgammon.position_commands import Ranker
from master.cli.errors import CommandError, ExitCode
from master.cli.place import Place
from master.config.fleet_list import FleetEntry, parse_fleet_address
from master.config.paths import control_socket_path, default_state_dir
from master.games.backgammon.levels import LEVELS, level_words
from master.games.backgammon.play.board_view import offer_text
from master.games.backgammon.position_reports import cube_report, eval_report, move_report
from master.games.backgammon.typed import read_id
from tests.master.cli.shown import POSITION

STATE = read_id(POSITION)


def ran(*args: str, text: str = "") -> Any:
    return CliRunner().invoke(manyply, args, input=text)


@pytest.mark.parametrize(
    ("args", "report"),
    [
        (("eval", POSITION), eval_report(STATE, 2)),
        (("eval", POSITION, "--plies", "0"), eval_report(STATE, 0)),
        (("eval", POSITION, "--plies", "1"), eval_report(STATE, 1)),
        (("move", POSITION, "--dice", "31"), move_report(STATE, (3, 1), 2)),
        (("cube", POSITION), cube_report(STATE, 2)),
        (("eval", POSITION, "--cubeless"), eval_report(STATE, 2, is_cubeful=False)),
        (("cube", POSITION, "--cubeless"), cube_report(STATE, 2, is_cubeful=False)),
    ],
)
def test_json_is_the_report(args: tuple[str, ...], report: object) -> None:
    result = ran(*args, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == report


@pytest.mark.parametrize("command", ["eval", "move", "cube"])
@pytest.mark.parametrize("game", ["cubeful", "cubeless"])
def test_output_says_which_game_plays_were_chosen_for(command: str, game: str) -> None:
    dice = ("--dice", "31") if command == "move" else ()
    assert f", {game} plays" in ran(command, POSITION, *dice, f"--{game}").stdout
    for words in ((POSITION, "--json"), ("--batch", "-")):
        found = ran(command, *words, *dice, f"--{game}", text=f"{POSITION}\n").stdout
        assert json.loads(found)["plays"] == game


def test_cubeless_moves_are_ranked_here() -> None:
    result = ran("move", POSITION, "--dice", "31", "--cubeless", "--analyser", "127.0.0.1:1")
    assert result.exit_code == 2
    assert "--cubeless is ranked here" in result.stderr
    best = json.loads(ran("move", POSITION, "--all-rolls", "--cubeless", "--json").stdout)
    assert "mean_equity_cubeless" in best


def test_batch_answers_every_line_in_order(tmp_path: Path) -> None:
    batch = f"{POSITION}\n\nnonsense\n{POSITION}:cAkAAAAAAAAA\n"
    (tmp_path / "batch").write_text(batch)
    result = ran("eval", "--batch", str(tmp_path / "batch"))
    first, second, third = [json.loads(line) for line in result.stdout.splitlines()]
    assert first == third == eval_report(STATE, 0)
    assert second["line"] == 3
    assert "no ID in 'nonsense': expected XGID=..." in second["error"]
    assert result.exit_code == 2
    assert ran("eval", "--batch", "-", text=batch).stdout == result.stdout


def test_batch_of_moves_needs_a_roll_from_somewhere() -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"
    result = ran("move", "--batch", "-", text=f"{POSITION}\n{xgid}\n")
    without, roll = [json.loads(line) for line in result.stdout.splitlines()]
    assert without["error"].startswith("no roll")
    assert roll["moves"] == move_report(STATE, (3, 1), 0)["moves"]


def test_bytes_that_are_no_text_are_bad_lines(tmp_path: Path) -> None:
    (tmp_path / "batch").write_bytes(bytes(range(256)))
    result = ran("cube", "--batch", str(tmp_path / "batch"))
    assert result.exit_code == 2
    assert all("error" in json.loads(line) for line in result.stdout.splitlines())


@pytest.mark.parametrize("args", [("eval",), ("eval", POSITION, "--batch", "-")])
def test_one_id_or_a_batch_is_asked_for(args: tuple[str, ...]) -> None:
    result = ran(*args)
    assert result.exit_code == 2
    assert "give one ID, or --batch FILE" in result.stderr


DOUBLED = "4Dn4ICiY55gBIg"


def test_advice_looks_two_rolls_ahead_and_a_batch_none() -> None:
    """At 0-ply this double is worth .885 once taken, at 2-ply .782; gnubg says .789."""
    assert "Double, take  +0.7821\n" in ran("cube", DOUBLED).stdout
    (line,) = ran("cube", "--batch", "-", text=DOUBLED).stdout.splitlines()
    assert json.loads(line) == cube_report(read_id(DOUBLED), 0)
    (line,) = ran("cube", "--batch", "-", "--plies", "2", text=DOUBLED).stdout.splitlines()
    assert json.loads(line) == cube_report(read_id(DOUBLED), 2)


def test_cube_shows_chances_and_cubeless_equity_above_and_take_points_where_asked_for() -> None:
    lines = ran("cube", DOUBLED).stdout.splitlines()
    assert lines[1].split()[:3] == ["Win", "W", "g"]
    assert lines[1].split()[-1] == "Cubeless"
    assert lines[2].split() == [
        "64.13%", "28.30%", "1.73%", "-", "35.87%", "7.13%", "0.30%", "+0.5087",
    ]  # fmt: skip
    assert lines[-1] == "Proper cube action: double, take"
    longer = ran("cube", DOUBLED, "--take-points").stdout.splitlines()
    assert longer[: len(lines)] == lines
    assert longer[len(lines)] == "Winning chances to take and to cash"
    refused = ran("cube", DOUBLED, "--take-points", "--matrix", "2")
    assert "leave out --matrix" in refused.stderr


FINISHED = [
    "XGID=-B------------------------:0:0:1:00:0:0:3:0:10",
    "XGID=------------------------a-:0:0:1:00:0:0:3:0:10",
]
"""The opponent, and the player on roll, has borne off."""

DECISIONS = [
    ("move", "--dice", "21"),
    ("move", "--all-rolls"),
    ("move", "--dice", "21", "--compare", "quick,normal"),
    ("cube",),
    ("cube", "--matrix", "2"),
]


@pytest.mark.parametrize("position", FINISHED)
@pytest.mark.parametrize("args", DECISIONS)
def test_finished_game_has_nothing_to_decide(position: str, args: tuple[str, ...]) -> None:
    name, *rest = args
    result = ran(name, position, *rest)
    assert result.exit_code == 2
    assert "the game is over in this position: nothing is left to decide" in result.stderr
    if "--compare" not in args:
        (line,) = ran(name, "--batch", "-", *rest, text=position).stdout.splitlines()
        assert "the game is over" in json.loads(line)["error"]


def test_tables_say_exact_in_place_of_the_ply() -> None:
    bear_off = "IgAAQAEAAAAAAA:AQHgADAAEAAE"
    for args in (("eval",), ("cube",), ("move", "--dice", "31"), ("move", "--all-rolls")):
        text = ran(*args, bear_off, "--plies", "2").stdout
        assert "exact" in text
        assert "2-ply" not in text


def test_tables_are_for_people() -> None:
    assert "Cubeful" in ran("eval", POSITION).stdout
    assert "16 legal moves" in ran("move", POSITION, "--dice", "31").stdout
    assert "Proper cube action:" in ran("cube", POSITION).stdout


@pytest.mark.parametrize(
    ("xgid", "why"),
    [
        (":1:-1:1:00:0:0:0:0:10", "the opponent owns the cube"),
        (":0:0:1:00:4:6:1:7:10", "this is the Crawford game"),
        (":2:1:1:00:4:6:0:7:10", "a win at this cube already wins the match"),
    ],
)
def test_cube_that_cannot_be_turned_has_one_answer_and_a_reason(xgid: str, why: str) -> None:
    xgid = f"XGID=-b----E-C---eE---c-e----B-{xgid}"
    text = ran("cube", xgid).stdout
    assert f"\nNo double: {why}\n" in text
    assert "Double, take" not in text
    assert "Proper cube action" not in text
    result = ran("rollout", xgid, "--cube")
    assert result.exit_code != 0
    assert str(result.exception).endswith(f"no double here: {why}")


def test_forced_pass_is_one_move() -> None:
    result = ran("move", "27Y5AADg/wMAYA", "--dice", "31")
    assert "1 legal move, " in result.stdout
    assert "no move" in result.stdout


MET = """<met>
 <info><name>two points</name></info>
 <pre-crawford-table>
  <row><me>0.5</me><me>0.6</me></row><row><me>0.4</me><me>0.5</me></row>
 </pre-crawford-table>
 <post-crawford-table><row><me>0.5</me><me>0.45</me></row></post-crawford-table>
</met>
"""
MATCH = f"{POSITION}:cAngAFAAGAAE"


def test_a_table_of_match_equities_changes_match_play_alone(tmp_path: Path) -> None:
    path = tmp_path / "met.xml"
    path.write_text(MET)
    match = json.loads(ran("cube", MATCH, "--json", "--met", str(path)).stdout)
    assert match["no_double"] != json.loads(ran("cube", MATCH, "--json").stdout)["no_double"]
    assert ran("eval", MATCH, "--met", str(path)).exit_code == 0
    assert ran("move", MATCH, "--dice", "31", "--met", str(path)).exit_code == 0
    money = ran("eval", POSITION, "--met", str(path))
    assert money.exit_code == 2
    assert "--met is for match play" in money.stderr


def test_rules_of_money_play_take_the_place_of_the_ids() -> None:
    reports = [
        json.loads(ran("cube", POSITION, "--json", *rules).stdout)
        for rules in (("--beavers",), ("--no-beavers",), ("--no-jacoby",))
    ]
    assert [report["action"] for report in reports] == [
        "no double, beaver", "no double", "no double, beaver",
    ]  # fmt: skip
    assert reports[0]["double_beaver"] == 2 * reports[0]["double_take"]
    assert reports[1]["double_beaver"] is None
    assert reports[0] == json.loads(ran("cube", POSITION, "--json").stdout)
    assert reports[2]["no_double"] != reports[0]["no_double"]
    table = ran("cube", POSITION, "--no-jacoby").stdout
    assert "Double, beaver" in table
    assert f"{POSITION}:cAkAAAAAAAAE" in table
    assert "beaver" not in ran("cube", POSITION, "--no-beavers").stdout


def test_rules_of_money_play_are_refused_for_a_match_line_by_line() -> None:
    assert ran("move", MATCH, "--dice", "31", "--no-jacoby").exit_code == 2
    result = ran("eval", "--batch", "-", "--no-jacoby", text=f"{MATCH}\n{POSITION}\n")
    refused, answered = [json.loads(line) for line in result.stdout.splitlines()]
    assert refused["line"] == 1
    assert refused["error"].startswith("--jacoby and --beavers are for money play")
    assert answered["match_id"] == "cAkAAAAAAAAE"
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "cannot read"),
        ("<met>", "not a match equity table in XML"),
        (MET.replace("<me>0.6</me>", "<me>high</me>"), "not numbers"),
        (MET.replace("pre-crawford-table>", 'pre-crawford-table type="mec">', 1), "formula 'mec'"),
    ],
)
def test_a_bad_table_of_match_equities_is_one_line(
    tmp_path: Path, content: str | None, problem: str
) -> None:
    path = tmp_path / "met.xml"
    if content is not None:
        path.write_text(content)
    result = ran("cube", MATCH, "--met", str(path))
    assert result.exit_code == 2
    assert problem in result.stderr


def test_every_roll_has_its_best_move_in_a_line_and_the_mean_below() -> None:
    lines = ran("move", POSITION, "--all-rolls").stdout.splitlines()
    assert len(lines) == 1 + 1 + 21 + 1
    assert "8/5 6/5" in next(line for line in lines if line.startswith("3-1"))
    assert lines[-1].startswith("Mean of all rolls: +0.")
    report = json.loads(ran("move", POSITION, "--all-rolls", "--json").stdout)
    assert [roll["dice"] for roll in report["rolls"]][:3] == [[1, 1], [2, 1], [2, 2]]


def test_every_roll_leaves_no_room_for_one() -> None:
    result = ran("move", POSITION, "--all-rolls", "--dice", "31")
    assert result.exit_code != 0
    assert "leave out --dice" in result.output + str(result.exception)


@pytest.mark.parametrize("args", [("eval",), ("move", "--dice", "31"), ("cube",)])
def test_a_board_stands_above_the_table_where_asked_for(args: tuple[str, ...]) -> None:
    name, *rest = args
    plain = ran(name, POSITION, *rest).stdout
    drawn = ran(name, POSITION, *rest, "--board").stdout
    assert "|BAR|" not in plain
    assert "|BAR|" in drawn
    assert drawn.endswith(plain)
    assert ("X rolled 3-1" in drawn) is (name == "move")
    assert ran(name, POSITION, *rest, "--no-board").stdout == plain
    as_json = (name, POSITION, *rest, "--json")
    assert ran(*as_json, "--board").stdout == ran(*as_json).stdout


NOBODY = FleetEntry("", parse_fleet_address("exec:false"))
HERE = Place()
NOWHERE = Place(analysers=(NOBODY,), local=0)


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


@pytest.mark.parametrize("ply", [0, 1])
def test_here_each_roll_is_ranked_as_by_itself(ply: int) -> None:
    with Ranker(HERE, ply, None) as ranker:
        ranked = ranker.rank(STATE, ALL_ROLLS)
    assert ranked == [rank_moves(STATE, dice, ply) for dice in ALL_ROLLS]


@pytest.mark.parametrize("place", [HERE, Place(analysers=(NOBODY,)), Place(master="/nonexistent")])
def test_what_costs_less_than_calling_is_done_here(place: Place) -> None:
    with Ranker(place, 2, None) as ranker:
        assert ranker.rank(STATE, [(3, 1)]) == [rank_moves(STATE, (3, 1), 2)]


@pytest.mark.slow
@pytest.mark.when_changed
def test_a_fleet_ranks_as_this_process_does_and_is_called_once() -> None:
    analyser = f"exec:{sys.executable} -m analyser --stdio --workers 1"
    place = Place(analysers=(FleetEntry("", parse_fleet_address(analyser)),), local=0)
    with Ranker(place, 1, None) as ranker:
        for dice in ((3, 1), (6, 6)):
            assert ranker.rank(STATE, [dice]) == [rank_moves(STATE, dice, 1)]


@pytest.mark.slow
def test_a_fleet_of_nobody_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    with Ranker(NOWHERE, 0, None) as ranker, pytest.raises(CommandError) as caught:
        ranker.rank(STATE, [(3, 1)])
    assert caught.value.exit_code is ExitCode.JOB_FAILED
    assert "no analyser can be used" in str(caught.value)


@pytest.mark.slow
def test_a_master_that_is_not_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position_commands, "FLEET_S_MIN", 0.0)
    place = Place(master="/nonexistent")
    with Ranker(place, 2, None) as ranker, pytest.raises(CommandError) as caught:
        ranker.rank(STATE, [(3, 1)])
    assert caught.value.exit_code is ExitCode.UNREACHABLE


@pytest.mark.slow
def test_a_socket_left_behind_is_no_master(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position_commands, "FLEET_S_MIN", 0.0)
    path = control_socket_path(default_state_dir())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    with Ranker(HERE, 2, None) as ranker:
        assert ranker.rank(STATE, [(3, 1)]) == [rank_moves(STATE, (3, 1), 2)]


@pytest.mark.parametrize(
    ("board", "is_terminal", "is_shown"),
    [(None, True, True), (None, False, False), (True, False, True), (False, True, False)],
)
def test_boards_are_for_terminals_unless_asked_for(
    board: bool | None, is_terminal: bool, is_shown: bool
) -> None:
    assert is_board_shown(board, is_terminal=is_terminal) is is_shown


def test_what_waits_for_an_answer_is_reported() -> None:
    doubled = replace(STATE, match=replace(STATE.match, is_double_offered=True))
    resigned = replace(STATE, match=replace(STATE.match, resignation=2))
    assert offer_text(STATE, "Ann") == ""
    assert offer_text(doubled, "Ann") == "Ann doubles to 2"
    assert offer_text(resigned, "Ann") == "Ann resigns a gammon"


def side_by_side(*args: str, text: str = "") -> Any:
    return CliRunner().invoke(manyply, ["move", *args], input=text)


@pytest.fixture
def shallow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two levels that this core answers by itself: all moves, and those that a filter keeps."""
    levels = {"quick": LEVELS["quick"], "normal": LEVELS["quick"]}
    monkeypatch.setattr(compare_levels, "LEVELS", levels)


@pytest.mark.sockets
@pytest.mark.slow
def test_each_level_ranks_as_it_does_alone() -> None:
    args = (POSITION, "--dice", "31", "--local", "1", "--json")
    found = json.loads(side_by_side(*args, "--compare", "quick,normal").stdout)
    assert [each["level"] for each in found["levels"]] == ["quick", "normal"]
    for each, plies in zip(found["levels"], ("0", "2"), strict=True):
        assert each["settings"] == level_words(each["level"])
        alone = json.loads(side_by_side(*args[:3], "--plies", plies, "--json").stdout)["moves"]
        kept = [move for move in alone if move["level"] == alone[0]["level"]]
        top = [(move["move"], move["equity_cubeful"]) for move in kept]
        own = [(move["move"], move["equity_cubeful"]) for move in each["moves"]]
        assert own[: len(top)] == top
    heads = side_by_side(*args[:4], "1", "--compare", "quick,normal").stdout.splitlines()[1]
    assert heads.split() == ["Move", "quick", "normal"]


@pytest.mark.usefixtures("shallow")
def test_table_has_a_column_for_each_level_and_says_what_it_is() -> None:
    lines = side_by_side(POSITION, "--dice", "31", "--compare", "quick,normal").stdout.splitlines()
    assert lines[0].endswith("  3-1")
    assert lines[1].split() == ["Move", "quick", "normal"]
    assert lines[2].split()[2:] == ["1.", "+0.2079", "1.", "+0.2079"]
    assert len(lines) == 2 + 16 + 2
    assert lines[-2] == f"quick: {level_words('quick')}"


@pytest.mark.usefixtures("shallow")
def test_roll_may_be_that_of_the_id() -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"
    assert "3-1" in side_by_side(xgid, "--compare", "quick,normal").stdout


def test_one_question_a_level_is_asked_and_none_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def answers(self: object, questions: list[str]) -> list[str]:
        asked.append(questions)
        raise KeyboardInterrupt

    monkeypatch.setattr(AnswerOptions, "answers", answers)
    comparison = Comparison(parse_id(POSITION), (3, 1), ("quick", "normal", "deep", "rollout"))
    with pytest.raises(KeyboardInterrupt):
        compared(comparison, Place(), is_quiet=True)
    assert len(set(asked[0])) == 4


@pytest.mark.parametrize("text", ["quick", "quick,quick", "quick,best", "", "quick,"])
def test_what_compares_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_levels(text)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--plies", "1", "--dice", "31"], "leave out --plies"),
        (["--level", "deep", "--dice", "31"], "leave out --level"),
        (["--filter", "tiny", "--dice", "31"], "leave out --filter"),
        (["--all-rolls"], "leave out --all-rolls"),
        (["--cubeless", "--dice", "31"], "leave out --cubeless"),
        ([], "no roll: give --dice 31"),
    ],
)
def test_contradiction_is_one_line(args: list[str], words: str) -> None:
    result = side_by_side(POSITION, "--compare", "quick,normal", *args)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())


@pytest.mark.usefixtures("shallow")
@pytest.mark.parametrize("own", [{"ply": "2"}, {"level": "deep"}, {"move_filter": "tiny"}])
def test_level_of_a_configuration_is_no_contradiction(own: dict[str, str]) -> None:
    words = ["backgammon", POSITION, "--dice", "31", "--compare", "quick,normal"]
    configured = {"move": {"backgammon": own}}
    result = CliRunner().invoke(manyply, ["move", *words], default_map=configured)
    assert result.exit_code == 0


def test_batch_is_not_compared() -> None:
    result = side_by_side(
        "--batch", "-", "--compare", "quick,normal", "--dice", "31", text=POSITION
    )
    assert result.exit_code == 2
    assert "--compare is of one ID: leave out --batch" in result.stderr
