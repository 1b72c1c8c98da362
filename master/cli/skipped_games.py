"""How a command says that games of a file were skipped: one line each, and exit code 2 at the end.

Knows standard error and exit codes.  Must not know games or formats.
"""

from __future__ import annotations

from master.cli.errors import CommandError
from master.cli.output import echo_notice, printable
from master.games.skipped import SkippedGame, SkippedGames


def say_skipped(skipped: SkippedGames, game: SkippedGame) -> None:
    """Count a game that is skipped, and name it on standard error."""
    if skipped.add(game):
        echo_notice(printable(game.text(skipped.name)))


def end_skipped(skipped: SkippedGames, read: int) -> None:
    """End the command with exit code 2 if games were skipped.

    Args:
        skipped: those games.
        read: how many were read, and dealt with.

    Raises:
        CommandError: some were; it counts them.
    """
    if skipped.count:
        raise CommandError(printable(skipped.summary(read)))
