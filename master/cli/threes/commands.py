"""The commands of Threes!."""

from __future__ import annotations

import click

from master.cli.commands import GameCommands


def _play() -> click.Command:
    from master.cli.threes.play_threes import play_threes

    return play_threes


def _rollout() -> click.Command:
    from master.cli.threes.rollout_command import rollout_threes

    return rollout_threes


def _move() -> click.Command:
    from master.cli.threes.move_command import move_threes

    return move_threes


def _perft() -> click.Command:
    from master.cli.threes.perft_command import perft_threes

    return perft_threes


def _bench() -> click.Command:
    from master.cli.threes.bench_command import bench_threes_command

    return bench_threes_command


COMMANDS = GameCommands(
    verbs={
        "play": _play,
        "rollout": _rollout,
        "move": _move,
        "perft": _perft,
        "bench": _bench,
    },
)
