"""Which game a command is about that names none."""

from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.games import GameGroup, move_command, play_command
from tests.master.cli.shown import POSITION


def ran(*args: str, verb: str = "play") -> Any:
    return CliRunner().invoke(manyply, [verb, *args], prog_name="manyply")


@pytest.mark.parametrize("group", [play_command, move_command], ids=lambda group: group.name)
def test_every_game_has_its_help(group: GameGroup) -> None:
    assert group.name is not None
    context = group.make_context(group.name, ["--help"], resilient_parsing=True)
    for game in group.list_commands(context):
        result = ran(game, "--help", verb=group.name)
        assert result.exit_code == 0
        assert result.stdout.startswith(f"Usage: manyply {group.name} {game} ")


@pytest.mark.parametrize("args", [(), ("backgammon",)])
def test_backgammon_is_played_unless_another_game_is_named(args: tuple[str, ...]) -> None:
    assert ran(*args, "--help").stdout == ran("backgammon", "-h").stdout
    assert "--tutor" in ran(*args, "--help").stdout
    wrong = ran(*args, "--match", "3", "--money")
    assert "--match and --money exclude each other" in wrong.stderr


def test_a_word_that_is_no_game_is_a_file_to_go_on_with() -> None:
    assert "nowhere.sgf" in str(ran("nowhere.sgf").exception)
    assert "Invalid value" not in ran("nowhere.sgf").output


@pytest.mark.parametrize("words", [(POSITION, "--dice", "31"), ("--dice", "31", POSITION)])
def test_moves_are_those_of_backgammon_unless_another_game_is_named(words: tuple[str, ...]) -> None:
    found = ran(*words, "--json", verb="move").stdout
    assert found == ran("backgammon", *words, "--json", verb="move").stdout
    assert found.startswith('{"dice": [3, 1]')
