"""The benchmark of the timeline goes on working, in small."""

import pytest

from tests.benchmarks.page_timeline import line, made_up, measure
from tests.master.reports.browser import needs_chromium
from tests.master.timeline.streams import check_laws


def test_made_up_fleet_keeps_the_laws() -> None:
    rows = check_laws(made_up(3, 20.0, 1.0), workers_max=1)
    assert {row.lane for row in rows} == {0, 1, 2}
    assert len(rows) > 30


@needs_chromium
@pytest.mark.sockets
@pytest.mark.slow
async def test_frames_are_measured() -> None:
    found = await measure(made_up(3, 20.0, 1.0), frames=5)
    assert set(found) == {"move", "zoom"}
    for frames in found.values():
        assert len(frames.between) == 5
        assert len(frames.drawn) >= 4
        assert frames.heap_mb > 0
        assert frames.processor_ms > 0


def test_largest_and_middle_are_reported() -> None:
    assert line("x", [3.0, 1.0, 2.0]) == "x: median 2.0 ms, 95 % 2.0 ms, largest 3.0 ms"
