"""The program about fleets runs in small, with the fleet that needs no engine."""

import pytest

from master.cli.bench.bench_network import calibrate
from tests.benchmarks.fleets import LOCAL, measure

pytestmark = [pytest.mark.slow, pytest.mark.sockets, pytest.mark.timeout(120)]

TRIES = 3
"""On a machine that is busy for seconds parts are late, and out again before the link tells."""


async def test_parts_of_a_killed_analyser_are_out_again() -> None:
    for _ in range(TRIES):
        found = await measure(LOCAL, calibrate(), work_s=2.0)
        if found.parts > 0:
            break
    assert found.parts > 0
    assert found.since_kill_s > found.since_told_s > 0
    assert found.efficiency > 0 < found.beside
