"""The commands of Threes! are found by their words."""

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.threes.commands import COMMANDS

WORDS = [*((verb, "threes") for verb in COMMANDS.verbs), *((name,) for name in COMMANDS.own)]


def test_commands_are_those_of_the_manual() -> None:
    assert list(COMMANDS.own) == []
    assert set(COMMANDS.verbs) == {"play", "rollout", "move", "perft", "bench"}


@pytest.mark.parametrize("words", WORDS)
def test_each_command_is_found_by_its_words_and_helps(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(manyply, [*words, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: manyply {' '.join(words)} ")
