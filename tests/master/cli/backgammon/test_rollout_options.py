"""Every option of play arrives under the name of its field, and its default is the field's."""

from dataclasses import fields
from typing import Any

import click
import pytest

from master.cli.backgammon.rollout_options import play_options
from master.games.backgammon.rollout_request import RolloutOptions
from tests.master.cli.taken_options import taken

DEFAULTS = {field.name: field.default for field in fields(RolloutOptions)}


def given(*arguments: str) -> dict[str, Any]:
    """Return what a command gets that differs from the defaults."""
    options = taken(play_options, *arguments)
    return {name: value for name, value in options.items() if value != DEFAULTS[name]}


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ("", {}),
        ("--plies 2 --cube-plies 1", {"ply": 2, "cube_ply": 1}),
        (
            "--opponent-plies 1 --opponent-cube-plies 3",
            {"opponent_ply": 1, "opponent_cube_ply": 3},
        ),
        (
            "--late-after 5 --late-plies 0 --late-cube-plies 1",
            {"late_after": 5, "late_ply": 0, "late_cube_ply": 1},
        ),
        ("--filter tiny --truncate 11", {"move_filter": "tiny", "truncation_ply": 11}),
        ("--truncate-plies 0 --initial", {"evaluation_ply": 0, "rollout_initial": True}),
        (
            "--cubeless --no-variance-reduction",
            {"cubeful": False, "variance_reduction": False},
        ),
        (
            "--no-bearoff-truncation --no-quasi-random",
            {"bearoff_truncation": False, "quasi_random": False},
        ),
    ],
)
def test_options_fill_their_fields(arguments: str, options: dict[str, Any]) -> None:
    assert given(*arguments.split()) == options


@pytest.mark.parametrize(
    "arguments",
    ["--plies 4", "--late-plies x", "--filter wide", "--truncate 1001", "--late-after -1"],
)
def test_what_is_out_of_range_is_refused(arguments: str) -> None:
    with pytest.raises(click.UsageError, match="Invalid value for"):
        given(*arguments.split())
