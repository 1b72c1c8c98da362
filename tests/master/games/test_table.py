"""The table of games: every front can be loaded, and whatever it names is there."""

import click
import pytest

from master.cli.app import commands
from master.cli.games import VERBS
from master.games.front import Front
from master.games.table import front_of, fronts, load

FRONTS = dict(fronts())
PLACES = sorted(
    place
    for front in FRONTS.values()
    for place in (*(own.place for own in front.commands.values()), *front.verbs.values())
)


@pytest.mark.parametrize("place", PLACES)
def test_each_command_is_where_its_front_says(place: str) -> None:
    assert isinstance(load(place), click.Command)


@pytest.mark.parametrize("game", FRONTS)
def test_what_else_a_front_names_can_be_called(game: str) -> None:
    front = FRONTS[game]
    named = [front.read_position, front.show_position, front.position_svg]
    named += [front.job_report, front.job_lines]
    assert all(callable(load(place)) for place in named if place)


def test_no_two_games_have_one_command_and_none_takes_a_common_name() -> None:
    own = [name for front in FRONTS.values() for name in front.commands]
    common = len(commands()) - len(own)
    assert len(own) == len(set(own))
    assert common > len(VERBS)
    assert all({*front.verbs} <= {*VERBS} for front in FRONTS.values())


def test_game_that_nobody_plays_has_a_front_without_commands() -> None:
    assert front_of("noop") == Front()
    assert callable(load(Front().job_lines))
