from dataclasses import replace

import pytest

from master.cli.jobs.estimate import (
    ERROR_TRIALS_MIN,
    RATE_RESULTS_MIN,
    advance,
    duration,
    largest_std_error,
    progress_line,
    seconds_left,
    trials_needed,
)
from master.reports.job_table import round_count
from tests.master.cli.shown import TWO_MOVES, alternative, job_view

NOTHING_YET = job_view(alternatives=(), folded=0, trials_per_s=0.0)


def test_number_of_trials_is_what_is_needed() -> None:
    assert trials_needed(job_view()) == 100


def test_time_left_waits_for_a_rate_that_holds() -> None:
    assert seconds_left(job_view(folded=RATE_RESULTS_MIN - 1, held=0)) is None
    assert seconds_left(job_view(folded=RATE_RESULTS_MIN - 1, held=1)) is not None


def test_time_left_waits_for_an_error_that_holds() -> None:
    few, enough = (
        replace(alternative(0.1), trials=count)
        for count in (ERROR_TRIALS_MIN - 1, ERROR_TRIALS_MIN)
    )
    assert seconds_left(job_view(stop_se=0.005, folded=200, alternatives=(few,))) is None
    assert seconds_left(job_view(stop_se=0.005, folded=200, alternatives=(enough,))) is not None


def test_half_the_standard_error_needs_four_times_the_games() -> None:
    assert trials_needed(job_view(trials=None, stop_se=0.02)) == pytest.approx(4 * 36)


def test_trial_limit_bounds_what_a_standard_error_needs() -> None:
    assert trials_needed(job_view(stop_se=0.0001)) == 100


def test_error_that_is_small_enough_needs_nothing_more() -> None:
    assert trials_needed(job_view(trials=None, stop_se=0.05)) == 36


def test_nobody_knows_before_the_first_error() -> None:
    view = job_view(alternatives=(), trials=None, stop_se=0.1)
    assert trials_needed(view) is None
    assert largest_std_error(view) is None
    assert seconds_left(view) is None


def test_largest_error_is_of_all_alternatives() -> None:
    assert largest_std_error(job_view(**TWO_MOVES)) == 0.04


def test_time_left_counts_the_games_of_every_alternative() -> None:
    assert seconds_left(job_view()) == 8.0
    assert seconds_left(job_view(**TWO_MOVES)) == (200 - 72) / 8
    assert seconds_left(job_view(held=30)) == (100 - 66) / 8
    assert seconds_left(job_view(trials_per_s=0.0)) is None
    assert seconds_left(job_view(folded=101)) == 0.0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-1, "0 s"), (59.4, "59 s"), (60, "1 min 0 s"), (200, "3 min 20 s"), (18725, "5 h 12 min")],
)
def test_times_are_told_as_people_say_them(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_advance_says_what_is_done_how_fast_and_how_long() -> None:
    assert advance(job_view()) == "36/100 trials, 8/s, 8 s left"
    assert advance(job_view(**TWO_MOVES)) == "36/100 trials each, 8/s, 16 s left"
    assert advance(job_view(trials=None, stop_se=0.02)) == "36/~144 trials, 8/s"
    assert advance(NOTHING_YET) == "0/100 trials, 0/s"


def test_progress_line_names_the_best() -> None:
    line = progress_line(job_view(**TWO_MOVES))
    assert line.startswith("job 3: 36/100 trials each")
    assert line.endswith("; 8/5 6/5 +0.3500 [0.0400]")
    assert progress_line(NOTHING_YET) == "job 3: 0/100 trials, 0/s"


def test_games_done_are_those_of_each_alternative() -> None:
    assert round_count(job_view(**TWO_MOVES)) == 36
    assert round_count(NOTHING_YET) == 0


def test_nobody_knows_when_a_job_is_settled() -> None:
    view = job_view(stop_settled=2.33, **TWO_MOVES)
    assert seconds_left(view) is None
    assert advance(view) == "36/<=100 trials each, 8/s"
