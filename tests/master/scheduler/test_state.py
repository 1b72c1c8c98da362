import pytest

from master.scheduler.limits import (
    KINDS_MAX,
    RATE_AGE_S_MAX,
    RATES_MAX,
    TICK_ANALYSER_S,
    TICK_INTERVAL_S,
    TICK_QUESTIONS_S,
    SchedulerOptions,
)
from master.scheduler.state import SchedulerState
from tests.master.hand_driven import Driver, job_spec
from tests.master.question_simulator import question_spec


def test_new_state_has_nothing_to_do() -> None:
    state = SchedulerState(SchedulerOptions())
    assert (state.analysers, state.jobs, state.active, state.out) == ({}, {}, [], [])


def test_leases_of_a_job_come_in_the_order_of_their_trials() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit(job_spec(20))
    driver.ready(2)
    driver.ready(1)
    state = driver.scheduler._state
    assert [lease.first for lease in state.jobs[1].by_trial()] == [0, 5, 10, 15]


def test_remembered_rates_are_bounded_and_grow_stale() -> None:
    state = SchedulerState(SchedulerOptions())
    for number in range(RATES_MAX + 1):
        state.remember(f"a{number}", "work", 0.5)
    state.remember("a1", "work", 0.25)
    state.remember("new", "work", 0.5)
    assert len(state.rates) == RATES_MAX
    assert [state.remembered(name, "work") for name in ("a0", "a1", "a2")] == [None, 0.25, None]
    assert state.remembered("a1", "other work") is None
    state.now = RATE_AGE_S_MAX
    assert state.remembered("a1", "work") is None


def test_paces_of_a_kind_are_kept_between_jobs_a_few_and_not_for_long() -> None:
    state = SchedulerState(SchedulerOptions())
    first = state.shared_paces(("work", "0"))
    first.refreshed_at = 0.0
    assert state.shared_paces(("work", "0")) is first
    for number in range(KINDS_MAX):
        state.shared_paces(("work", str(number)))
    assert len(state.paces) == KINDS_MAX
    assert state.shared_paces(("work", "0")) is first
    state.shared_paces(("one", "more"))
    assert ("work", "1") not in state.paces
    state.now = RATE_AGE_S_MAX
    assert state.shared_paces(("work", "0")) is not first


@pytest.mark.when_changed
def test_clocks_of_a_large_fleet_are_looked_at_less_often_though_somebody_waits() -> None:
    driver = Driver()
    for number in range(1, 401):
        driver.ready(number)
    state = driver.scheduler._state
    driver.submit(question_spec(1, -1))
    assert state.tick_at == state.now + 400 * TICK_ANALYSER_S
    for number in range(401, 2001):
        driver.ready(number)
    state.set_tick()
    assert state.tick_at == state.now + TICK_INTERVAL_S


def test_clocks_are_looked_at_sooner_while_somebody_waits() -> None:
    driver = Driver()
    driver.ready(1)
    driver.submit(job_spec(1))
    state = driver.scheduler._state
    state.set_tick()
    assert state.tick_at == TICK_INTERVAL_S
    driver.submit(question_spec(1))
    assert state.tick_at == TICK_QUESTIONS_S
