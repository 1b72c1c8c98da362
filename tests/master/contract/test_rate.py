import pytest

from master.contract.rate import SAMPLE_S, WINDOW_S, RateMeter


def test_rate_before_any_time_has_passed_is_nought() -> None:
    meter = RateMeter(5.0, 7)
    meter.record(5.0, 9)
    assert meter.per_s() == 0.0


def test_steady_count_has_its_rate() -> None:
    meter = RateMeter(0.0, 0)
    for step in range(1, 400):
        meter.record(step * 0.1, step * 5)
    assert meter.per_s() == pytest.approx(50.0)


def test_rate_forgets_what_is_older_than_the_window() -> None:
    meter = RateMeter(0.0, 0)
    meter.record(1.0, 1_000_000)
    for step in range(1, 100):
        meter.record(1.0 + step, 1_000_000 + step)
    assert meter.per_s() == pytest.approx(1.0)


def test_memory_is_bounded_however_often_it_is_asked() -> None:
    meter = RateMeter(0.0, 0)
    for step in range(20_000):
        meter.record(step / 1000, step)
    assert len(meter._samples) <= WINDOW_S / SAMPLE_S + 3


def test_count_that_falls_is_no_rate() -> None:
    meter = RateMeter(0.0, 100)
    meter.record(4.0, 90)
    assert meter.per_s() == 0.0
