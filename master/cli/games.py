"""The commands that every game can have: `manyply VERB GAME`.

The table of games has the commands of each.
"""

from __future__ import annotations

from typing import Any

import click

from master.cli.backgammon.commands import COMMANDS as BACKGAMMON
from master.cli.chess.commands import COMMANDS as CHESS
from master.cli.commands import CommandGroup, GameCommands, ListedCommand, LoadCommand
from master.cli.othello.commands import COMMANDS as OTHELLO
from master.cli.threes.commands import COMMANDS as THREES

GAMES: dict[str, GameCommands] = {
    "backgammon": BACKGAMMON,
    "othello": OTHELLO,
    "threes": THREES,
    "chess": CHESS,
}
"""A new game takes an import and a line here; the first one is meant where none is named."""

VERBS = {
    "rollout": ListedCommand(
        lambda: rollout_command, "Play games out, over all cores and analysers.", CommandGroup.JOBS
    ),
    "move": ListedCommand(
        lambda: move_command, "Rank the moves of a position.", CommandGroup.POSITIONS
    ),
    "search": ListedCommand(
        lambda: search_command, "Search a position deeply.", CommandGroup.POSITIONS
    ),
    "analyse": ListedCommand(
        lambda: analyse_command, "Analyse a recorded game.", CommandGroup.MATCHES
    ),
    "play": ListedCommand(lambda: play_command, "Play against the engine.", CommandGroup.PLAY),
    "simulate": ListedCommand(
        lambda: simulate_command,
        "Simulate searches by many processors on this one.",
        CommandGroup.MEASURE,
    ),
    "perft": ListedCommand(
        lambda: perft_command,
        "Count positions, to compare a move generator with others.",
        CommandGroup.MEASURE,
    ),
    "bench": ListedCommand(lambda: bench_command, "Measure this machine.", CommandGroup.MEASURE),
}


def _network() -> click.Command:
    from master.cli.bench.network_command import bench_network_command

    return bench_network_command


OTHERS: dict[str, dict[str, LoadCommand]] = {"bench": {"network": _network}}
"""Commands of a verb that belong to no game."""


class GameGroup(click.Group):
    """A verb: its commands are the games', each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the games that have this verb, and its other commands."""
        return list(self._commands())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one game's command."""
        load = self._commands().get(cmd_name)
        return None if load is None else load()

    def _commands(self) -> dict[str, LoadCommand]:
        verb = self.name
        assert verb is not None, "a verb has a name"
        games = {game: each.verbs[verb] for game, each in GAMES.items() if verb in each.verbs}
        return games | OTHERS.get(verb, {})


class DefaultGameGroup(GameGroup):
    """A group whose first game is the default: for options, a FILE or an ID without a game."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the game in front where it is not named."""
        games = self.list_commands(ctx)
        named = args if args[:1] and args[0] in games else [games[0], *args]
        return super().parse_args(ctx, named)


def _group(verb: str, group: type[GameGroup] = GameGroup, **settings: Any) -> GameGroup:
    return group(verb, help=VERBS[verb].help, no_args_is_help=group is GameGroup, **settings)


rollout_command: GameGroup = _group("rollout", DefaultGameGroup)
play_command: GameGroup = _group("play", DefaultGameGroup)
analyse_command: GameGroup = _group("analyse", DefaultGameGroup)
move_command: GameGroup = _group("move", DefaultGameGroup)
search_command: GameGroup = _group("search")
simulate_command: GameGroup = _group("simulate")
perft_command: GameGroup = _group("perft")
bench_command: GameGroup = _group("bench")
