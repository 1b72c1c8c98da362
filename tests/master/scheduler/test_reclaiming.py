"""Analysers that come, change and go, and the work that is taken back from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.contract.commands import (
    HandOut,
    Incident,
    IncidentKind,
    JobEnded,
    JudgeHere,
    Quarantine,
    StopPart,
    StoppedBy,
    StoreTrials,
    Unsuited,
    WithdrawTrials,
)
from master.contract.events import (
    AnalyserDraining,
    AnalyserLost,
    AnalyserResized,
    EngineOffer,
    JobHalted,
    Judged,
    Outcome,
    Verdict,
)
from master.scheduler.job_trials import NOBODY
from master.scheduler.limits import STALL_S_MAX, STALL_S_MIN, UNJUDGED_DEATHS_MAX
from tests.master.hand_driven import ENGINE, REST_S, Driver, job_spec, value_of


def test_trials_of_the_parts_of_a_lost_analyser_go_to_the_front() -> None:
    driver = Driver(window=3, part_trials=5)
    driver.submit()
    first, second, _ = driver.ready(1)
    driver.ready(2)
    driver.send(first, 2)
    driver.lose(1, is_orderly=True)
    assert driver.all(WithdrawTrials) == [WithdrawTrials(1, ((0, 2),))]
    handed = driver.ready(3)
    assert [(part.first_seq, part.count) for part in handed] == [(0, 2), (2, 3), (5, 5)]
    assert [(part.part, part.attempt) for part in handed][1:] == [(first.part, 2), (second.part, 2)]


def lose_three_at_a_trial() -> Driver:
    """Return a driver whose trial 3 was lost with three analysers, one after another."""
    driver = Driver(window=1, part_trials=5)
    driver.submit()
    (part,) = driver.ready(1)
    driver.send(part, 3)
    driver.lose(1)
    driver.now += REST_S
    (before,) = driver.ready(2)
    assert (before.first_seq, before.count) == (0, 3)
    (part,) = driver.finish(before)
    for analyser in (2, 3):
        if analyser == 3:
            driver.now += REST_S
            (other,) = driver.ready(3)
            (part,) = driver.finish(other)
        assert (part.first_seq, part.count) == (3, 1)
        assert not driver.all(JudgeHere)
        driver.lose(analyser)
    return driver


def test_trial_that_is_lost_with_three_is_tried_alone_and_then_repeated_here() -> None:
    driver = lose_three_at_a_trial()
    (asked,) = driver.all(JudgeHere)
    assert (asked.job, asked.seq, asked.context) == (1, 3, "noop/1 job=1")
    assert [i.kind for i in driver.all(Incident)] == [IncidentKind.JUDGED_HERE]
    assert not driver.all(JobEnded)


def test_trial_that_fails_here_too_is_buried_by_name() -> None:
    driver = lose_three_at_a_trial()
    driver.judge(Verdict.FAILED, "the child was ended by SIGSEGV")
    (ended,) = driver.all(JobEnded)
    assert ended.stopped_by is StoppedBy.FAILED
    assert ended.text == (
        "trial 3 of job 1 is given up: the child was ended by SIGSEGV (a1, a2, a3)"
    )
    assert driver.ready(4) == []


def test_trial_that_is_computed_here_counts_and_its_job_goes_on() -> None:
    driver = lose_three_at_a_trial()
    driver.judge(Verdict.COMPUTED)
    assert StoreTrials(1, NOBODY, 3, [value_of(3)]) in driver.last
    assert not driver.all(JobEnded)
    left = driver.ready(4)
    while left:
        left += driver.finish(left.pop(0))
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.TRIALS)]
    fold = driver.scheduler.fold(1)
    assert [fold.values_at(seq) for seq in range(100)] == [value_of(seq) for seq in range(100)]


def test_value_that_is_wrong_here_too_buries_the_trial() -> None:
    driver = lose_three_at_a_trial()
    driver.do(Judged(1, 3, Verdict.COMPUTED, (float("nan"),)))
    (ended,) = driver.all(JobEnded)
    assert ended.stopped_by is StoppedBy.FAILED


def test_trial_that_cannot_be_repeated_here_is_handed_out_until_much_speaks_against_it() -> None:
    driver = lose_three_at_a_trial()
    judged = 0
    for analyser in range(4, 4 + UNJUDGED_DEATHS_MAX):
        while len(driver.all(JudgeHere)) > judged:
            asked = driver.all(JudgeHere)[judged]
            driver.do(Judged(asked.job, asked.seq, Verdict.UNKNOWN, text="no such engine"))
            judged += 1
        if driver.all(JobEnded):
            break
        driver.now += REST_S
        (part,) = driver.ready(analyser)
        while part.first_seq != 3:
            (part,) = driver.finish(part)
        driver.lose(analyser)
    assert analyser == UNJUDGED_DEATHS_MAX + 1
    assert driver.all(JobEnded)[0].stopped_by is StoppedBy.FAILED


def test_verdict_of_a_job_that_is_gone_is_dropped() -> None:
    driver = lose_three_at_a_trial()
    driver.do(JobHalted(1))
    assert driver.judge(Verdict.COMPUTED) == []
    driver.scheduler.forget(1)
    assert driver.judge(Verdict.FAILED) == []


def test_mass_disconnect_is_one_loss_however_many_connections_are_dead() -> None:
    driver = Driver(window=1, part_trials=1)
    for analyser in range(1, 41):
        driver.ready(analyser)
    driver.submit()
    for analyser in range(1, 41):
        driver.lose(analyser)
    suspicions = driver.scheduler._state.jobs[1].suspicions
    assert {len(each.names) for each in suspicions.values()} == {1}
    assert [part.first_seq for part in driver.all(HandOut)].count(0) == 1


@pytest.mark.parametrize("breach", ["bad value", "bad part", "protocol"])
def test_broken_rules_never_count_against_a_trial(breach: str) -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit()
    for analyser in range(1, 20):
        (part,) = driver.ready(analyser, f"renamed{analyser}")
        assert part.first_seq == 0
        if breach == "bad value":
            driver.send_values(part, 0, (float("nan"),))
        elif breach == "bad part":
            driver.send_values(part, 99, value_of(99))
        else:
            driver.do(AnalyserLost(analyser, "bad-result: no", breach="bad-result"))
        driver.wait(REST_S)
    assert len(driver.all(Quarantine)) == 19
    assert not driver.all(JudgeHere)
    assert not driver.all(JobEnded)


def test_orderly_leaving_is_nobodys_death() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit()
    for analyser in range(1, 9):
        (part,) = driver.ready(analyser)
        assert (part.first_seq, part.count) == (0, 5)
        driver.lose(analyser, is_orderly=True)
    assert not driver.all(JobEnded)


def test_parts_that_only_waited_are_not_blamed() -> None:
    driver = Driver(window=3, part_trials=5)
    driver.submit()
    driver.ready(1, workers=2)
    driver.lose(1)
    assert sorted(driver.scheduler._state.jobs[1].suspicions) == [0, 5]


def test_trial_that_is_computed_after_all_clears_its_deaths() -> None:
    driver = Driver(window=1, part_trials=1)
    driver.submit()
    driver.ready(1)
    driver.lose(1)
    driver.now += REST_S
    (other,) = driver.ready(2)
    (again,) = driver.finish(other)
    assert list(driver.scheduler._state.jobs[1].suspicions) == [again.first_seq]
    driver.finish(again)
    assert driver.scheduler._state.jobs[1].suspicions == {}


def test_end_of_a_job_stops_what_is_still_out() -> None:
    driver = Driver(window=2, part_trials=1)
    driver.submit(job_spec(None, stop_se=100.0))
    parts = driver.ready(1)
    while not driver.all(JobEnded):
        parts += driver.finish(parts.pop(0))
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.STOP_SE)]
    stopped = [(stop.part, stop.attempt) for stop in driver.all(StopPart)]
    assert stopped == [(part.part, part.attempt) for part in parts][: len(stopped)]
    for part in parts:
        driver.end(part, Outcome.STOPPED)
    assert driver.scheduler.analysers()[0].parts == 0
    assert driver.scheduler.next_deadline is None


def test_twin_still_at_work_keeps_a_lost_part_from_going_back() -> None:
    driver = Driver(window=1, part_trials=10)
    driver.submit(job_spec(10))
    (slow,) = driver.ready(1)
    driver.ready(2)
    driver.wait(12.0)
    (twin,) = [part for part in driver.all(HandOut) if part.analyser == 2]
    assert (twin.part, twin.attempt) == (slow.part, 2)
    driver.lose(1, is_orderly=True)
    assert driver.ready(3) == []
    driver.finish(twin)
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.TRIALS)]


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


def paced(driver: Driver, job: int = 1, **rates: float) -> None:
    """Set observed rates by analysers' names."""
    state = driver.scheduler._state
    for number, pace in state.jobs[job].paces.items():
        pace.rate, pace.is_observed = rates[state.analysers[number].name], True


def test_late_head_is_handed_to_an_idle_analyser_as_well() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(10))
    (head,) = driver.ready(1)
    (other,) = driver.ready(2)
    driver.finish(other)
    driver.send(head, 2)
    driver.wait(12.0)
    twin = driver.all(HandOut)[-1]
    assert (twin.analyser, twin.part, twin.attempt) == (2, head.part, 2)
    assert (twin.first_seq, twin.count) == (2, 3)
    driver.send(twin)
    assert (1, head.part, 1) in [(s.analyser, s.part, s.attempt) for s in driver.all(StopPart)]
    driver.end(twin)
    assert not driver.all(JobEnded), "two of the results have no right end yet"
    driver.wait(0.5)
    again = driver.all(HandOut)[-1]
    assert (again.analyser, again.first_seq, again.count) == (2, 0, 2)
    driver.finish(again)
    assert driver.all(JobEnded)


def test_fastest_idle_analyser_helps() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    (head,) = driver.ready(1)
    for number in (2, 3, 4):
        driver.ready(number)
    paced(driver, a1=1.0, a2=2.0, a3=8.0, a4=4.0)
    driver.wait(1.0)
    twins = [part for part in driver.all(HandOut) if part.attempt == 2]
    assert [(twin.analyser, twin.part) for twin in twins] == [(3, head.part)]


def test_part_is_never_at_more_than_two_at_a_time() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    for number in range(1, 6):
        driver.ready(number)
    driver.wait(50.0)
    assert len(driver.all(HandOut)) == 2


def test_slower_analyser_does_not_help() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    driver.ready(1)
    driver.ready(2)
    paced(driver, a1=4.0, a2=4.0)
    driver.wait(1.0)
    assert len(driver.all(HandOut)) == 1


def test_part_that_stands_still_goes_elsewhere_and_its_analyser_gets_nothing() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(20))
    driver.ready(1)
    paced(driver, a1=10.0)
    driver.wait(STALL_S_MIN + 1.0)
    assert [i.kind for i in driver.all(Incident)] == [IncidentKind.STALLED]
    assert driver.scheduler.analysers()[0].state == "suspect"
    driver.wait(REST_S)
    (again,) = driver.ready(2)
    assert (again.first_seq, again.count) == (0, 1)


def test_progress_keeps_a_slow_part_where_it_is() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    (part,) = driver.ready(1)
    paced(driver, a1=10.0)
    for steps in range(1, 60):
        driver.wait(1.0)
        driver.progress(part, steps)
    assert not driver.all(Incident)


def test_part_is_stalled_after_a_minute_when_nothing_is_known() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    driver.ready(1)
    driver.wait(STALL_S_MAX - 1.0)
    assert not driver.all(Incident)
    driver.wait(2.0)
    assert [i.kind for i in driver.all(Incident)] == [IncidentKind.STALLED]


def test_suspect_that_moves_again_is_trusted_again_and_its_results_count() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(20))
    (part,) = driver.ready(1)
    paced(driver, a1=10.0)
    driver.wait(STALL_S_MIN + 1.0)
    driver.send(part)
    assert driver.scheduler.fold(1).folded == 5
    assert driver.scheduler.analysers()[0].state == "ready"
    assert [part.first_seq for part in driver.end(part)] == [5]


def test_parts_that_wait_in_a_queue_are_not_stalled() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit(job_spec(20))
    first, _ = driver.ready(1)
    paced(driver, a1=10.0)
    for steps in range(1, 30):
        driver.wait(1.0)
        driver.progress(first, steps)
    assert not driver.all(Incident)


def test_nothing_is_due_without_work() -> None:
    driver = Driver()
    driver.ready(1)
    assert driver.scheduler.next_deadline is None
    driver.submit(job_spec(1))
    assert driver.scheduler.next_deadline is not None


def test_part_that_stops_and_goes_counts_as_one_death() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    (part,) = driver.ready(1)
    for steps in range(1, 6):
        driver.wait(STALL_S_MAX + 1.0)
        driver.progress(part, steps)
    assert len(driver.all(Incident)) == 5
    assert driver.scheduler._state.jobs[1].suspects(0) == ["a1"]
    driver.finish(part)
    assert driver.all(JobEnded)
