import pytest

from master.contract.commands import (
    CorrectAnswer,
    CorrectTrial,
    HandOut,
    Incident,
    IncidentKind,
    JobEnded,
    Quarantine,
    StopPart,
    StoppedBy,
    Withdrawn,
)
from master.contract.events import AnalyserReady, AnswerArrived, EngineOffer
from tests.master.hand_driven import ENGINE, Driver, job_spec, value_of
from tests.master.question_simulator import SERVICES, question_spec

WRONG = (99.0,)


def twins(trials: int = 10) -> tuple[Driver, HandOut, HandOut]:
    """Return a driver with one part at two analysers."""
    driver = Driver(window=1, part_trials=trials)
    driver.submit(job_spec(trials))
    (one,) = driver.ready(1)
    driver.ready(2)
    driver.wait(12.0)
    (other,) = [part for part in driver.all(HandOut) if part.analyser == 2]
    return driver, one, other


def kinds(driver: Driver) -> list[IncidentKind]:
    return [incident.kind for incident in driver.all(Incident)]


def test_late_twin_with_equal_values_changes_nothing() -> None:
    driver, one, other = twins()
    driver.send(one, 3)
    driver.send(other, 3)
    assert kinds(driver) == []
    assert driver.scheduler.duplicate_count == 3


def test_third_analyser_settles_for_the_first_result() -> None:
    driver, one, other = twins()
    driver.send(one, 3)
    driver.send_values(other, 0, value_of(0), WRONG)
    assert kinds(driver) == [IncidentKind.TWIN_MISMATCH]
    (referee,) = driver.ready(3)
    assert (referee.first_seq, referee.count) == (1, 1)
    driver.finish(referee)
    assert kinds(driver)[1:] == [IncidentKind.MISMATCH_SETTLED]
    assert [quarantine.analyser for quarantine in driver.all(Quarantine)] == [2]
    assert not driver.all(CorrectTrial)


def test_third_analyser_settles_for_the_late_result_and_the_fold_is_corrected() -> None:
    driver, one, other = twins()
    driver.send_values(one, 0, value_of(0), WRONG, value_of(2))
    driver.send(other, 3)
    (referee,) = driver.ready(3)
    driver.finish(referee)
    assert driver.all(CorrectTrial) == [CorrectTrial(1, 2, 1, value_of(1))]
    assert [quarantine.analyser for quarantine in driver.all(Quarantine)] == [1]
    assert driver.scheduler.fold(1).values_at(1) == value_of(1)
    driver.send(other, skip=3)
    driver.end(other)
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.TRIALS)]


def test_three_different_results_fail_the_job() -> None:
    driver, one, other = twins()
    driver.send(one, 3)
    driver.send_values(other, 0, WRONG)
    (referee,) = driver.ready(3)
    driver.send_values(referee, 0, (98.0,))
    (ended,) = driver.all(JobEnded)
    assert ended.stopped_by is StoppedBy.FAILED
    assert "trial 0" in ended.text


def test_job_waits_for_a_third_that_is_there() -> None:
    driver, one, other = twins()
    driver.send(one, 9)
    driver.send_values(other, 0, WRONG)
    (referee,) = driver.ready(3)
    driver.send(one, skip=9)
    driver.end(one)
    assert not driver.all(JobEnded)
    driver.finish(referee)
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.TRIALS)]


def test_job_ends_without_a_third_when_there_is_none() -> None:
    driver, one, other = twins()
    driver.send(one, 9)
    driver.send_values(other, 0, WRONG)
    driver.send(one, skip=9)
    driver.end(one)
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.TRIALS)]


def test_third_that_is_lost_is_replaced() -> None:
    driver, one, other = twins()
    driver.send(one, 3)
    driver.send_values(other, 0, WRONG)
    driver.ready(3)
    driver.lose(3)
    (again,) = driver.ready(4)
    assert (again.first_seq, again.count) == (0, 1)


def test_analyser_of_the_same_name_is_no_third() -> None:
    driver, one, other = twins()
    driver.send(one, 3)
    driver.send_values(other, 0, WRONG)
    assert driver.ready(3, "a1") == []


def test_third_that_stands_still_is_replaced() -> None:
    driver, one, other = twins()
    driver.send(one, 3)
    driver.send_values(other, 0, WRONG)
    driver.ready(3)
    driver.wait(30.0)
    driver.progress(one, 1)
    driver.wait(31.0)
    (again,) = driver.ready(4)
    assert (again.first_seq, again.count) == (0, 1)


def test_third_with_an_impossible_value_is_no_judge() -> None:
    driver, one, other = twins()
    driver.send(one, 3)
    driver.send_values(other, 0, WRONG)
    (referee,) = driver.ready(3)
    driver.send_values(referee, 0, (0.1,))
    assert [quarantine.code for quarantine in driver.all(Quarantine)] == ["bad-value"]
    assert not driver.all(JobEnded)
    assert [part.first_seq for part in driver.ready(4)] == [0]


def offers(power: float) -> tuple[EngineOffer, ...]:
    return (EngineOffer("noop", ENGINE, power, SERVICES),)


def answer(driver: Driver, part: HandOut, text: str) -> None:
    driver.do(AnswerArrived(part.analyser, part.part, part.attempt, text))


def answer_and_end(driver: Driver, part: HandOut, text: str) -> list[HandOut]:
    answer(driver, part, text)
    return driver.end(part)


@pytest.mark.parametrize(("truth", "liar"), [("early", 1), ("late", 2)])
def test_answers_that_differ_are_settled_by_a_third(truth: str, liar: int) -> None:
    driver = Driver()
    driver.submit(question_spec(3))
    driver.do(AnalyserReady(1, "a1", 1, offers(1.0)))
    zeroth, first = driver.latest(HandOut)
    driver.do(AnalyserReady(2, "a2", 1, offers(5.0)))
    (second,) = driver.latest(HandOut)
    (twin,) = answer_and_end(driver, second, "second")
    assert (twin.first_seq, twin.part, twin.attempt) == (1, first.part, 2)
    answer_and_end(driver, twin, "early")
    assert [stop.part for stop in driver.latest(StopPart)] == [first.part]
    answer_and_end(driver, first, "late")
    assert kinds(driver) == [IncidentKind.TWIN_MISMATCH]
    driver.do(AnalyserReady(3, "a3", 1, offers(1.0)))
    referee = driver.latest(HandOut)[0]
    assert (referee.first_seq, referee.context) == (1, first.context)
    answer_and_end(driver, referee, truth)
    assert [quarantine.analyser for quarantine in driver.all(Quarantine)] == [liar]
    corrected = [CorrectAnswer(-1, 1, 1, "late")] if truth == "late" else []
    assert driver.all(CorrectAnswer) == corrected
    assert zeroth.first_seq == 0
    withdrawn = [2] if liar == 2 else []  # the one other answer of the liar is asked again
    for seq in [0, *withdrawn]:
        asked = [part for part in driver.all(HandOut) if part.first_seq == seq]
        latest = [part for part in asked if part.analyser != liar][-1]
        answer_and_end(driver, latest, ["zeroth", "", "second"][seq])
    assert [(gone.name, gone.count) for gone in driver.all(Withdrawn)] == [
        (f"a{liar}", len(withdrawn))
    ]
    assert driver.scheduler.answers(-1).answers() == ["zeroth", truth, "second"]
    assert [ended.stopped_by for ended in driver.all(JobEnded)] == [StoppedBy.TRIALS]


def test_trials_for_a_question_and_answers_for_trials_are_bad_parts() -> None:
    driver = Driver()
    driver.submit(question_spec(2))
    driver.do(AnalyserReady(1, "a1", 1, offers(1.0)))
    part = driver.latest(HandOut)[0]
    driver.send_values(part, part.first_seq, (0.5,))
    driver.submit()
    part = driver.ready(2)[0]
    answer(driver, part, "text")
    assert kinds(driver) == [IncidentKind.BAD_PART] * 2
    assert [quarantine.analyser for quarantine in driver.all(Quarantine)] == [1, 2]
