"""What follows from who holds which parts."""

import pytest

from master.contract.commands import HandOut
from master.contract.events import AnalyserReady, AnswerArrived, EngineOffer
from master.contract.job_words import Priority
from master.contract.leases import Life
from master.scheduler.jobs import Analyser
from tests.master.hand_driven import ENGINE, Driver
from tests.master.question_simulator import SERVICES, question_spec


def test_only_the_first_parts_of_a_queue_are_running() -> None:
    driver = Driver(window=4, part_trials=1)
    driver.submit()
    handed = driver.ready(1, workers=2)
    assert len(handed) == 4
    analyser = driver.scheduler._state.analysers[1]
    assert [lease.first for lease in analyser.running()] == [0, 1]
    next(iter(analyser.leases.values())).live(Life.STALLED)
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


def held_by(driver: Driver) -> Analyser:
    return driver.scheduler._state.analysers[1]


def ask_beside_background() -> Driver:
    driver = Driver()
    offers = (EngineOffer("noop", ENGINE, 1.0, SERVICES),)
    driver.do(AnalyserReady(1, "a", 1, offers))
    driver.submit(question_spec(9, -1, Priority.BACKGROUND))
    return driver


@pytest.mark.parametrize("priority", [Priority.ASKED, Priority.URGENT])
def test_all_other_work_goes_before_background_questions(priority: Priority) -> None:
    driver = ask_beside_background()
    background = list(held_by(driver).leases.values())
    driver.now = 1.0
    (part,) = driver.submit(question_spec(1, -2, priority))
    assert part.is_urgent
    lease = held_by(driver).leases[part.part, part.attempt]
    assert next(held_by(driver).in_order()) is lease
    assert lease.begun_at == 1.0
    assert all(other.was_paused for other in background)
    assert held_by(driver).held_below(priority) == len(background)
    assert held_by(driver).urgent_count == 1


def test_question_that_waited_begins_when_the_one_before_it_is_answered() -> None:
    driver = ask_beside_background()
    first, second, *_ = driver.all(HandOut)
    leases = held_by(driver).leases
    assert leases[second.part, second.attempt].begun_at is None
    driver.now = 3.0
    driver.do(AnswerArrived(1, first.part, first.attempt, "text"))
    driver.end(first)
    assert leases[second.part, second.attempt].begun_at == 3.0
