"""The program about fleets runs in small, with the fleet that needs no engine."""

from multiprocessing import resource_tracker

import pytest

from master.cli.bench.bench_network import calibrate
from tests.benchmarks.fleets import LOCAL, measure

pytestmark = [pytest.mark.slow, pytest.mark.sockets, pytest.mark.timeout(240)]


async def test_parts_of_a_killed_analyser_are_out_again() -> None:
    resource_tracker.ensure_running()  # a child that is no analyser, as other tests leave one
    found = await measure(LOCAL, calibrate(), work_s=2.0)
    assert found.parts > 0
    assert found.since_kill_s > found.since_announced_s > 0
    assert found.efficiency > 0 < found.beside
