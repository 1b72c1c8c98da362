"""The choice of the next trials for an analyser, and the state that it is made from."""

from dataclasses import replace

import pytest

from master.contract.commands import HandOut, Unsuited
from master.contract.events import AnalyserReady, EngineOffer, Outcome
from master.scheduler import limits
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
from tests.master.hand_driven import ENGINE, REST_S, Driver, job_spec
from tests.master.question_simulator import question_spec


def test_two_parts_a_worker_are_handed_out_before_anything_is_known() -> None:
    driver = Driver()
    assert driver.submit() == []
    handed = driver.ready(1, workers=3)
    assert [(part.first_seq, part.count) for part in handed] == [(seq, 1) for seq in range(6)]
    assert handed[0] == HandOut(1, 1, 1, 1, 0, 1, "noop/1 job=1")


def test_finished_part_is_followed_by_the_next() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.ready(1)
    first, second = driver.submit()
    assert [part.first_seq for part in driver.finish(first)] == [10]
    assert [part.first_seq for part in driver.finish(second)] == [15]


def test_newest_job_is_served_first_and_older_ones_get_the_rest() -> None:
    driver = Driver(window=4, part_trials=1)
    driver.submit(job_spec(100, job=1))
    driver.submit(job_spec(3, job=2))
    handed = driver.ready(1)
    assert [(part.job, part.first_seq) for part in handed] == [(2, 0), (2, 1), (2, 2), (1, 0)]


def test_nothing_is_handed_out_beyond_the_lead_until_the_head_is_in() -> None:
    driver = Driver(window=64, part_trials=10)
    driver.submit(job_spec(10_000))
    parts = driver.ready(1)
    while len(parts) > 1:
        parts = [*parts[:1], *(new for part in parts[1:] for new in driver.finish(part))]
    lead = driver.scheduler.lead(1)
    assert driver.scheduler._state.jobs[1].next_seq == lead
    assert [part.first_seq for part in driver.finish(parts[0])][:1] == [lead]


def test_other_engines_get_nothing_and_the_reason_is_said_once() -> None:
    driver = Driver()
    driver.submit()
    assert driver.ready(1, engine="0123456789abcdef") == []
    assert driver.ready(2, game="chess") == []
    texts = [command.text for command in driver.all(Unsuited)]
    assert len(texts) == 2
    assert "0123456789abcdef" in texts[0]
    assert "does not play noop" in texts[1]
    driver.wait(2.0)
    assert len(driver.all(Unsuited)) == 2


def test_an_analyser_with_another_engine_is_not_ready_while_no_job_suits_it() -> None:
    driver = Driver()
    hash_64 = EngineOffer("noop", "0" * 16, 1.0, name="Stockfish 15.1, Hash 64")
    driver.do(AnalyserReady(1, "attic", 2, (hash_64,)))
    (line,) = driver.scheduler.analysers()
    assert (line.state, line.text) == ("ready", "")
    driver.submit(replace(job_spec(), engine_name="Stockfish 15.1, Hash 16"))
    (line,) = driver.scheduler.analysers()
    assert line.state == "unsuited"
    assert line.text == (
        "attic has another noop engine, Stockfish 15.1, Hash 64 (0000000000000000), and this needs"
        f" Stockfish 15.1, Hash 16 ({ENGINE}): start it with the same --engine and options, or ask"
        " for its engine: --engine 0000000000000000"
    )
    assert driver.scheduler.analyser_counts() == (1, 0, 0)
    driver.submit(replace(job_spec(), job=2, engine="0" * 16))
    assert [each.state for each in driver.scheduler.analysers()] == ["ready"]


def test_parts_shrink_towards_the_end() -> None:
    driver = Driver()
    driver.submit(job_spec(400))
    sizes, parts = list[int](), driver.ready(1)
    while parts:
        part = parts.pop(0)
        sizes.append(part.count)
        for skip in range(part.count):
            driver.now += 0.01
            driver.send(part, 1, skip)
            parts += driver.latest(HandOut)
        parts += driver.end(part)
    assert max(sizes) > 40
    assert sizes[-1] <= 2


def test_announced_power_sizes_the_first_parts_of_newcomers() -> None:
    driver = Driver()
    driver.submit(job_spec(100_000))
    parts = driver.ready(1, power=10.0)
    for _ in range(20):
        driver.now += 0.01 * parts[0].count
        parts = [*parts[1:], *driver.finish(parts[0])]
    rate = driver.scheduler.analysers()[0].trials_per_s
    assert rate > 0
    small, large = driver.ready(2, power=5.0), driver.ready(3, power=20.0)
    assert 3 <= large[0].count / small[0].count <= 5


def test_analyser_that_would_be_last_gets_nothing() -> None:
    driver = Driver()
    driver.submit(job_spec(40))
    state = driver.scheduler._state
    fast, slow = driver.ready(1), driver.ready(2)
    job = state.jobs[1]
    for number, rate in ((1, 10.0), (2, 0.1)):
        job.paces[number].rate, job.paces[number].is_observed = rate, True
    driver.wait(0.25)
    assert driver.finish(slow[0]) == []
    assert driver.finish(fast[0]) != []


def test_trial_somebody_died_of_is_left_to_others() -> None:
    driver = Driver(window=1, part_trials=1)
    driver.submit(job_spec(10))
    driver.ready(1, "flaky")
    driver.ready(2, "steady")
    driver.lose(1)
    (again,) = driver.ready(3, "flaky")
    assert again.first_seq == 2
    driver.wait(REST_S)
    (second,) = driver.finish(driver.all(HandOut)[1])
    assert (second.first_seq, second.attempt, second.analyser) == (0, 2, 2)


def test_trial_that_failed_on_one_host_is_left_to_another_host() -> None:
    driver = Driver(window=1, part_trials=1)
    driver.submit(job_spec(10))
    (failed,) = driver.ready(1, "first", host="here")
    (steady,) = driver.ready(2, "steady", host="there")
    driver.end(failed, Outcome.FAIL, "engine-error")
    driver.lose(1, is_orderly=True)
    driver.wait(REST_S)
    (renamed,) = driver.ready(3, "renamed", host="here")
    assert renamed.first_seq != failed.first_seq
    assert [part.first_seq for part in driver.finish(steady)] == [failed.first_seq]


def test_trial_somebody_died_of_is_tried_again_where_there_is_nobody_else() -> None:
    driver = Driver(window=1, part_trials=1)
    driver.submit(job_spec(10))
    driver.ready(1, "only")
    driver.lose(1)
    driver.now += REST_S
    (again,) = driver.ready(2, "only")
    (last,) = driver.finish(again)
    assert {(part.first_seq, part.attempt) for part in (again, last)} == {(0, 2), (1, 1)}


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


def test_limits_that_depend_on_each_other_agree() -> None:
    assert limits.LEAD_TRIALS_MAX >= 2 * limits.PART_TRIALS_MAX * limits.LEAD_CAPACITIES
    assert limits.STALL_S_MIN < limits.STALL_S_MAX
    assert limits.TICK_INTERVAL_S < limits.PART_TARGET_S
    assert limits.WINDOW_MAX <= limits.WINDOW_OUTSTANDING_MAX
    assert limits.TWINS_MAX < limits.DEATHS_MAX


def test_lost_trials_are_found() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit()
    driver.ready(1)
    state = driver.scheduler._state
    job = state.jobs[1]
    job.grant_fresh(3)
    with pytest.raises(AssertionError, match="nobody's"):
        driver.scheduler.validate_state()


def test_window_that_is_exceeded_is_found() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit()
    driver.ready(1)
    driver.scheduler._state.options = type(driver.scheduler._state.options)(window=1)
    with pytest.raises(AssertionError, match="window"):
        driver.scheduler.validate_state()
