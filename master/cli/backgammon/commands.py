"""The commands of backgammon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from master.cli.commands import CommandGroup, GameCommands, ListedCommand

if TYPE_CHECKING:
    from master.cli.bench.bench_figures import Figures


def _eval() -> click.Command:
    from master.cli.backgammon.position_commands import eval_command

    return eval_command


def _cube() -> click.Command:
    from master.cli.backgammon.position_commands import cube_command

    return cube_command


def _external() -> click.Command:
    from master.cli.backgammon.external.external_command import external_command

    return external_command


def _ubgi() -> click.Command:
    from master.cli.backgammon.external.ubgi_command import ubgi_command

    return ubgi_command


def _profile() -> click.Command:
    from master.cli.backgammon.studying.profile_command import profile_command

    return profile_command


def _quiz() -> click.Command:
    from master.cli.backgammon.studying.quiz_command import quiz_command

    return quiz_command


def _rollout() -> click.Command:
    from master.cli.backgammon.rollout_command import rollout_backgammon

    return rollout_backgammon


def _play() -> click.Command:
    from master.cli.backgammon.playing.play_backgammon import play_backgammon

    return play_backgammon


def _analyse() -> click.Command:
    from master.cli.backgammon.analysing.analyse_command import analyse_backgammon

    return analyse_backgammon


def _move() -> click.Command:
    from master.cli.backgammon.position_commands import move_backgammon

    return move_backgammon


def _perft() -> click.Command:
    from master.cli.backgammon.perft_command import perft_backgammon

    return perft_backgammon


def _bench() -> click.Command:
    from master.cli.bench.bench_figures import EngineBench, engine_bench

    return engine_bench(
        EngineBench(
            "backgammon",
            title="Backgammon, one core",
            seconds=8,
            short_help="Evaluations, positions and trials a second.",
            text="Measure the engine on one core: evaluations, positions and rollout trials "
            "a second.",
        ),
        _measured,
    )


def _measured() -> Figures:
    from master.cli.backgammon.bench_backgammon import WORDS, bench_backgammon
    from master.cli.bench.bench_figures import Figures

    return Figures(bench_backgammon(), WORDS)


COMMANDS = GameCommands(
    own={
        "eval": ListedCommand(_eval, "Evaluate a position.", CommandGroup.POSITIONS),
        "cube": ListedCommand(
            _cube, "Answer the cube question: double, take, pass.", CommandGroup.POSITIONS
        ),
        "external": ListedCommand(
            _external, "Play as an external player in GNU Backgammon.", CommandGroup.ENGINES
        ),
        "ubgi": ListedCommand(
            _ubgi, "Run as a UBGI engine for backgammon programs.", CommandGroup.ENGINES
        ),
        "profile": ListedCommand(
            _profile,
            "Summarise a player: PR over time, by kind of decision, worst errors.",
            CommandGroup.MATCHES,
        ),
        "quiz": ListedCommand(
            _quiz, "Quiz yourself on the errors of your matches.", CommandGroup.MATCHES
        ),
    },
    verbs={
        "rollout": _rollout,
        "play": _play,
        "analyse": _analyse,
        "move": _move,
        "perft": _perft,
        "bench": _bench,
    },
)
