"""`manyply bench network`: the cost of a unit of work between machines."""

from __future__ import annotations

from dataclasses import asdict

import click

from master.cli.arguments import json_option
from master.cli.bench.bench_figures import Figures, announce, echo_figures

WORDS = {
    "units_per_s_window_1": "units a second, 1 outstanding",
    "units_per_s_window_16": "units a second, 16 outstanding",
    "master_cpu_us_per_unit_window_1": "master's time a unit, 1 outstanding, microseconds",
    "master_cpu_us_per_unit_window_16": "the same, 16 outstanding, microseconds",
    "round_trip_p50_us": "round trip, median, microseconds",
    "round_trip_p99_us": "round trip, 99 of 100 within, microseconds",
    "efficiency_1_ms": "efficiency with units of 1 ms",
    "efficiency_10_ms": "efficiency with units of 10 ms",
    "analysers": "analysers",
}


@click.command("network", short_help="Units of work a second, through the whole stack.")
@json_option
def bench_network_command(is_json: bool) -> None:
    """Measure the cost of a unit of work between a master and two analysers of this machine.

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
    from master.cli.bench.bench_network import bench_network  # as above
    from master.cli.jobs.watching import run_async

    announce(20, is_json=is_json)
    figures = Figures(asdict(run_async(bench_network())), WORDS)
    echo_figures("Network, two analysers", figures, is_json=is_json)
