"""How fast analysers are, learnt from what they deliver."""

import pytest

from master.scheduler.limits import SchedulerOptions
from master.scheduler.paces import Pace, Paces, QuestionPace


def busy_pace() -> Pace:
    pace = Pace(power=1.0, since=0.0)
    pace.was_idle = False
    return pace


def test_rate_is_what_a_busy_analyser_delivers() -> None:
    pace = busy_pace()
    for tick in range(1, 50):
        pace.counted += 5
        pace.observe(tick * 0.25)
    assert pace.is_observed
    assert pace.rate == pytest.approx(20.0)


def test_silence_between_results_of_slow_trials_counts_once_they_come() -> None:
    pace = busy_pace()
    pace.observe(10.0)
    assert not pace.is_observed
    pace.counted = 4
    pace.observe(20.0)
    assert pace.rate == pytest.approx(0.2)


def test_idle_time_says_nothing_about_the_rate() -> None:
    pace = busy_pace()
    pace.counted = 10
    pace.observe(1.0)
    pace.was_idle = True
    pace.observe(1000.0)
    assert pace.rate == pytest.approx(10.0)
    pace.counted = 10
    pace.observe(1001.0)
    assert pace.rate == pytest.approx(10.0)


def test_rate_follows_a_machine_that_becomes_slower() -> None:
    pace = busy_pace()
    for tick in range(1, 200):
        pace.counted += 100 if tick < 100 else 10
        pace.observe(float(tick))
    assert pace.rate == pytest.approx(10.0, rel=0.05)


def test_latency_is_the_shortest_wait_beyond_a_trial() -> None:
    pace = Pace(power=1.0, since=0.0, rate=10.0)
    pace.record_first_result(0.5, workers=1)
    pace.record_first_result(0.3, workers=1)
    pace.record_first_result(0.9, workers=1)
    assert pace.latency_s == pytest.approx(0.2)


def test_options_fix_sizes() -> None:
    pace = Pace(power=1.0, since=0.0, rate=10.0)
    pace.resize(1, 10.0, SchedulerOptions(window=16, part_trials=1))
    assert (pace.window, pace.part_trials, pace.tail_share) == (16, 1, 1.0)
    pace.resize(1, 20.0, SchedulerOptions())
    assert (pace.window, pace.part_trials, pace.tail_share) == (2, 10, 0.25)


def test_rate_of_questions_is_the_workers_over_the_mean_time() -> None:
    pace = QuestionPace(power=1.0, since=0.0)
    for seconds in (0.5, 1.5) * 200:
        pace.record_answer(seconds, workers=4)
    assert pace.is_observed
    assert pace.rate == pytest.approx(4.0, rel=0.02)
    pace.observe(1000.0)
    assert pace.rate == pytest.approx(4.0, rel=0.02)


def test_remembered_rate_gives_way_to_what_is_measured() -> None:
    pace = QuestionPace(power=1.0, since=0.0)
    pace.remember(question_s=0.1, workers=2, weight=4.0)
    assert pace.rate == pytest.approx(20.0)
    for _ in range(200):
        pace.record_answer(1.0, workers=2)
    assert pace.rate == pytest.approx(2.0, rel=0.1)


def test_question_is_a_part_and_short_ones_queue_deeper() -> None:
    pace = QuestionPace(power=1.0, since=0.0, rate=1000.0)
    pace.resize(1, 1000.0, SchedulerOptions(part_trials=7))
    assert pace.part_trials == 1
    assert pace.window == 64
    pace.rate = 0.1
    pace.resize(1, 0.1, SchedulerOptions())
    assert pace.window == 2


def test_paces_forget_who_is_gone_and_what_it_brought() -> None:
    paces = Paces()
    for number, rate in ((1, 2.0), (2, 3.0)):
        paces[number] = Pace(1.0, 0.0, rate=rate)
        paces.by_rate.append(number)
        paces.fleet_rate += rate
    for _ in range(2):
        paces.leave(2)
        assert (list(paces), paces.by_rate, paces.fleet_rate) == ([1], [1], 2.0)


def test_a_question_takes_a_worker_as_long_as_before_however_many_there_are() -> None:
    pace = QuestionPace(1.0, 0.0)
    pace.record_answer(0.5, workers=2)
    assert pace.rate == 4.0
    pace.rescale(3.0, 1.0)
    assert pace.rate == 12.0
    pace.record_answer(0.5, workers=6)
    assert pace.rate == pytest.approx(12.0)


def test_what_was_observed_of_fewer_workers_counts_as_if_of_all() -> None:
    pace = Pace(1.0, 0.0, was_idle=False, counted=10)
    pace.observe(1.0)
    assert (pace.rate, pace.is_observed) == (10.0, True)
    pace.rescale(2.0, 1.0)
    pace.observe(1.5)
    pace.counted += 20
    pace.observe(2.5)
    assert pace.rate == pytest.approx(20.0)
