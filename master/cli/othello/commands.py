"""The commands of Othello."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from master.cli.commands import CommandGroup, GameCommands, ListedCommand

if TYPE_CHECKING:
    from master.cli.bench.bench_figures import Figures


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


def _bench() -> click.Command:
    from master.cli.bench.bench_figures import EngineBench, engine_bench

    return engine_bench(
        EngineBench(
            "othello",
            title="Othello, one core",
            seconds=8,
            short_help="Games and nodes a second: counted, valued, searched, solved.",
            text="Measure the engine on one core.\n\n\b\nKeys of --json, each a rate of one core:\n"
            "  perft_per_s           games of 8 plies, counted\n"
            "  values_per_s          positions valued by patterns\n"
            "  search_nodes_per_s    nodes of a midgame, 12 moves ahead\n"
            "  solver_nodes_per_s    nodes of an endgame of 20 empty squares\n"
            "  kernel, cpu           the kernel in use, the processor",
        ),
        _measured,
    )


def _measured() -> Figures:
    from master.cli.bench.bench_figures import Figures
    from master.cli.othello.bench_othello import WORDS, bench_othello

    return Figures(bench_othello(), WORDS)


COMMANDS = GameCommands(
    own={
        "nboard": ListedCommand(
            _nboard, "Run as an NBoard engine for Othello programs.", CommandGroup.ENGINES
        ),
    },
    verbs={
        "analyse": _analyse,
        "play": _play,
        "search": _search,
        "simulate": _simulate,
        "perft": _perft,
        "bench": _bench,
    },
)
