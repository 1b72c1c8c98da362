import csv
import json
import re
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.backgammon.analysing.analyse_command import MatchOutput, Outputs
from master.cli.drawings import PRINTED
from master.cli.errors import CommandError, ExitCode
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.mat_write import write_mat
from master.games.backgammon.matches.record import Double, Game, Match, Play, Resign, Result
from tests.master.cli.test_app import code_of
from tests.master.games.backgammon.matches.gnubg_program import needs_gnubg, run_gnubg
from tests.master.games.backgammon.matches.gnubg_statistics import (
    ANALYSE_AT_0_PLY,
    noisy_players,
    statistics_of,
)
from tests.master.games.backgammon.matches.random_analyses import analysed
from tests.master.games.backgammon.matches.random_matches import PEACEFUL, Habits, random_match

MATCH = random_match(7, length=3, games_max=2, habits=Habits(double=0.1, drop=0.5, resign=0.01))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A match of two games."""
    path = tmp_path / "match.mat"
    path.write_text(write_mat(MATCH))
    return path


def ran(*args: object) -> Any:
    return CliRunner().invoke(manyply, ["analyse", *map(str, args)])


def report_of(*args: object) -> Any:
    result = ran(*args, "--json")
    assert result.exit_code == 0, result
    return json.loads(result.stdout)


def complaint(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *args: object
) -> tuple[int, str]:
    """The exit code and the one line that a mistaken command ends with."""
    code = code_of(monkeypatch, "analyse", *map(str, args))
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1, err
    return code, err.strip()


def test_every_decision_and_roll_is_reported(file: Path) -> None:
    report = report_of(file, "--plies", "0")
    actions = [action for game in MATCH.games for action in game.actions]
    assert len(report["rolls"]) == sum("Play" in type(each).__name__ for each in actions)
    doubles = [each for each in report["decisions"] if each["choice"] == "double"]
    dead = 1  # the last one, by a player whom the cube as it is would win the match
    assert len(doubles) == sum(isinstance(each, Double) for each in actions) - dead
    assert [game["game"] for game in report["games"]] == [1, 2]
    assert report["players"] == ["Ann", "Bob"]
    assert report["unit"] == "mwc"


@pytest.mark.parametrize("option", ["--sgf", "--csv", "--html", "--text"])
def test_the_file_that_is_analysed_is_never_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: Path, option: str
) -> None:
    link, text = file.with_name("link.sgf"), file.read_text()
    link.symlink_to(file)
    for out in (file, link):
        code, line = complaint(monkeypatch, capsys, file, "--plies", "0", option, out)
        assert (code, line.endswith("it is the file that is analysed")) == (2, True)
    assert file.read_text() == text


def test_totals_of_the_match_are_sums_of_its_games(file: Path) -> None:
    report = report_of(file, "--plies", "0")
    for player in (0, 1):
        games = [game["players"][player] for game in report["games"]]
        whole = report["match"][player]
        assert whole["checker"]["moves"] == sum(game["checker"]["moves"] for game in games)
        assert whole["error"]["total"] == pytest.approx(sum(g["error"]["total"] for g in games))
        own = [each for each in report["decisions"] if each["player"] == player]
        assert whole["error"]["total"] == pytest.approx(sum(each["error"] for each in own))


def damaged(file: Path) -> Path:
    """Return the match with a play in its first game that cannot be."""
    text = file.read_text()
    path = file.with_name("damaged.mat")
    path.write_text(re.sub(r"(  1\).*?\d\d: )[^\s]+", r"\g<1>24/1", text, count=1))
    return path


def test_a_bad_game_is_named_and_skipped_and_the_others_are_analysed(file: Path) -> None:
    path = damaged(file)
    result = ran(path, "--plies", "0", "--json")
    assert isinstance(result.exception, CommandError)
    assert result.exception.exit_code == ExitCode.BAD_INPUT
    assert str(result.exception) == "damaged.mat: 1 game skipped; 1 read"
    (named,) = result.stderr.splitlines()
    assert re.match(r"manyply: damaged\.mat, game 1, line \d+: .*illegal play.*; skipped$", named)
    found, whole = json.loads(result.stdout), report_of(file, "--plies", "0")
    assert found["decisions"] == [each for each in whole["decisions"] if each["game"] == 2]
    (skipped,) = found["skipped"]
    assert (skipped["number"], found["skipped_count"], whole["skipped"]) == (1, 1, [])
    assert ran(path, "--plies", "0", "--games", "2").exit_code == 0
    many = ran(path, file, "--plies", "0")
    assert (many.exit_code, len(many.stdout.splitlines())) == (2, 3)
    assert many.stderr.splitlines()[-1] == "manyply: 1 game skipped"


def test_some_games_are_what_they_are_in_the_whole(file: Path) -> None:
    whole, second = report_of(file, "--plies", "0"), report_of(file, "--plies", "0", "--games", "2")
    assert second["games"] == whole["games"][1:]
    assert second["match"] == whole["games"][1]["players"]
    assert second["decisions"] == [each for each in whole["decisions"] if each["game"] == 2]


def test_one_players_decisions_are_what_they_are_in_the_whole(file: Path) -> None:
    whole = report_of(file, "--plies", "0")
    own = report_of(file, "--plies", "0", "--player", "bob")
    assert own["decisions"] == [each for each in whole["decisions"] if each["player"] == 1]
    assert own["match"][1]["pr"] == whole["match"][1]["pr"]
    assert own["match"][0]["pr"] is None
    assert own["match"][1]["luck_adjusted_result"] is None


def test_table_has_players_games_and_largest_errors(file: Path) -> None:
    lines = ran(file, "--plies", "0", "--errors", "3").stdout.splitlines()
    assert lines[0] == "3-point match, Ann - Bob; 0-ply"
    assert sum(line.startswith("PR ") for line in lines) == 1
    assert lines[-4].startswith("Move")
    errors = [float(line.split()[2]) for line in lines[-3:]]
    assert errors == sorted(errors)
    assert errors[0] < 0


def test_csv_has_a_row_for_each_decision(file: Path, tmp_path: Path) -> None:
    report = report_of(file, "--plies", "0", "--csv", tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert len(rows) == len(report["decisions"])
    for row, decision in zip(rows, report["decisions"], strict=True):
        assert float(row["error"]) == decision["error"]
        assert row["best"] == decision["best"]
        assert row["name"] == report["players"][decision["player"]]


def test_written_sgf_holds_the_analysis(file: Path, tmp_path: Path) -> None:
    report = report_of(file, "--plies", "0", "--sgf", tmp_path / "out.sgf")
    stored = report_of(tmp_path / "out.sgf", "--stored")
    assert stored["settings"] is None
    assert len(stored["decisions"]) == len(report["decisions"])
    for own, other in zip(stored["match"], report["match"], strict=True):
        assert own["pr"] == pytest.approx(other["pr"], abs=0.05)


def test_fleet_of_this_process_prints_the_same(file: Path) -> None:
    alone = ran(file, "--plies", "0", "--json")
    assert ran(file, "--plies", "0", "--json", "--local", "1").stdout == alone.stdout


def test_cube_level_follows_that_of_checker_play(file: Path) -> None:
    assert report_of(file, "--plies", "0")["settings"]["cube_ply"] == 0
    mixed = report_of(file, "--plies", "0", "--cube-plies", "1")["settings"]
    assert (mixed["ply"], mixed["cube_ply"]) == (0, 1)


TABLE = """<met><info><name>steep</name></info>
<pre-crawford-table type="explicit">
<row><me>0.50</me><me>0.80</me><me>0.90</me></row>
<row><me>0.20</me><me>0.50</me><me>0.70</me></row>
<row><me>0.10</me><me>0.30</me><me>0.50</me></row>
</pre-crawford-table>
<post-crawford-table player="both" type="explicit">
<row><me>0.50</me><me>0.45</me><me>0.30</me></row>
</post-crawford-table></met>
"""


def test_match_equities_can_be_others(file: Path, tmp_path: Path) -> None:
    (tmp_path / "met.xml").write_text(TABLE)
    usual = report_of(file, "--plies", "0")
    other = report_of(file, "--plies", "0", "--met", tmp_path / "met.xml")
    assert (usual["settings"]["met"], other["settings"]["met"]) == ("Kazaross-XG2", "steep")
    assert usual["match"][0]["error"]["cost"] != other["match"][0]["error"]["cost"]
    gains = [game["players"][0]["result"] for game in other["games"]]
    assert sum(gains) == pytest.approx(other["match"][0]["result"])


def test_rules_of_money_play_can_be_others(tmp_path: Path) -> None:
    path = tmp_path / "session.mat"
    session = random_match(1, 0, games_max=1, habits=PEACEFUL, is_finished=False)
    path.write_text(write_mat(session))
    usual, other = (report_of(path, "--plies", "0", *how) for how in ([], ["--no-jacoby"]))
    assert usual["unit"] == other["unit"] == "points"
    assert usual["match"][0]["luck"] != other["match"][0]["luck"]


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--jacoby"], 2, "--jacoby and --beavers are for money play"),
        (["--games", "3"], 2, "there is no game 3: the match has 2"),
        (["--games", "3-1"], 2, "3-1 runs backwards"),
        (["--games", "one"], 2, "expected numbers such as 1,3 or 2-4"),
        (["--games", "0"], 2, "counted from 1"),
        (["--player", "Carla"], 2, "no single player is called 'Carla'"),
        (["--stored"], 2, "match.mat holds no analysis"),
        (["--plies", "9"], 2, "--plies"),
        (["--ply", "2"], 2, "--ply"),
        (["--local", "0"], 2, "leaves nobody to compute"),
        (["--sgf", "nowhere/out.sgf"], 2, "there is no such directory"),
        (["--csv", "."], 2, "it is a directory"),
        (["--html", "nowhere/out.html"], 2, "there is no such directory"),
        (["--text", "-", "--json"], 2, "give it a file"),
    ],
)
def test_mistake_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: Path,
    options: list[str], code: int, words: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(file.parent)
    found, line = complaint(monkeypatch, capsys, "match.mat", *options)
    assert found == code
    assert words in line


def test_file_that_is_not_there_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, line = complaint(monkeypatch, capsys, tmp_path / "none.mat")
    assert code == 2
    assert "No such file" in line


def test_file_that_is_no_match_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir or Madam,\n")
    code, line = complaint(monkeypatch, capsys, tmp_path / "letter.txt")
    assert code == 2
    assert "letter.txt: expected" in line


def test_output_that_cannot_be_written_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    code, line = complaint(monkeypatch, capsys, file, "--plies", "0", "--csv", "/dev/full")
    assert code == 3
    assert line == "manyply: cannot write /dev/full: the disk is full"


@needs_gnubg
@pytest.mark.reference
@pytest.mark.slow
@pytest.mark.when_changed
def test_static_analysis_agrees_with_gnubgs(tmp_path: Path) -> None:
    """The same match, by two programs whose nets have nothing in common.

    On one roll their luck differs by .02 or so, now this way, now that; .1 a roll, growing with
    the root of their number, is five times that.  An error is never negative, and two nets
    disagree about close plays: each sees small errors in what the other plays, so that totals
    differ by a part of themselves: by -13 to +23 per cent in twenty such matches.
    """
    play = [*noisy_players(seed=12), "set automatic game on", "new match 9"]
    run_gnubg(tmp_path, [*play, *ANALYSE_AT_0_PLY, "analyse match", "save match own.sgf"])
    gnubg, ours = (report_of(tmp_path / "own.sgf", *how) for how in (["--stored"], ["--plies", 0]))
    for theirs, own in zip(gnubg["match"], ours["match"], strict=True):
        assert own["checker"]["moves"] == theirs["checker"]["moves"]
        assert own["checker"]["unforced"] == theirs["checker"]["unforced"]
        rolls = own["luck"]["rolls"]
        assert rolls == theirs["luck"]["rolls"]
        noise = 0.1 * sqrt(rolls)
        assert own["luck"]["total"] == pytest.approx(theirs["luck"]["total"], abs=noise)
        assert own["error"]["total"] == pytest.approx(theirs["error"]["total"], rel=0.25, abs=0.2)
    differences = [
        abs(own["luck"] - other["luck"])
        for own, other in zip(ours["rolls"], gnubg["rolls"], strict=True)
    ]
    assert sum(differences) / len(differences) < 0.04


@needs_gnubg
@pytest.mark.reference
@pytest.mark.slow
def test_gnubg_shows_our_analysis(file: Path, tmp_path: Path) -> None:
    report = report_of(file, "--plies", "0", "--sgf", tmp_path / "ours.sgf")
    printed = statistics_of(tmp_path, "ours.sgf")
    for player, own in enumerate(report["match"]):
        assert printed.text("Chequerplay", "Total moves", player) == str(own["checker"]["moves"])
        shown = float(printed.numbers("Overall", "Error total", player)[0])
        assert shown == pytest.approx(-own["error"]["total"], abs=2e-3)


def test_errors_have_boards_where_they_are_asked_for(file: Path) -> None:
    options = (file, "--plies", "0", "--errors", "2")
    plain, drawn = ran(*options).stdout, ran(*options, "--board").stdout
    table, listed = plain.split("\n\nMove ")[0], drawn.split("\n\nThe largest 2 errors:\n")
    assert listed[0] == table
    assert listed[1].count("|BAR|") == listed[1].count(" better: ") == 2
    assert ran(*options, "--no-board").stdout == plain
    assert "The largest" not in ran(file, "--plies", "0", "--errors", "0", "--board").stdout


def test_bad_lines_of_a_list_are_named_and_the_others_answered(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("4HPwATDgc/ABMA 31 8/5 6/5\nnonsense\n4HPwATDgc/ABMA 66 24/1\n")
    result = ran(path, "--plies", "0")
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["Line", "1"]
    first, second = result.stderr.splitlines()[-2:]
    assert first.startswith("manyply: list.txt:2: an ID is ")
    assert second.startswith("manyply: list.txt:3: 24/1 is not one of")
    assert isinstance(result.exception, CommandError)
    assert str(result.exception) == "list.txt: 2 lines skipped; 1 read"
    assert result.exception.exit_code is ExitCode.BAD_INPUT


def test_list_of_ids_has_no_board(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("4HPwATDgc/ABMA 31 8/5 6/5\n")
    result = ran(tmp_path / "list.txt", "--plies", "0", "--board")
    assert "--board is for matches" in str(result.exception)


@pytest.mark.slow
def test_page_and_text_are_the_same_from_any_machine(file: Path, tmp_path: Path) -> None:
    written = []
    for name, place in (("here", ()), ("fleet", ("--local", "1"))):
        page, text = tmp_path / f"{name}.html", tmp_path / f"{name}.txt"
        result = ran(file, "--plies", "0", "--html", page, "--text", text, *place)
        assert result.exit_code == 0, result
        written.append((page.read_bytes(), text.read_bytes()))
    assert written[0] == written[1]


@pytest.mark.slow
def test_text_on_standard_output_is_all_that_is_printed(file: Path, tmp_path: Path) -> None:
    ran(file, "--plies", "0", "--text", tmp_path / "out.txt")
    printed = ran(file, "--plies", "0", "--text", "-").stdout
    assert printed == (tmp_path / "out.txt").read_text()
    assert printed.startswith("Ann - Bob\n3-point match")


@pytest.mark.slow
def test_page_of_one_player_and_game_tells_those(file: Path, tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    ran(file, "--plies", "0", "--player", "bob", "--games", "2", "--html", page)
    decided = re.findall(r'id="m(\d+)\.\d+" data-p="(\d)"', page.read_text())
    assert set(decided) == {("2", "1")}
    report = report_of(file, "--plies", "0", "--player", "bob", "--games", "2")
    assert len(decided) == len({each["action"] for each in report["decisions"]})


@pytest.mark.slow
def test_page_of_a_stored_analysis_needs_no_engine(file: Path, tmp_path: Path) -> None:
    sgf, page = tmp_path / "out.sgf", tmp_path / "out.html"
    ran(file, "--plies", "0", "--sgf", sgf)
    assert ran(sgf, "--stored", "--html", page).exit_code == 0
    assert "analysis of the file" in page.read_text()


@pytest.mark.slow
def test_page_of_a_rollout_has_its_standard_errors(tmp_path: Path) -> None:
    actions = (Play(0, (3, 1), ((8, 5), (6, 5))), Play(1, (6, 5), ((24, 13),)), Resign(0))
    match = Match(("Ann", "Bob"), 1, (Game((0, 0), actions, Result(1, 1)),))
    (tmp_path / "match.mat").write_text(write_mat(match))
    options = (tmp_path / "match.mat", "--plies", "0", "--rollout", "1", "--local", "1")
    assert ran(*options, "--html", tmp_path / "out.html").exit_code == 0
    text = (tmp_path / "out.html").read_text()
    assert "rolled out 1 times" in text
    assert re.search(r"<td>[-+][0-9.]+ \+- [0-9.]+<td>", text)


OUTPUTS_MATCH = analysed(random_match(7, 3, games_max=1, habits=Habits(resign=0.02)), 1)
OUTPUT = MatchOutput(OUTPUTS_MATCH, match_figures(OUTPUTS_MATCH), None, None, None, (0, 1))


@pytest.mark.parametrize("name", ["sgf", "csv", "html", "text"])
def test_what_cannot_be_written_is_refused_at_once(name: str, tmp_path: Path) -> None:
    source = tmp_path / "match.mat"
    source.write_text("")
    for path, words in (
        (source, "it is the file that is analysed"),
        (tmp_path / "no" / "out", "there is no such directory"),
        (tmp_path, "it is a directory"),
    ):
        with pytest.raises(CommandError, match=words):
            Outputs(**{name: path}).check(source)
    with pytest.raises(CommandError, match="the disk is full") as caught:
        Outputs(**{name: Path("/dev/full")}).write(OUTPUT)
    assert caught.value.exit_code is ExitCode.STORAGE


def test_minus_is_standard_output_of_the_page_or_the_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    outputs = Outputs(text=PRINTED)
    outputs.check(tmp_path / "match.mat")
    outputs.write(OUTPUT)
    printed = capsys.readouterr().out
    assert printed.count("|BAR|") > 5
    assert list(tmp_path.iterdir()) == []
    Outputs(html=PRINTED).write(OUTPUT)
    assert capsys.readouterr().out.startswith("<!DOCTYPE html>")
    assert not Outputs(csv=PRINTED).is_printed
    Outputs(text=tmp_path / "out.txt").write(OUTPUT)
    assert (tmp_path / "out.txt").read_text() == printed


def test_every_file_that_is_asked_for_is_written(tmp_path: Path) -> None:
    paths = {name: tmp_path / f"out.{name}" for name in ("sgf", "csv", "html", "text")}
    Outputs(**paths).write(OUTPUT)
    begins = {name: path.read_text()[:5] for name, path in paths.items()}
    assert begins == {"sgf": "(;FF[", "csv": "game,", "html": "<!DOC", "text": "Ann -"}


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "out")
    with pytest.raises(CommandError, match="--csv and --html name the same file"):
        Outputs(csv=tmp_path / "out", html=tmp_path / "link").check(tmp_path / "match.mat")
    with pytest.raises(CommandError, match="--html and --text name the same file"):
        Outputs(html=PRINTED, text=PRINTED).check(tmp_path / "match.mat")
