import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from master.cli.app import manyply
from master.cli.backgammon.studying import quiz_command
from master.cli.backgammon.studying.quiz_command import score_words
from master.cli.errors import CommandError
from master.games.backgammon.matches.mat_write import write_mat
from master.games.backgammon.matches.quiz import QuizScore
from tests.master.cli.backgammon.analysing.test_analyse_asking import begun


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


DATES = {"a": "2026-02-01", "b": "2026-01-15", "c": ""}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three matches of Ann and Bob, two of them dated."""
    folder = tmp_path / "matches"
    folder.mkdir()
    for seed, (name, date) in enumerate(DATES.items(), start=1):
        match = replace(begun(seed, actions=16), tags={"date": date} if date else {})
        (folder / f"{name}.mat").write_text(write_mat(match))
    return folder


def profile_ran(*args: object) -> Result:
    return CliRunner().invoke(manyply, ["profile", *map(str, args), "--plies", "0"])


def report(*args: object) -> Any:
    return json.loads(profile_ran(*args, "--json").stdout)


def test_object_agrees_with_the_analyses_of_its_matches(folder: Path) -> None:
    known = report("ann", folder)
    assert [each["date"] for each in known["matches"]] == ["2026-01-15", "2026-02-01", None]
    assert [each["month"] for each in known["months"]] == ["2026-01", "2026-02", None]
    for each in known["matches"]:
        result = CliRunner().invoke(manyply, ["analyse", each["file"], "--plies", "0", "--json"])
        analysed = json.loads(result.stdout)
        own = analysed["match"][analysed["players"].index("Ann")]
        assert each["pr"] == pytest.approx(own["pr"])
        assert each["counted_decisions"] == own["counted_decisions"]
        assert each["opponents"] == ["Bob"]
    total = sum(each["decisions"] for each in known["kinds"].values())
    assert known["overall"]["decisions"] == total
    assert {each["player"] for each in known["errors"]} == {0}


def test_table_has_months_kinds_and_worst_errors(folder: Path) -> None:
    text, known = profile_ran("Ann", folder, "--errors", "2").stdout, report("Ann", folder)
    title, months, kinds, errors = (part.splitlines() for part in text.split("\n\n"))
    assert title[0].startswith("Ann: 3 matches, ")
    assert title[0].endswith(f"PR {known['overall']['pr']:.2f}")
    assert [line.split()[0] for line in months] == ["Month", "2026-01", "2026-02", "no"]
    assert kinds[-1].split()[0] == "all"
    assert len(kinds) == 2 + len(known["kinds"])
    assert len(errors) == 3
    assert f"{-known['errors'][0]['error']:.3f}" in errors[1]


def test_months_are_left_out_where_no_file_has_a_date(folder: Path) -> None:
    assert "Month" not in profile_ran("Ann", folder / "c.mat").stdout


def test_boards_of_errors_are_drawn_where_asked_for(folder: Path) -> None:
    text = profile_ran("Bob", folder, "--errors", "1", "--board").stdout
    assert "+-13--14-" in text
    assert " better: " in text


def test_nobody_of_that_name_is_one_line(folder: Path) -> None:
    mistake = profile_ran("Zoe", folder).exception
    assert isinstance(mistake, CommandError)
    assert str(mistake) == "nobody is called 'Zoe': the players are 'Ann', 'Bob'"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A match begun by random plays."""
    path = tmp_path / "a.mat"
    path.write_text(write_mat(begun(2, actions=20)))
    return path


def quiz_ran(typed: str, *args: object) -> Result:
    words = ["quiz", *map(str, args), "--plies", "0"]
    return CliRunner().invoke(manyply, words, input=typed)


def errors(file: Path) -> list[Any]:
    args = ["analyse", str(file), "--plies", "0", "--json"]
    decisions = json.loads(CliRunner().invoke(manyply, args).stdout)["decisions"]
    return sorted((each for each in decisions if each["error"]), key=lambda each: -each["error"])


def test_best_answers_win_and_what_was_played_loses_again(file: Path) -> None:
    moves = [each for each in errors(file) if each["choice"] == "move"]
    first = errors(file)[0]
    assert first == moves[0]
    result = quiz_ran(f"{first['best']}\n", file, "--count", "1")
    assert result.exit_code == 0
    assert f"{first['best']}: right." in result.stdout
    assert result.stdout.endswith("1 of 1 answer right, 0.000 lost, 0.000 an answer\n")
    again = quiz_ran(f"{first['played']}\n", file, "--count", "1").stdout
    assert f"{first['played']}: loses {first['error']:.3f}." in again
    assert again.endswith(f"0 of 1 answer right, {first['error']:.3f} lost, "
                          f"{first['error']:.3f} an answer\n")  # fmt: skip


def test_mistyped_answer_is_asked_for_again(file: Path) -> None:
    best = errors(file)[0]["best"]
    text = quiz_ran(f"\n8/9\n?\n{best}\n", file, "--count", "1").stdout
    assert text.count("expected a move such as 8/5 6/5; or skip, quit") == 2
    assert "1 of 1 answer right" in text


@pytest.mark.parametrize("typed", ["", "skip\n", "quit\n", "skip\nquit\n", "8/9\n"])
def test_end_of_input_and_quit_leave_cleanly(file: Path, typed: str) -> None:
    result = quiz_ran(typed, file)
    assert result.exit_code == 0
    assert result.stdout.endswith("Nothing answered.\n")
    assert result.stderr == ""


def test_interruption_prints_the_score(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([errors(file)[0]["best"]])

    def ask(prompt: str) -> str:
        for answer in answers:
            return str(answer)
        raise KeyboardInterrupt

    monkeypatch.setattr(quiz_command, "ask", ask)
    result = quiz_ran("", file)
    assert result.exit_code == 130
    assert result.stdout.endswith("1 of 1 answer right, 0.000 lost, 0.000 an answer\n")


def test_only_large_errors_of_one_player_are_asked_about(file: Path) -> None:
    own = [each for each in errors(file) if each["player"] == 1]
    least = own[1]["error"]
    text = quiz_ran("skip\n" * 3, file, "--player", "bob", "--least", least).stdout
    assert "1 of 2\n" in text
    assert own[0]["position"] in text


def test_nothing_is_asked_where_nothing_went_wrong(file: Path) -> None:
    result = quiz_ran("", file, "--least", "9")
    assert (result.exit_code, result.stdout) == (0, "No errors to be asked about.\n")


def test_score_is_said_in_words() -> None:
    assert score_words(QuizScore()) == "Nothing answered."
    assert score_words(QuizScore(4, 3, 0.5)) == "3 of 4 answers right, 0.500 lost, 0.125 an answer"
