"""`manyply bench chess`: speed of the engine, by the second."""

from __future__ import annotations

import click

from master.cli.arguments import json_option
from master.cli.bench.bench_figures import announce, echo_figures
from master.cli.interruptible import interruptible


@click.command("chess", short_help="Positions a second: counted, valued, searched.")
@json_option
def bench_chess_command(is_json: bool) -> None:
    """Measure the engine on one core: perft, values, nodes of fast and of reproducible searches."""
    from master.cli.chess.bench_chess import bench_chess  # noqa: PLC0415  # loads the engine

    announce(6, is_json=is_json)
    echo_figures("chess, one core", interruptible(bench_chess), is_json=is_json)
