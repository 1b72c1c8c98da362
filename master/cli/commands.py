"""How commands are listed, and which of them a game has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import click

LoadCommand = Callable[[], click.Command]
"""Imports a command's module, and returns the command."""


class CommandGroup(StrEnum):
    """Headings of the list of commands, in its order."""

    JOBS = "Roll out, and jobs"
    POSITIONS = "Positions"
    MATCHES = "Matches"
    PLAY = "Play"
    ENGINES = "Engines for other programs"
    FLEETS = "Fleets"
    MEASURE = "Measure"
    SHELL = "Shell"


class ListedCommand(NamedTuple):
    """A command: how it is loaded, its description, and the heading that lists it."""

    load: LoadCommand
    help: str
    group: CommandGroup


@dataclass(frozen=True)
class GameCommands:
    """The commands of a game.

    Args:
        own: its own ones, by name; no other game may have a command of that name.
        verbs: of the verbs that games share (master.cli.games.VERBS), this game's command.
    """

    own: Mapping[str, ListedCommand] = field(default_factory=dict)
    verbs: Mapping[str, LoadCommand] = field(default_factory=dict)
