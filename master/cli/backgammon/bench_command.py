"""`manyply bench backgammon`: speed of the engine, by the second."""

from __future__ import annotations

import click

from master.cli.arguments import json_option
from master.cli.bench.bench_figures import announce, echo_figures
from master.cli.interruptible import interruptible


@click.command("backgammon", short_help="Evaluations, positions and trials a second.")
@json_option
def bench_backgammon_command(is_json: bool) -> None:
    """Measure the engine on one core: evaluations, positions and rollout trials a second."""
    from master.cli.backgammon.bench_backgammon import bench_backgammon  # noqa: PLC0415  # loads the engine

    announce(8, is_json=is_json)
    echo_figures("backgammon, one core", interruptible(bench_backgammon), is_json=is_json)
