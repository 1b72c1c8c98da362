from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from master.cli.app import manyply
from master.cli.errors import CommandError
from master.games.backgammon.matches.mat import write_mat
from tests.master.cli.backgammon.analysing.test_analyse_together import begun


def ran(*args: object) -> Result:
    return CliRunner().invoke(manyply, ["profile", "Ann", *map(str, args), "--plies", "0"])


def test_without_files_kept_matches_are_looked_at(state_dir: Path) -> None:
    folder = state_dir / "matches"
    nothing = ran().exception
    assert isinstance(nothing, CommandError)
    assert str(nothing) == (f"name files or folders: `manyply play` has kept no match in {folder}")
    folder.mkdir(parents=True)
    (folder / "2026-11-01-120000.mat").write_text(write_mat(begun(1)))
    assert ran().stdout.startswith("Ann: 1 match, ")


def test_bad_file_is_named_and_the_others_are_looked_at(tmp_path: Path) -> None:
    good, bad = tmp_path / "a.mat", tmp_path / "b.mat"
    good.write_text(write_mat(begun(1)))
    bad.write_text("Dear Sir or Madam,\n")
    result = ran(good, bad)
    assert result.exit_code == 2
    assert result.stdout.startswith("Ann: 1 match, ")
    assert result.stderr.startswith(f"manyply: {bad}: expected a match")


def test_rules_and_levels_are_those_of_analyse(tmp_path: Path) -> None:
    file = tmp_path / "a.mat"
    file.write_text(write_mat(begun(1, 0, actions=20)))
    usual, other = ran(file, "--json").stdout, ran(file, "--json", "--no-jacoby").stdout
    assert usual != other


@pytest.mark.parametrize("option", ["--stored"])
def test_matches_without_analysis_are_nothing_to_learn_from(tmp_path: Path, option: str) -> None:
    file = tmp_path / "a.mat"
    file.write_text(write_mat(begun(1)))
    nothing = ran(file, option).exception
    assert isinstance(nothing, CommandError)
    assert str(nothing) == "there is no match to look at"


def test_a_game_that_is_skipped_is_named_and_the_others_are_looked_at(tmp_path: Path) -> None:
    file = tmp_path / "a.mat"
    bad = "\n Game 2\n Ann : 1    Bob : 0\n  1) 31: 24/1\n"
    file.write_text(write_mat(begun(1)) + bad)
    result = ran(file)
    assert result.exit_code == 2
    assert result.stdout.startswith("Ann: 1 match, ")
    assert result.stderr.startswith(f"manyply: {file}, game 2, line ")
