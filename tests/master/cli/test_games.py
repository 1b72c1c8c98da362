"""Which game `manyply play` plays."""

from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.games import play_command


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["play", *args], prog_name="manyply")


def test_every_game_has_its_help() -> None:
    context = play_command.make_context("play", ["--help"], resilient_parsing=True)
    for game in play_command.list_commands(context):
        result = ran(game, "--help")
        assert result.exit_code == 0
        assert result.stdout.startswith(f"Usage: manyply play {game} ")
        assert "Usage: manyply play" in result.stdout


@pytest.mark.parametrize("args", [(), ("backgammon",)])
def test_backgammon_is_played_unless_another_game_is_named(args: tuple[str, ...]) -> None:
    assert ran(*args, "--help").stdout == ran("backgammon", "-h").stdout
    assert "--tutor" in ran(*args, "--help").stdout
    wrong = ran(*args, "--match", "3", "--money")
    assert "--match and --money exclude each other" in wrong.stderr


def test_a_word_that_is_no_game_is_a_file_to_go_on_with() -> None:
    assert "nowhere.sgf" in str(ran("nowhere.sgf").exception)
    assert "Invalid value" not in ran("nowhere.sgf").output
