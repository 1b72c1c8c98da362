import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.backgammon.analysing import analyse_many
from master.cli.backgammon.analysing.analyse_many import match_files
from master.cli.errors import CommandError
from master.games.backgammon.matches.mat_write import write_mat
from tests.master.cli.backgammon.analysing.test_analyse_asking import begun
from tests.master.games.backgammon.matches.random_matches import Habits, random_match


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three matches in a folder, one of them money play."""
    folder = tmp_path / "matches"
    folder.mkdir()
    for number, length in enumerate((3, 0, 3)):
        (folder / f"{number}.mat").write_text(write_mat(begun(number, length)))
    return folder


def ran(*args: object) -> Any:
    return CliRunner().invoke(manyply, ["analyse", *map(str, args), "--plies", "0"])


def objects(*args: object) -> list[Any]:
    result = ran(*args, "--json")
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_objects_are_those_of_each_match_alone(folder: Path) -> None:
    many = objects(folder)
    assert [each.pop("file") for each in many] == [str(folder / f"{n}.mat") for n in range(3)]
    assert many == [objects(folder / f"{n}.mat")[0] for n in range(3)]


def test_table_has_a_line_for_each_match(folder: Path) -> None:
    lines = ran(folder).stdout.splitlines()
    assert lines[0].split()[:2] == ["Match", "Player"]
    assert [line.split()[0] for line in lines[1:]] == ["0.mat", "1.mat", "2.mat"]
    for line, known in zip(lines[1:], objects(folder), strict=True):
        for player in known["match"]:
            assert f"{player['pr']:.2f}" in line


def test_result_is_the_score_after_the_last_game(tmp_path: Path) -> None:
    match = random_match(5, 3, habits=Habits(resign=0.2))
    file = tmp_path / "a.mat"
    file.write_text(write_mat(match))
    points = [0, 0]
    for game in match.games:
        assert game.result is not None
        points[game.result.winner] += game.result.points
    assert f"{points[0]}-{points[1]} to 3" in ran(tmp_path).stdout


def test_bad_files_are_named_and_the_others_analysed(folder: Path) -> None:
    (folder / "letter.mat").write_text("Dear Sir or Madam,\n")
    result = ran(folder, folder.parent / "none.mat")
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == 4
    first, second = result.stderr.splitlines()
    assert first.startswith(f"manyply: {folder / 'letter.mat'}: expected a match")
    assert second.startswith(f"manyply: {folder.parent / 'none.mat'}: No such file")
    *known, bad = objects(folder)
    assert [set(each) >= {"file", "match"} for each in known] == [True] * 3
    assert (bad["file"], set(bad)) == (str(folder / "letter.mat"), {"file", "error"})


def test_one_player_is_looked_at_in_those_matches_that_he_is_in(folder: Path) -> None:
    file = folder / "1.mat"
    file.write_text(file.read_text().replace("Bob", "Eve"))
    result = ran(folder, "--player", "bob")
    assert [line.split()[0] for line in result.stdout.splitlines()[1:]] == ["0.mat", "2.mat"]
    assert result.stderr == "manyply: left out 1 match without 'bob'\n"
    nobody = ran(folder, "--player", "Zoe").exception
    assert isinstance(nobody, CommandError)
    assert str(nobody) == "nobody is called 'Zoe': the players are 'Ann', 'Bob', 'Eve'"


@pytest.mark.parametrize(
    "options", [["--games", "1"], ["--errors", "3"], ["--board"], ["--csv", "x"], ["--sgf", "x"]]
)
def test_what_is_for_one_match_is_refused(folder: Path, options: list[str]) -> None:
    mistake = ran(folder, *options).exception
    assert isinstance(mistake, CommandError)
    assert str(mistake) == f"{options[0]} is for one match, and these are several"


def test_matches_without_analysis_have_none_to_show(folder: Path) -> None:
    result = ran(folder, "--stored")
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 3
    assert "holds no analysis: leave out --stored" in result.stderr


def test_matches_are_the_same_in_any_number_of_groups(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    together, table = objects(folder), ran(folder).stdout
    monkeypatch.setattr(analyse_many, "ACTIONS_TOGETHER", 10)
    assert objects(folder) == together
    assert ran(folder).stdout == table


def test_name_of_a_file_steers_no_terminal(folder: Path) -> None:
    name = "a: \x1b[31m\n.mat"
    (folder / name).write_text("Dear Sir or Madam,\n")
    (line,) = ran(folder).stderr.splitlines()
    assert line.startswith(f"manyply: {folder}/a: ?[31m?.mat: expected a match")
    *_, bad = objects(folder)
    assert bad["file"] == str(folder / name)
    assert bad["error"].startswith("expected a match")


def test_several_matches_of_one_file_are_a_line_each(folder: Path) -> None:
    text = "\n".join(write_mat(begun(seed)) for seed in (1, 2))
    club = folder / "club.txt"
    club.write_text(text)
    result = ran(club)
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()[1:]] == [
        "club.txt#1",
        "club.txt#2",
    ]
    club.write_text(text + "\n 3 point match\n\n Game 1\n Ann : 0   Bob : 0\n  1) 31: 24/1\n")
    result = ran(club)
    assert (result.exit_code, len(result.stdout.splitlines())) == (2, 3)
    assert re.match(r"manyply: .*club\.txt#3: .*illegal play", result.stderr)


def test_files_of_one_name_are_shown_with_their_folders(folder: Path) -> None:
    for other in ("club/may", "club/june"):
        (folder / other).mkdir(parents=True)
        (folder / other / "0.mat").write_text(write_mat(begun(7, 3)))
    names = [line.split()[0] for line in ran(folder).stdout.splitlines()[1:]]
    assert sorted(names) == sorted(
        [f"{folder.name}/0.mat", "1.mat", "2.mat", "june/0.mat", "may/0.mat"]
    )


def test_names_have_as_few_folders_as_tell_them_apart() -> None:
    paths = ["a/x/m.mat", "b/x/m.mat", "c/m.mat", "m.mat", "/n.mat", "n.mat", "o.mat"]
    assert analyse_many.tails(list(map(Path, paths))) == [
        "a/x/m.mat", "b/x/m.mat", "c/m.mat", "m.mat", "/n.mat", "n.mat", "o.mat"
    ]  # fmt: skip
    assert analyse_many.tails([Path("/h/a/m.mat"), Path("/h/b/m.mat")]) == ["a/m.mat", "b/m.mat"]


@pytest.fixture
def nested_folder(tmp_path: Path) -> Path:
    """Matches at two levels, and what is none."""
    nested_folder = tmp_path / "matches"
    (nested_folder / "2026").mkdir(parents=True)
    for name in ("b.mat", "a.SGF", "letter.txt", ".hidden.mat", "2026/c.xg"):
        (nested_folder / name).write_text("?")
    return nested_folder


def names(files: list[Path]) -> list[str]:
    return [file.name for file in files]


def test_folder_is_its_matches_in_order_and_then_its_folders(nested_folder: Path) -> None:
    files, bad = match_files([nested_folder])
    assert names(files) == ["a.SGF", "b.mat", "c.xg"]
    assert bad == []


def test_file_that_is_named_may_be_called_anything(nested_folder: Path) -> None:
    assert names(match_files([nested_folder / "letter.txt", nested_folder / "none.mat"])[0]) == [
        "letter.txt",
        "none.mat",
    ]


def test_file_named_twice_is_one(nested_folder: Path) -> None:
    (nested_folder / "link.mat").symlink_to(nested_folder / "b.mat")
    files, _ = match_files(
        [nested_folder / "b.mat", nested_folder, nested_folder / "2026", nested_folder / "link.mat"]
    )
    assert names(files) == ["b.mat", "a.SGF", "c.xg"]


def test_what_is_no_file_is_left_alone(nested_folder: Path) -> None:
    os.mkfifo(nested_folder / "pipe.mat")
    (nested_folder / "folder.mat").mkdir()
    (nested_folder / "dangling.mat").symlink_to(nested_folder / "gone.mat")
    assert names(match_files([nested_folder])[0]) == ["a.SGF", "b.mat", "c.xg"]


def test_folder_without_matches_is_said(tmp_path: Path) -> None:
    files, (bad,) = match_files([tmp_path])
    assert files == []
    assert bad.file == str(tmp_path)
    assert bad.why.startswith("no match in this folder: expected files .mat")


def test_there_is_an_end_to_files(nested_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyse_many, "FILES_MAX", 2)
    with pytest.raises(CommandError, match="more than 2 matches"):
        match_files([nested_folder])
