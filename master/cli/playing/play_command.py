"""`manyply play`: which game is played.

Knows the games' names; each is a command of its own, imported when it is played.
"""

from __future__ import annotations

from importlib import import_module

import click

_GAMES = {"backgammon": "play_backgammon", "othello": "play_othello"}
_UNLESS_SAID = "backgammon"


class _Games(click.Group):
    """What does not begin with a game's name is backgammon's: options, or a FILE."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the game in front where it is not named."""
        named = args if args[:1] and args[0] in _GAMES else [_UNLESS_SAID, *args]
        return super().parse_args(ctx, named)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the games."""
        return list(_GAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one game's command."""
        if cmd_name not in _GAMES:
            return None
        name = _GAMES[cmd_name]
        module = import_module(f"master.cli.{cmd_name}.{name}")
        command: click.Command = getattr(module, name)
        return command


@click.group("play", cls=_Games)
def play_command() -> None:
    """Play against the engine."""
