"""The files of matches that are played: which formats they may have.

The formats themselves are master.games.backgammon.matches', the writing cli.playing's.
"""

from __future__ import annotations

from pathlib import Path

import click

from master.cli.playing.game_file import Formats
from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.mat import write_mat
from master.games.backgammon.matches.record import Action
from master.games.backgammon.matches.sgf import write_sgf
from master.games.backgammon.play.live_match import LiveMatch
from master.games.errors import RecordError


def _read(path: Path) -> tuple[LiveMatch, str]:
    """Read a match; print its impossible entries, and how they were read."""
    analysed = read_match_file(path)
    if analysed.skipped:
        raise RecordError(f"{analysed.skipped[0].text(path.name)}: a match goes on with all games")
    live = LiveMatch(analysed)
    for warning in analysed.warnings:
        click.echo(f"manyply: warning: {warning}", err=True)
    ending = path.suffix.lower()
    return live, ending if ending in BACKGAMMON_FORMATS.writers else ""


def _played(live: LiveMatch) -> tuple[tuple[int, Action], ...]:
    """Return the actions of each game; analyses and a next game without actions are left out."""
    return tuple((entry.game, entry.action) for entry in live.entries)


BACKGAMMON_FORMATS: Formats[LiveMatch] = Formats(
    {
        ".sgf": lambda live: write_sgf(live.analysed),
        ".mat": lambda live: write_mat(live.match),
    },
    _read,
    _played,
)
