"""`manyply bench threes`: speed of the engine, by the second."""

from __future__ import annotations

import click

from master.cli.arguments import json_option
from master.cli.bench.bench_figures import announce, echo_figures
from master.cli.interruptible import interruptible


@click.command("threes", short_help="Moves a second, by how far the engine looks ahead.")
@json_option
def bench_threes_command(is_json: bool) -> None:
    """Measure the engine on one core: moves a second at 1, 2 and 3 plies, and loading its net."""
    from master.cli.threes.bench_threes import bench_threes  # noqa: PLC0415  # loads the engine

    announce(8, is_json=is_json)
    echo_figures("Threes!, one core", interruptible(bench_threes), is_json=is_json)
