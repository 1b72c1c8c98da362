"""The commands of Othello."""

from __future__ import annotations

import click

from master.cli.commands import CommandGroup, GameCommands, ListedCommand


def _nboard() -> click.Command:
    from master.cli.othello.nboard_command import nboard_command

    return nboard_command


def _analyse() -> click.Command:
    from master.cli.othello.analyse_command import analyse_othello

    return analyse_othello


def _play() -> click.Command:
    from master.cli.othello.play_othello import play_othello

    return play_othello


def _search() -> click.Command:
    from master.cli.othello.search_command import search_othello

    return search_othello


def _simulate() -> click.Command:
    from master.cli.othello.simulate_command import simulate_othello

    return simulate_othello


def _perft() -> click.Command:
    from master.cli.othello.perft_command import perft_othello

    return perft_othello


COMMANDS = GameCommands(
    own={
        "nboard": ListedCommand(
            _nboard, "Be the engine of an Othello board.", CommandGroup.ENGINES
        ),
    },
    verbs={
        "analyse": _analyse,
        "play": _play,
        "search": _search,
        "simulate": _simulate,
        "perft": _perft,
    },
)
