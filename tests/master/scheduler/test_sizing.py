import pytest

from master.scheduler import paces
from master.scheduler.limits import (
    LEAD_TRIALS_MAX,
    LEAD_TRIALS_MIN,
    PART_TRIALS_MAX,
    STALL_S_MAX,
    STALL_S_MIN,
    WINDOW_MAX,
)


@pytest.mark.parametrize(
    ("rate", "workers", "trials"),
    [(0.0, 4, 1), (0.1, 1, 1), (40.0, 4, 10), (1e9, 1, PART_TRIALS_MAX)],
)
def test_part_lasts_about_a_second_of_one_worker(rate: float, workers: int, trials: int) -> None:
    assert paces.part_trials(rate, workers) == trials


@pytest.mark.parametrize(
    ("rate", "workers", "trials", "latency_s", "parts"),
    [
        (0.0, 1, 1, 0.0, 2),  # nothing known: one computing, one waiting
        (10.0, 1, 10, 0.001, 2),
        (40.0, 4, 10, 0.001, 8),
        (10.0, 1, 1, 0.35, 5),  # four parts are used up while the next is on its way
        (0.1, 4, 1, 0.001, 5),  # long parts: one waits for whoever is free first
        (1e6, 1, 1, 1.0, WINDOW_MAX),
        (1e6, 200, 1, 1.0, 400),
    ],
)
def test_window_covers_the_latency(
    rate: float, workers: int, trials: int, latency_s: float, parts: int
) -> None:
    assert paces.window(rate, workers, trials, latency_s) == parts


def test_lead_is_bounded_and_never_below_what_the_windows_hold() -> None:
    assert paces.lead(0.0, 0) == LEAD_TRIALS_MIN
    assert paces.lead(0.0, 4000) >= 4000
    assert paces.lead(1000.0, 10) == 8000
    assert paces.lead(1e9, 10) == LEAD_TRIALS_MAX


def test_shares_of_all_workers_are_half_of_what_is_left() -> None:
    rates = [(10.0, 2), (40.0, 4), (1.0, 1)]
    fleet_rate = sum(rate for rate, _ in rates)
    shares = [workers * paces.tail_share(rate, fleet_rate, workers) for rate, workers in rates]
    assert sum(shares) == pytest.approx(0.5)
    assert paces.tail_share(0.0, 10.0, 1) == 1.0


@pytest.mark.parametrize(
    ("rate", "workers", "seconds"),
    [(0.0, 1, STALL_S_MAX), (100.0, 1, STALL_S_MIN), (0.1, 1, 20.0), (0.001, 1, STALL_S_MAX)],
)
def test_stall_is_twice_a_trial_within_bounds(rate: float, workers: int, seconds: float) -> None:
    assert paces.stall_after_s(rate, workers) == seconds
