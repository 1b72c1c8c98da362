"""The commands that every game can have: `manyply VERB GAME`.

The table of games has the commands of each.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from master.cli.backgammon.commands import COMMANDS as BACKGAMMON
from master.cli.chess.commands import COMMANDS as CHESS
from master.cli.commands import CommandGroup, GameCommands, ListedCommand, LoadCommand
from master.cli.errors import CommandError, did_you_mean
from master.cli.othello.commands import COMMANDS as OTHELLO
from master.cli.threes.commands import COMMANDS as THREES
from master.reports.texts import printable

GAMES: dict[str, GameCommands] = {
    "backgammon": BACKGAMMON,
    "othello": OTHELLO,
    "threes": THREES,
    "chess": CHESS,
}
"""A new game takes an import and a line here; the first one is meant where none is named."""

VERBS = {
    "rollout": ListedCommand(
        lambda: rollout_command,
        "Roll out a position on all cores and analysers.",
        CommandGroup.JOBS,
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
        "Simulate searches by many processors.",
        CommandGroup.MEASURE,
    ),
    "perft": ListedCommand(
        lambda: perft_command,
        "Count positions, to check a move generator.",
        CommandGroup.MEASURE,
    ),
    "bench": ListedCommand(
        lambda: bench_command, "Measure the speed of this machine.", CommandGroup.MEASURE
    ),
}


def _network() -> click.Command:
    from master.cli.bench.network_command import bench_network_command

    return bench_network_command


def _levels() -> click.Command:
    from master.cli.bench.levels_command import bench_levels_command

    return bench_levels_command


OTHERS: dict[str, dict[str, LoadCommand]] = {"bench": {"network": _network, "levels": _levels}}
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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the game named; a name that is not known gets the nearest one that is."""
        is_unknown = args[0] not in self._commands() and not args[0].startswith("-")
        if is_unknown and not ctx.resilient_parsing:
            hint = did_you_mean(args[0], self._commands())
            raise click.UsageError(self.complaint(args[0], hint), ctx=ctx)
        return super().resolve_command(ctx, args)

    def complaint(self, word: str, hint: str) -> str:
        """Return the error of a word that names no game, with a hint at the nearest one or none."""
        games = "" if hint else f": expected {', '.join(self._commands())}"
        return f"No such game {word!r}{hint}{games}"

    def _commands(self) -> dict[str, LoadCommand]:
        verb = self.name
        assert verb is not None, "a verb has a name"
        games = {game: each.verbs[verb] for game, each in GAMES.items() if verb in each.verbs}
        return games | OTHERS.get(verb, {})


class PositionGroup(GameGroup):
    """A group where a position shows which game is meant, such as a FEN or a transcript."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the game in front where a position shows it."""
        games = self.list_commands(ctx)
        if args and args[0] not in games and not ctx.resilient_parsing:
            game = game_of_position(args, games)
            if game is not None:
                args = [game, *(word.removeprefix(f"{game}:") for word in args)]
        return super().parse_args(ctx, args)

    def complaint(self, word: str, hint: str) -> str:
        """Return the error, which names the forms of positions too."""
        if hint:
            return super().complaint(word, hint)
        games = " or ".join(self._commands())
        return f"{word!r} is no game and no position: expected {games}, or such as {self._forms()}"

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the forms of positions."""
        formatter.write_paragraph()
        formatter.write_text(f"A position shows which game is meant, such as {self._forms()}.")

    def _forms(self) -> str:
        from master.games.table import front_of

        return " or ".join(
            form for game in self._commands() if (form := front_of(game).position_form)
        )


_OPTION = re.compile("--?[a-z]")
"""The beginning of an option; a board may begin with `-` too, and has no small letters."""


def game_of_position(words: Sequence[str], games: Sequence[str]) -> str | None:
    """Return the game of the position among the words of a command line; None: none is clear.

    Args:
        words: a position may be one of them or all; the one behind an option may be its value, and
            counts only if the others are none.
        games: the games that are meant, maybe.
    """
    from master.games.errors import OtherTextError  # only `search` without a game needs them
    from master.games.table import front_of

    named, others = _named(words)
    boards = [word for word in words if word.startswith("-") and not _OPTION.match(word)]
    for text in (" ".join(named), *named, *others, *boards):
        for game in games:
            read = front_of(game).read_position
            try:
                if read is not None and text and read(text) is not None:
                    return game
            except OtherTextError:
                continue
            except ValueError:  # the game's command says why
                return game
    return None


class DefaultGameGroup(GameGroup):
    """A group whose first game is the default: for options, a FILE or an ID without a game."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the game in front where it is not named."""
        games = self.list_commands(ctx)
        if args[:1] and args[0] in games:
            return super().parse_args(ctx, args)
        if args[:1] and _is_like_a_name(args[0]) and not ctx.resilient_parsing:
            hint = did_you_mean(args[0], games)
            if hint:
                raise click.UsageError(f"No such game {args[0]!r}{hint}", ctx=ctx)
        return super().parse_args(ctx, [self.game_of(ctx, args), *args])

    def game_of(self, ctx: click.Context, args: list[str]) -> str:
        """Return the game that is meant by words without one."""
        return self.list_commands(ctx)[0]


NAME_LETTERS_MAX = 14
"""Longer words are no mistyped game."""


def _is_like_a_name(word: str) -> bool:
    """Return whether a word may be a mistyped game: letters only, and no file that there is."""
    is_short = len(word) <= NAME_LETTERS_MAX and word.isalpha() and word.isascii()
    return is_short and not os.path.exists(word)


class RecognisingGroup(DefaultGameGroup):
    """A group whose files show by their content which game is meant; `-` is standard input."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Have standard input read into a file, which every game's command can read."""
        from master.cli.input_lines import with_input  # only this verb needs it

        return super().parse_args(ctx, with_input(ctx, args))

    def game_of(self, ctx: click.Context, args: list[str]) -> str:
        """Return the game of the files among some words."""
        game = game_of_files(args)
        is_helped = any(word == "-h" or word.startswith("--help") for word in args)
        if game is None and not is_helped and not ctx.resilient_parsing:
            refuse_unknown(args)
        return game or super().game_of(ctx, args)


def refuse_unknown(words: Sequence[str]) -> None:
    """Refuse the files among words, of which none shows a game; CommandError names all forms."""
    from master.cli.input_lines import OUTPUT_OPTIONS
    from master.games.recognised import no_record_error
    from master.games.table import fronts

    named, behind = _named(words)
    behind = [] if OUTPUT_OPTIONS.intersection(words) else behind
    errors = [no_record_error(Path(word), fronts()) for word in named or behind]
    if errors and None not in errors:
        raise CommandError(printable(str(errors[0])))


def game_of_files(words: Sequence[str]) -> str | None:
    """Return the game of the files among the words of a command line; None: none shows one.

    A word behind an option may be that option's value, and counts only if no other word is a file.

    Raises:
        click.UsageError: the files are of several games.
    """
    from master.games.recognised import game_of  # only `analyse` needs them
    from master.games.table import fronts

    named, others = _named(words)
    for candidates in (named, others):
        found = {
            game: word for word in reversed(candidates) if (game := game_of(Path(word), fronts()))
        }
        if len(found) > 1 and candidates is named:
            each = ", ".join(f"{word} is {game}" for game, word in found.items())
            raise click.UsageError(f"files of one game at a time: {each}")
        if found:
            return next(iter(found))
    return None


def _named(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words that are no options, and those of them that may be an option's value."""
    is_option = [word.startswith("-") and word != "-" for word in words]
    named = [
        word
        for place, word in enumerate(words)
        if not is_option[place] and not (place and is_option[place - 1])
    ]
    others = [word for word, is_one in zip(words, is_option, strict=True) if not is_one]
    return named, [word for word in others if word not in named]


def _group(verb: str, group: type[GameGroup] = GameGroup, **settings: Any) -> GameGroup:
    is_bare = not issubclass(group, DefaultGameGroup)
    return group(verb, help=VERBS[verb].help, no_args_is_help=is_bare, **settings)


rollout_command: GameGroup = _group("rollout", DefaultGameGroup)
play_command: GameGroup = _group("play", DefaultGameGroup)
analyse_command: GameGroup = _group("analyse", RecognisingGroup)
move_command: GameGroup = _group("move", DefaultGameGroup)
search_command: GameGroup = _group("search", PositionGroup)
simulate_command: GameGroup = _group("simulate")
perft_command: GameGroup = _group("perft")
bench_command: GameGroup = _group("bench")
