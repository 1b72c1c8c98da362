import click
import pytest
from click.testing import CliRunner

from master.cli.backgammon.external.external_options import PLIES_DEFAULT, level_of, level_options
from master.games.backgammon.external.best_action import Level


@click.command()
@level_options
def reported(**given: object) -> None:
    click.echo(level_of(**given))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("args", "level"),
    [
        ((), Level(PLIES_DEFAULT, PLIES_DEFAULT, None)),
        (("--plies", "1"), Level(1, 1, None)),
        (("--plies", "0", "--cube-plies", "1"), Level(0, 1, None)),
    ],
)
def test_cube_is_looked_at_as_deep_as_moves_unless_told(
    args: tuple[str, ...], level: Level
) -> None:
    assert CliRunner().invoke(reported, args).output == f"{level}\n"
