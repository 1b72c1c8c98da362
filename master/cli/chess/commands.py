"""The commands of chess."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from master.cli.commands import CommandGroup, GameCommands, ListedCommand

if TYPE_CHECKING:
    from master.cli.bench.bench_figures import Figures


def _uci() -> click.Command:
    from master.cli.chess.uci_command import uci_command

    return uci_command


def _analyse() -> click.Command:
    from master.cli.chess.analyse_command import analyse_chess

    return analyse_chess


def _bench() -> click.Command:
    from master.cli.bench.bench_figures import EngineBench, engine_bench

    return engine_bench(
        EngineBench(
            "chess",
            title="Chess, one core",
            seconds=6,
            short_help="Positions a second: counted, valued, searched.",
            text="Measure the engine on one core: perft, values, nodes of fast and of "
            "reproducible searches.",
        ),
        _measured,
    )


def _measured() -> Figures:
    from master.cli.bench.bench_figures import Figures
    from master.cli.chess.bench_chess import WORDS, bench_chess

    return Figures(bench_chess(), WORDS)


def _play() -> click.Command:
    from master.cli.chess.play_chess import play_chess

    return play_chess


def _search() -> click.Command:
    from master.cli.chess.search_command import search_chess

    return search_chess


def _simulate() -> click.Command:
    from master.cli.chess.simulate_command import simulate_chess

    return simulate_chess


def _perft() -> click.Command:
    from master.cli.chess.perft_command import perft_chess

    return perft_chess


COMMANDS = GameCommands(
    own={
        "uci": ListedCommand(_uci, "Run as a UCI engine for chess programs.", CommandGroup.ENGINES),
    },
    verbs={
        "analyse": _analyse,
        "bench": _bench,
        "play": _play,
        "search": _search,
        "simulate": _simulate,
        "perft": _perft,
    },
)
