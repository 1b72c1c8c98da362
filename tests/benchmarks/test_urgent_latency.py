"""The latency of urgent questions in small: that it is measured, not how long it is today."""

import pytest

from tests.benchmarks.urgent_latency import busy_contexts, latencies_us


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.parametrize("name", busy_contexts())
async def test_questions_are_answered_under_every_load(name: str) -> None:
    times = await latencies_us(busy_contexts()[name], workers=1, questions=3)
    assert len(times) == 3
    assert times == sorted(times)
    assert times[0] > 0
