"""What chess offers is there, and speaks of chess."""

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.games.chess.front import FRONT
from master.games.table import load


@pytest.mark.parametrize("verb", FRONT.verbs)
def test_verb_is_a_command_about_chess(verb: str) -> None:
    assert load(FRONT.verbs[verb]).name == "chess"
    result = CliRunner().invoke(manyply, [verb, "chess", "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: manyply {verb} chess ")


@pytest.mark.parametrize("name", FRONT.commands)
def test_own_command_has_its_help(name: str) -> None:
    assert load(FRONT.commands[name].place).name == name
    result = CliRunner().invoke(manyply, [name, "--help"])
    assert result.exit_code == 0
