import pytest

from tests.benchmarks.page_rollout import measure
from tests.master.reports.browser import needs_chromium


@needs_chromium
@pytest.mark.slow
@pytest.mark.sockets
async def test_page_of_a_rollout_takes_no_more_for_ten_times_the_trials() -> None:
    found = await measure(rounds=200, per_s=400.0, frames_s=0.1)
    few, many = found.samples
    assert (few.rounds, many.rounds) == (20, 200)
    assert many.nodes < 1.1 * few.nodes
    assert many.heap_kb < 1.5 * few.heap_kb
    assert 0 < found.paint_ms <= found.curve_ms
    assert few.frame_ms > 0
