"""The flood in small: that every endpoint holds its peer back, not how fast anything is today."""

from pathlib import Path

import pytest

from protocol.plain import OUT_BYTES_MAX
from tests.benchmarks.flood import measure

ROOT = Path(__file__).parents[2]
LINES = 1_000_000  # more than the kernel's buffers and ours take, and fewer than pass in the time


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.timeout(240)
async def test_flood_is_not_taken_in_and_costs_no_memory() -> None:
    names = ("master, socket, /healthz", "master, socket, /api/analysers")
    for found in await measure(LINES, 0.5, ROOT, names):
        assert found.beside
        assert found.lines < LINES // 2, found.endpoint
        assert found.grown_bytes < OUT_BYTES_MAX // 2, found.endpoint
