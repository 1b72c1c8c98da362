import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from master.cli.app import manyply
from master.cli.backgammon.studying import quiz_command
from master.cli.backgammon.studying.quiz_command import score_words
from master.games.backgammon.matches.mat import write_mat
from master.games.backgammon.matches.quiz import QuizScore
from tests.master.cli.backgammon.analysing.test_analyse_together import begun


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A match begun by random plays."""
    path = tmp_path / "a.mat"
    path.write_text(write_mat(begun(2, actions=20)))
    return path


def ran(typed: str, *args: object) -> Result:
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
    result = ran(f"{first['best']}\n", file, "--count", "1")
    assert result.exit_code == 0
    assert f"{first['best']}: right." in result.stdout
    assert result.stdout.endswith("1 of 1 answer right, 0.000 lost, 0.000 an answer\n")
    again = ran(f"{first['played']}\n", file, "--count", "1").stdout
    assert f"{first['played']}: loses {first['error']:.3f}." in again
    assert again.endswith(f"0 of 1 answer right, {first['error']:.3f} lost, "
                          f"{first['error']:.3f} an answer\n")  # fmt: skip


def test_mistyped_answer_is_asked_for_again(file: Path) -> None:
    best = errors(file)[0]["best"]
    text = ran(f"\n8/9\n?\n{best}\n", file, "--count", "1").stdout
    assert text.count("expected a move such as 8/5 6/5; or skip, quit") == 2
    assert "1 of 1 answer right" in text


@pytest.mark.parametrize("typed", ["", "skip\n", "quit\n", "skip\nquit\n", "8/9\n"])
def test_end_of_input_and_quit_leave_cleanly(file: Path, typed: str) -> None:
    result = ran(typed, file)
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
    result = ran("", file)
    assert result.exit_code == 130
    assert result.stdout.endswith("1 of 1 answer right, 0.000 lost, 0.000 an answer\n")


def test_only_large_errors_of_one_player_are_asked_about(file: Path) -> None:
    own = [each for each in errors(file) if each["player"] == 1]
    least = own[1]["error"]
    text = ran("skip\n" * 3, file, "--player", "bob", "--least", least).stdout
    assert "1 of 2\n" in text
    assert own[0]["position"] in text


def test_nothing_is_asked_where_nothing_went_wrong(file: Path) -> None:
    result = ran("", file, "--least", "9")
    assert (result.exit_code, result.stdout) == (0, "No errors to be asked about.\n")


def test_score_is_said_in_words() -> None:
    assert score_words(QuizScore()) == "Nothing answered."
    assert score_words(QuizScore(4, 3, 0.5)) == "3 of 4 answers right, 0.500 lost, 0.125 an answer"
