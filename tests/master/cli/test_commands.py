"""What the table of commands promises, whichever game it is of."""

import pytest

from master.cli.app import commands
from master.cli.commands import CommandGroup, GameCommands, ListedCommand
from master.cli.games import GAMES, VERBS
from master.games import table


def test_games_are_those_of_the_fronts() -> None:
    assert [*GAMES] == [*table.GAMES]


@pytest.mark.parametrize("game", GAMES)
def test_commands_are_called_as_their_game_says_and_said_to_do_something(game: str) -> None:
    for name, command in GAMES[game].own.items():
        assert command.load().name == name
        assert command.help[0].isupper()
        assert command.help.endswith(".")
    assert {load().name for load in GAMES[game].verbs.values()} <= {game}


@pytest.mark.parametrize("game", GAMES)
def test_games_have_commands_in_their_own_rooms(game: str) -> None:
    own = [command.load for command in GAMES[game].own.values()]
    for load in (*own, *GAMES[game].verbs.values()):
        assert load.__module__ == f"master.cli.{game}.commands"
        callback = load().callback
        assert callback is not None
        assert callback.__module__.startswith("master.cli.")


def test_no_two_games_have_one_command_and_none_takes_a_common_name() -> None:
    own = [name for game in GAMES.values() for name in game.own]
    common = len(commands()) - len(own)
    assert len(own) == len(set(own))
    assert common > len(VERBS)
    assert all({*game.verbs} <= {*VERBS} for game in GAMES.values())


def test_lists_of_commands_cannot_be_changed_and_share_nothing() -> None:
    one, other = GameCommands(), GameCommands()
    assert one == other
    assert one.own is not other.own
    listed = ListedCommand(commands()["jobs"].load, "help", CommandGroup.PLAY)
    with pytest.raises(AttributeError):
        listed.help = "other"  # type: ignore[misc]
