"""Rates are the best of some runs, each of many calls if need be."""

import pytest

from master.cli.bench import engine_rates
from master.cli.bench.engine_rates import best_rate, cpu_description


def test_rate_is_that_of_the_fastest_run(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two readings a run, but where the first call was too short: begin, begun so far, ...
    readings = iter([0.0, 2.0, 10.0, 10.25, 11.0, 20.0, 24.0])
    monkeypatch.setattr(f"{engine_rates.__name__}.time.thread_time", lambda: next(readings))
    calls: list[int] = []

    def work() -> int:
        calls.append(8)
        return 8

    assert best_rate(work) == 16 / 1.0
    assert len(calls) == 1 + 1 + 2 + 1, "the first warms up"


def test_processor_has_a_name() -> None:
    assert cpu_description()
