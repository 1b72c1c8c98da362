import pytest

from master.commands import HandOut
from master.scheduler.leases import Analyser, Pace
from master.scheduler.limits import SchedulerOptions
from tests.master.hand_driven import Driver


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
    pace.note_first_result(0.5, workers=1)
    pace.note_first_result(0.3, workers=1)
    pace.note_first_result(0.9, workers=1)
    assert pace.latency_s == pytest.approx(0.2)


def test_options_fix_sizes() -> None:
    pace = Pace(power=1.0, since=0.0, rate=10.0)
    pace.resize(1, 10.0, SchedulerOptions(window=16, part_trials=1))
    assert (pace.window, pace.part_trials, pace.tail_share) == (16, 1, 1.0)
    pace.resize(1, 20.0, SchedulerOptions())
    assert (pace.window, pace.part_trials, pace.tail_share) == (2, 10, 0.25)


def test_only_the_first_parts_of_a_queue_are_running() -> None:
    driver = Driver(window=4, part_trials=1)
    driver.submit()
    handed = driver.ready(1, workers=2)
    assert len(handed) == 4
    analyser = driver.scheduler._state.analysers[1]
    assert [lease.first for lease in analyser.running()] == [0, 1]
    next(iter(analyser.leases.values())).is_stalled = True
    assert [lease.first for lease in analyser.running()] == [1, 2]
    assert isinstance(handed[0], HandOut)


def test_analyser_takes_parts_unless_something_keeps_it() -> None:
    analyser = Analyser(1, "a", 1, {})
    for change in ("is_draining", "is_suspect"):
        setattr(analyser, change, True)
        analyser.update_taking()
        assert not analyser.is_taking
        setattr(analyser, change, False)
        analyser.update_taking()
        assert analyser.is_taking
    analyser.away_until = 1.0
    analyser.update_taking()
    assert not analyser.is_taking
