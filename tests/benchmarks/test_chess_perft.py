"""The program about counts of chess runs in small, and believes no wrong count."""

import pytest

from tests.benchmarks.chess_perft import count_by_peer, measure, measure_all
from tests.engine_ext.chess.perft_suites import CHESS, SuiteRow


def test_all_counters_count_the_same() -> None:
    found = measure_all(500)
    counted = [
        {suite: (each.counts, each.games) for suite, each in suites.items()}
        for suites in found.values()
    ]
    assert len(counted) >= 2
    assert all(each == counted[0] for each in counted)
    assert counted[0]["chess"][0] > len(CHESS)


def test_wrong_count_is_named() -> None:
    start = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    with pytest.raises(AssertionError, match="depth 1: 5, published 6"):
        measure([SuiteRow(start, {1: 6})], 10, count_by_peer)
