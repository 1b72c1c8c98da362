"""The network bench in small: that it measures, not how fast this machine is today."""

from dataclasses import asdict

import pytest

from master.cli.bench.bench_network import bench_network


@pytest.mark.slow
@pytest.mark.sockets
async def test_every_key_is_measured() -> None:
    bench = await bench_network(units=400, round_trips=50, efficiency_s=0.1)
    measured = asdict(bench)
    assert all(value > 0 for value in measured.values()), measured
    assert bench.round_trip_p50_us <= bench.round_trip_p99_us
