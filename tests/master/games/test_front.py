"""What a front promises of itself, whichever game it is of."""

import ast
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from engine_ext.noop.runner import noop_context
from master.games import front as module
from master.games.front import CommandGroup, Front, ListedCommand
from master.games.table import GAMES, fronts, load
from tests.master.cli.shown import job_view
from tests.tidy.source_files import ROOT

FRONTS = dict(fronts())


def imports_of(path: Path) -> set[str]:
    tree = list(ast.walk(ast.parse(path.read_text())))
    return {node.module or "" for node in tree if isinstance(node, ast.ImportFrom)} | {
        name.name for node in tree if isinstance(node, ast.Import) for name in node.names
    }


def test_front_needs_nothing_but_values() -> None:
    assert module.__file__ is not None
    standard = {"__future__", "collections.abc", "dataclasses", "enum", "typing"}
    assert imports_of(Path(module.__file__)) <= standard


@pytest.mark.parametrize("game", FRONTS)
def test_front_of_a_game_names_places_and_loads_none(game: str) -> None:
    path = ROOT / Path(*GAMES[game].split(".")).with_suffix(".py")
    assert imports_of(path) == {"master.games.front"}


@pytest.mark.parametrize("game", FRONTS)
def test_game_names_places_in_its_own_rooms_and_the_common_reports(game: str) -> None:
    front, common = FRONTS[game], Front()
    own = [command.place for command in front.commands.values()] + list(front.verbs.values())
    places = (front.read_position, front.show_position, front.position_svg, front.job_report,
              front.job_lines, front.job_board, front.job_outcomes, front.job_notes,
              front.job_unit)  # fmt: skip
    for place in places:
        own += [] if place in {"", common.job_report, common.job_lines} else [place]
    rooms = (f"master.cli.{game}.", f"master.games.{game}.")
    assert [place for place in own if not place.startswith(rooms)] == []


@pytest.mark.parametrize("game", FRONTS)
def test_commands_are_called_as_their_game_says_and_said_to_do_something(game: str) -> None:
    front = FRONTS[game]
    for name, command in front.commands.items():
        assert load(command.place).name == name
        assert command.help[0].isupper()
        assert command.help.endswith(".")
    assert {load(place).name for place in front.verbs.values()} <= {game}


def test_game_without_anything_of_its_own_shows_the_common_report_of_a_job() -> None:
    front = Front()
    assert (front.commands, front.verbs, front.read_position, front.show_position) == (
        {}, {}, "", "",
    )  # fmt: skip
    view = job_view(context=noop_context(), game="noop")
    assert load(front.job_report)(view)["job"] == view.job
    assert load(front.job_lines)(view, 80)


def test_fronts_cannot_be_changed_and_share_nothing() -> None:
    one, other = Front(), Front()
    assert one == other
    assert one.commands is not other.commands
    for field in fields(one):
        with pytest.raises(FrozenInstanceError):
            setattr(one, field.name, None)
    with pytest.raises(AttributeError):
        ListedCommand("place", "help", CommandGroup.PLAY).place = "elsewhere"  # type: ignore[misc]
