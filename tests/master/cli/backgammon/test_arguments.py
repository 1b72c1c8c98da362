"""The options that commands about backgammon share."""

from typing import Any

import click
import pytest
from click.testing import CliRunner

from engine_ext.backgammon.context import PLY_MAX
from engine_ext.backgammon.move_filters import MOVE_FILTERS
from master.cli.arguments import Decorator
from master.cli.backgammon.arguments import filter_option, plies_option, ply_of, ply_option


def said(option: Decorator, *words: str) -> tuple[int, str]:
    """Return how a command with one option ends, and what it was given."""

    @click.command()
    @option
    def command(**given: Any) -> None:
        click.echo(given.popitem()[1])

    result = CliRunner().invoke(command, words)
    return result.exit_code, result.output.strip()


def test_look_ahead_is_of_the_plies_that_the_engine_has() -> None:
    for ply in range(PLY_MAX + 1):
        assert said(plies_option, "--plies", str(ply)) == (0, str(ply))
    assert said(plies_option) == (0, "")
    assert (ply_of(None, is_batch=False), ply_of(None, is_batch=True)) == (2, 0)
    assert (ply_of(0, is_batch=False), ply_of(3, is_batch=True)) == (0, 3)
    assert said(ply_option("--cube-plies", "cube_ply", "Of the cube.")) == (0, "")


@pytest.mark.parametrize("word", [str(PLY_MAX + 1), "-1", "two"])
def test_other_look_ahead_is_refused(word: str) -> None:
    assert said(plies_option, "--plies", word)[0] == 2


def test_filters_are_those_of_the_engine() -> None:
    assert said(filter_option) == (0, "normal")
    for name in MOVE_FILTERS:
        assert said(filter_option, "--filter", name) == (0, name)
    assert said(filter_option, "--filter", "none")[0] == 2
