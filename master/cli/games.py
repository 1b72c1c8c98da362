"""The commands that every game can have: `manyply VERB GAME`.

Each game's front names its verbs and their commands.
"""

from __future__ import annotations

from typing import Any

import click

from master.games.front import CommandGroup
from master.games.table import fronts, load

VERBS = {
    "rollout": ("Play games out, over all cores and analysers.", CommandGroup.JOBS),
    "move": ("Rank the moves of a position.", CommandGroup.POSITIONS),
    "search": ("Search a position deeply.", CommandGroup.POSITIONS),
    "analyse": ("Analyse a recorded game.", CommandGroup.MATCHES),
    "play": ("Play against the engine.", CommandGroup.PLAY),
    "simulate": ("Simulate searches by many processors on this one.", CommandGroup.MEASURE),
    "perft": (
        "Count positions, to compare a move generator with others.", CommandGroup.MEASURE,
    ),
    "bench": ("Measure this machine.", CommandGroup.MEASURE),
}  # fmt: skip


OTHERS = {"bench": {"network": "master.cli.bench.network_command:bench_network_command"}}
"""Commands of a verb that belong to no game."""


class GameGroup(click.Group):
    """A verb: its commands are the games', each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the games that have this verb, and its other commands."""
        return list(self._places())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one game's command."""
        place = self._places().get(cmd_name)
        command: click.Command | None = None if place is None else load(place)
        return command

    def _places(self) -> dict[str, str]:
        assert self.name is not None, "a verb has a name"
        games = {game: front.verbs.get(self.name, "") for game, front in fronts()}
        return {game: place for game, place in games.items() if place} | OTHERS.get(self.name, {})


class DefaultGameGroup(GameGroup):
    """A group whose first game is the default: for options, a FILE or an ID without a game."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the game in front where it is not named."""
        games = self.list_commands(ctx)
        named = args if args[:1] and args[0] in games else [games[0], *args]
        return super().parse_args(ctx, named)


def _group(verb: str, group: type[GameGroup] = GameGroup, **settings: Any) -> GameGroup:
    return group(verb, help=VERBS[verb][0], no_args_is_help=group is GameGroup, **settings)


rollout_command = _group("rollout", DefaultGameGroup)
play_command = _group("play", DefaultGameGroup)
analyse_command = _group("analyse", DefaultGameGroup)
move_command = _group("move", DefaultGameGroup)
search_command = _group("search")
simulate_command = _group("simulate")
perft_command = _group("perft")
bench_command = _group("bench")
