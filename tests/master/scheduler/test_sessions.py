import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.contract.commands import HandOut, Incident, JobEnded, StopPart, Unsuited
from master.contract.events import (
    AnalyserDraining,
    AnalyserResized,
    EngineOffer,
    JobHalted,
    Outcome,
)
from tests.master.hand_driven import ENGINE, Driver, job_spec


def test_parts_wait_for_a_session_within_its_grace() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit()
    first, second = driver.ready(1)
    assert driver.lose(1, grace_s=5.0) == []
    assert driver.scheduler.analysers()[0].state == "away"
    driver.wait(4.0)
    assert driver.ready(1) == []
    assert [part.first_seq for part in driver.finish(first)] == [10]
    assert [part.first_seq for part in driver.finish(second)] == [15]


def test_parts_are_handed_out_again_when_the_grace_is_over() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    driver.ready(1)
    driver.lose(1, grace_s=0.8)
    driver.wait(0.79)
    assert driver.scheduler.analysers() != []
    driver.wait(0.02)
    assert driver.scheduler.analysers() == []
    assert [part.first_seq for part in driver.ready(2)] == [1]
    driver.ready(3)
    assert [part.first_seq for part in driver.rest()] == [0]


def test_lost_for_good_ends_the_grace() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit()
    driver.ready(1)
    driver.lose(1, grace_s=5.0)
    driver.lose(1)
    assert driver.scheduler.analysers() == []
    assert driver.lose(1) == []


def test_idle_analyser_takes_over_from_one_that_is_away() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    (part,) = driver.ready(1)
    driver.ready(2)
    driver.lose(1, grace_s=60.0)
    driver.wait(0.5)
    twin = driver.all(HandOut)[-1]
    assert (twin.analyser, twin.part, twin.attempt) == (2, part.part, 2)


def test_draining_analyser_finishes_and_gets_nothing_new() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit()
    first, second = driver.ready(1)
    driver.do(AnalyserDraining(1))
    assert driver.finish(first) == []
    assert driver.finish(second) == []
    assert driver.scheduler.analysers()[0].state == "draining"
    assert [part.first_seq for part in driver.ready(2)] == [10, 15]


def test_draining_idle_analyser_is_not_fed() -> None:
    driver = Driver()
    driver.ready(1)
    driver.do(AnalyserDraining(1))
    driver.do(AnalyserDraining(99))
    assert driver.submit() == []


def test_part_that_was_lost_on_the_way_is_handed_out_again_without_blame() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit(job_spec(10))
    first, second = driver.ready(1)
    driver.progress(first, 1)
    driver.lose(1, grace_s=5.0)
    driver.wait(1.0)
    driver.ready(1)
    driver.finish(first)
    said = driver.wait(70.0)
    again = [command for command in said if isinstance(command, HandOut)]
    assert [(part.analyser, part.first_seq, part.attempt) for part in again] == [(1, 5, 2)]
    assert not [i for i in driver.all(Incident) if "part" in i.text and again == []]
    driver.finish(again[0])
    assert driver.all(JobEnded)
    driver.end(second, Outcome.STOPPED)


def test_request_to_stop_is_repeated_to_a_session_that_comes_back() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit()
    first, second = driver.ready(1)
    driver.lose(1, grace_s=60.0)
    driver.do(JobHalted(1))
    driver.wait(6.0)
    assert driver.all(JobEnded)
    assert not driver.all(StopPart)
    driver.ready(1)
    assert [stop.part for stop in driver.latest(StopPart)] == [first.part, second.part]


def offers(power: float = 1.0, engine: str = ENGINE) -> tuple[EngineOffer, ...]:
    return (EngineOffer("noop", engine, power),)


def resize(driver: Driver, workers: int, power: float = 1.0) -> list[HandOut]:
    driver.do(AnalyserResized(1, workers, offers(power)))
    return driver.latest(HandOut)


def test_further_workers_are_handed_parts_at_once() -> None:
    driver = Driver(part_trials=5)
    driver.submit()
    assert len(driver.ready(1)) == 2
    assert len(resize(driver, 4)) == 6
    (status,) = driver.scheduler.analysers()
    assert (status.workers, status.parts) == (4, 8)


def test_with_fewer_workers_parts_go_on_and_no_new_ones_come_before_they_are_few() -> None:
    driver = Driver(part_trials=5)
    driver.submit()
    handed = driver.ready(1, workers=4)
    assert resize(driver, 1) == []
    for part in handed[:6]:
        assert driver.finish(part) == []
    assert len(driver.finish(handed[6])) == 1


def test_a_rate_is_that_of_the_workers_there_are() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit(job_spec(10_000))
    waiting = driver.ready(1, workers=2)
    for _ in range(20):
        driver.wait(0.1)
        waiting = [part for done in waiting for part in driver.finish(done)]
    (before,) = driver.scheduler.analysers()
    assert before.trials_per_s > 0
    resize(driver, 6)
    (after,) = driver.scheduler.analysers()
    assert after.trials_per_s == pytest.approx(3 * before.trials_per_s)


def test_a_game_that_has_come_is_handed_out() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit()
    assert driver.ready(1, engine="f" * 16) == []
    assert driver.latest(Unsuited) != []
    (part,) = resize(driver, 1)
    assert part.first_seq == 0


def test_a_session_that_comes_back_may_have_grown() -> None:
    driver = Driver(part_trials=5)
    driver.submit()
    assert len(driver.ready(1)) == 2
    driver.lose(1, grace_s=5.0)
    assert len(driver.ready(1, workers=3)) == 4


def test_nobody_is_resized_who_is_gone() -> None:
    driver = Driver(part_trials=5)
    driver.submit()
    assert resize(driver, 3) == []


@given(st.lists(st.tuples(st.sampled_from(["resize", "finish", "wait"]), st.integers(1, 20))))
def test_any_sizes_give_each_trial_once(doings: list[tuple[str, int]]) -> None:
    driver = Driver(part_trials=3)
    driver.submit(job_spec(40))
    waiting = driver.ready(1)
    for what, number in doings:
        if what == "resize":
            waiting += resize(driver, number)
        elif what == "finish" and waiting:
            waiting += driver.finish(waiting.pop(number % len(waiting)))
        else:
            driver.wait(number / 100)
    while waiting:
        waiting += driver.finish(waiting.pop(0))
    assert driver.all(JobEnded) != []
