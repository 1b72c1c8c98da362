"""`manyply bench`: measured figures of this machine."""

from __future__ import annotations

from dataclasses import asdict

import click

from master.cli.arguments import json_option
from master.cli.interruptible import interruptible
from master.cli.output import echo_error, echo_json, echo_table


@click.group("bench")
def bench_command() -> None:
    """Measure this machine."""


def echo_figures(title: str, figures: dict[str, object], *, is_json: bool) -> None:
    """Print figures, one a line, or as one object."""
    if is_json:
        echo_json(figures)
        return
    rows = [(name, _figure(value)) for name, value in figures.items()]
    echo_table(title, ("", ""), rows)


def _figure(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"
    return str(value)


@bench_command.command("backgammon", short_help="Evaluations, positions and trials a second.")
@json_option
def bench_backgammon_command(is_json: bool) -> None:
    """Measure the engine on one core: evaluations, positions and rollout trials a second."""
    from master.cli.backgammon.bench_backgammon import bench_backgammon  # noqa: PLC0415  # loads the engine

    _announce(8, is_json=is_json)
    echo_figures("backgammon, one core", interruptible(bench_backgammon), is_json=is_json)


@bench_command.command("network", short_help="Units of work a second, through the whole stack.")
@json_option
def bench_network_command(is_json: bool) -> None:
    """Measure what a unit of work costs between a master and two analysers of this machine.

    Units go through everything: protocol, leases, ordered fold and store. Each is a part of
    one trial. A window is how many are outstanding at each analyser.

    \b
    Keys of --json:
      units_per_s_window_1, ..._16
                            no-op units a second
      master_cpu_us_per_unit_window_1, ..._16
                            the master's processor time
      round_trip_p50_us, round_trip_p99_us
                            request to result, on an idle link
      efficiency_1_ms, efficiency_10_ms
                            work done over the workers' time
      analysers             how many, of one worker each

    The fastest of three runs counts. On a machine that is busy with other things, what they
    take looks like overhead.
    """
    from master.cli.bench.bench_network import bench_network  # noqa: PLC0415  # as above
    from master.cli.jobs.watching import run_async  # noqa: PLC0415

    _announce(20, is_json=is_json)
    echo_figures("network, two analysers", asdict(run_async(bench_network())), is_json=is_json)


def _announce(seconds: int, *, is_json: bool) -> None:
    if not is_json:
        echo_error(f"measuring for about {seconds} s ...")
