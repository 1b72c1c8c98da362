"""The commands of Threes!."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from master.cli.commands import GameCommands

if TYPE_CHECKING:
    from master.cli.bench.bench_figures import Figures


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
    from master.cli.bench.bench_figures import EngineBench, engine_bench

    return engine_bench(
        EngineBench(
            "threes",
            title="Threes!, one core",
            seconds=8,
            short_help="Moves a second, by how far the engine looks ahead.",
            text="Measure the engine on one core: moves a second at 1, 2 and 3 plies, and "
            "loading its net.",
        ),
        _measured,
    )


def _measured() -> Figures:
    from master.cli.bench.bench_figures import Figures
    from master.cli.threes.bench_threes import WORDS, bench_threes

    return Figures(bench_threes(), WORDS)


COMMANDS = GameCommands(
    verbs={
        "play": _play,
        "rollout": _rollout,
        "move": _move,
        "perft": _perft,
        "bench": _bench,
    },
)
