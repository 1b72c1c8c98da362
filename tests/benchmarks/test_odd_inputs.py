"""Odd inputs in small: that each takes no more memory than it may, whatever it says."""

import pytest

from tests.benchmarks.odd_inputs import (
    PEAK_MB,
    SIZE,
    Odd,
    measure_commands,
    measure_page,
    odd_inputs,
)

SMALL = 500_000
SOME = ("xg zeros", "sgf nodes", "transcript")


def some() -> list[Odd]:
    return [odd for odd in odd_inputs() if odd.name in SOME]


def test_inputs_have_their_size_and_no_name_twice() -> None:
    inputs = odd_inputs()
    assert len({odd.name for odd in inputs}) == len(inputs) > 60
    for odd in inputs:
        if not odd.name.startswith(("xg", "bgf")):  # to compress gigabytes takes a while
            assert len(odd.make(SIZE)) <= SIZE


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.timeout(240)
def test_commands_and_the_page_refuse_odd_input_within_their_memory() -> None:
    pytest.importorskip("gvformat", reason="gammonview is not installed (extra files)")
    rows = measure_commands(some(), 30.0, SMALL)
    assert [row[0] for row in rows if row[3] == "2"] == [row[0] for row in rows]
    assert all(float(row[2].split()[0]) <= PEAK_MB for row in rows)
    pages = measure_page(some(), SMALL)
    assert [row[0] for row in pages] == list(SOME)
    assert all(float(row[1].split()[0]) <= PEAK_MB for row in pages)
