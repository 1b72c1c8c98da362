"""Results that differ, and trials at which analysers are lost: no job is lost by them."""

import random
from dataclasses import replace
from functools import partial

import pytest

from master.contract.commands import (
    CorrectAnswer,
    CorrectTrial,
    HandOut,
    Incident,
    IncidentKind,
    JobEnded,
    JudgeHere,
    Quarantine,
    StopPart,
    StoppedBy,
    Withdrawn,
)
from master.contract.events import (
    AnalyserLost,
    AnalyserReady,
    AnswerArrived,
    EngineOffer,
    JobSpec,
    PartEnded,
    TrialsArrived,
)
from master.contract.events import Outcome as Ending
from master.contract.goals import Goal
from tests.master.hand_driven import Driver, value_of
from tests.master.hand_driven import job_spec as driven_job
from tests.master.question_simulator import SERVICES, question_spec
from tests.master.simulator import (
    ENGINE,
    Character,
    Fleet,
    SimulatedAnalyser,
    Work,
    replay,
    straight_summary,
    trial_values,
)

WRONG = (99.0,)


def twins(trials: int = 10) -> tuple[Driver, HandOut, HandOut]:
    """Return a driver with one part at two analysers."""
    driver = Driver(window=1, part_trials=trials)
    driver.submit(driven_job(trials))
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


KILLED_EVERY_S = 14.0
HOUR_S = 3600.0
BREACHES = ("range", "misfit", "protocol", "fail", "bad-context", "death")


def job_spec(trials: int) -> JobSpec:
    spec = JobSpec(1, "noop/1 job=1", "noop", ENGINE, 2, 2, Goal(trials))
    return replace(spec, value_ranges=((-3.0, 3.0), (-3.0, 3.0)))


def check_done(fleet: Fleet, spec: JobSpec) -> None:
    assert fleet.ended[1].stopped_by == "trials", fleet.ended[1].text
    assert fleet.scheduler.fold(1).summary() == straight_summary(spec, trial_values)
    assert replay(fleet.log, None) == fleet.commands


class KilledFleet(Fleet):
    """Every analyser is killed at the same moments, as by one power cut, and comes again."""

    def __init__(self, seed: int, count: int, trial_s: float) -> None:
        super().__init__(seed)
        self.validate_every = 200
        for index in range(count):
            self.join(Character(f"a{index}", trial_s=trial_s, rejoin_s=0.5 + index / 10))
        self.at(KILLED_EVERY_S, self.kill_all)

    def kill_all(self) -> None:
        for analyser in list(self.sessions.values()):
            self.crash(analyser)
        if self.now < HOUR_S:
            self.at(KILLED_EVERY_S, self.kill_all)


@pytest.mark.slow
@pytest.mark.parametrize("trial_s", [1.0, 20.0])
@pytest.mark.when_changed
def test_job_outlasts_an_hour_in_which_all_are_killed_every_14_s(trial_s: float) -> None:
    fleet = KilledFleet(1, count=2, trial_s=trial_s)
    fleet.judged_s = trial_s
    spec = job_spec(round(HOUR_S / trial_s / 2))
    fleet.submit(spec)
    fleet.run_job(1)
    assert fleet.now > HOUR_S / 2
    check_done(fleet, spec)


class StormyFleet(Fleet):
    """Connections break all at once; their ends are read one by one, and all come again as new."""

    def storm(self, read_s: float) -> None:
        """Have all connections break; each end takes some time to be read."""
        sessions = [each for each in self.sessions.values() if each.is_alive]
        for index, analyser in enumerate(sessions):
            analyser.is_alive = False
            lost = AnalyserLost(analyser.number, "lost")
            self.at(index * read_s, partial(self.deliver, lost))
            self.at(len(sessions) * read_s + 0.1, partial(self.connect, analyser.character))


@pytest.mark.slow
@pytest.mark.parametrize("read_s", [0.0, 0.002])
@pytest.mark.when_changed
def test_job_outlasts_a_hundred_storms_of_reconnects(read_s: float) -> None:
    fleet = StormyFleet(1)
    fleet.validate_every = 10**9
    count = 50
    for index in range(count):
        fleet.join(Character(f"a{index}", trial_s=1.0 + index % 3))
    spec = job_spec(4000)
    fleet.submit(spec)
    for number in range(100):
        fleet.at(2.0 + 2.0 * number, partial(fleet.storm, read_s))
    fleet.run_job(1)
    assert fleet.session_count > 20 * count
    check_done(fleet, spec)


@pytest.mark.slow
@pytest.mark.when_changed
def test_job_outlasts_storms_of_a_thousand_reconnects() -> None:
    fleet = StormyFleet(1)
    fleet.validate_every = 10**9
    for index in range(1000):
        fleet.join(Character(f"a{index}", trial_s=3.0))
    spec = job_spec(3000)
    fleet.submit(spec)
    for number in range(4):
        fleet.at(2.0 + 6.0 * number, partial(fleet.storm, 0.002))
    fleet.run_job(1)
    check_done(fleet, spec)


class RuleBreaker(SimulatedAnalyser):
    """Breaks a rule with the first trial of every part, or says that it cannot be computed."""

    def finish_trial(self, work: Work) -> None:
        if not self.is_alive:
            return
        key, breach = (self.number, work.part, work.attempt), self.character.breach
        if breach == "death":
            self.fleet.crash(self)
        elif breach in ("fail", "bad-context"):
            code = "bad-context" if breach == "bad-context" else "engine-error"
            self.send(PartEnded(*key, Ending.FAIL, 0, code, "no"), 0.0)
            del self.running[work.part, work.attempt]
            self.start()
        elif breach == "range":
            self.send(TrialsArrived(*key, work.next, [(4.0, 0.0)]), 0.0)
        elif breach == "misfit":
            self.send(TrialsArrived(*key, work.end, [(0.5, 0.5)]), 0.0)
        else:
            self.send(AnalyserLost(self.number, "bad-result: no", breach="bad-result"), 0.0)


class BrokenFleet(Fleet):
    """Rule-breakers that come again under new names at once, beside an honest analyser."""

    def new_analyser(self, character: Character) -> SimulatedAnalyser:
        kind = RuleBreaker if character.breach else SimulatedAnalyser
        return kind(self, self.session_count, character)

    def renamed(self, breach: str, count: int) -> None:
        for number in range(count):
            breaker = Character(f"renamed{number}", trial_s=0.01, breach=breach, rejoin_s=1e6)
            self.at(number * 0.1, partial(self.connect, breaker))


@pytest.mark.parametrize("breach", BREACHES)
def test_job_outlasts_a_hundred_renaming_rule_breakers(breach: str) -> None:
    fleet = BrokenFleet(1)
    fleet.validate_every = 50
    fleet.join(Character("honest", trial_s=0.05))
    spec = job_spec(100)
    fleet.submit(spec)
    fleet.renamed(breach, 100)
    fleet.run_job(1)
    check_done(fleet, spec)


@pytest.mark.parametrize("can_judge", [True, False])
def test_trial_that_kills_every_engine_is_named_after_few_machines(can_judge: bool) -> None:
    fleet = Fleet(1)
    fleet.can_judge = can_judge
    fleet.poison = frozenset({37})
    for index in range(8):
        fleet.join(Character(f"a{index}", trial_s=0.02, rejoin_s=0.2))
    fleet.submit(job_spec(200))
    fleet.run_job(1, limit_s=120.0)
    assert fleet.ended[1].stopped_by == "failed"
    assert "trial 37 of job 1" in fleet.ended[1].text
    deaths = fleet.session_count - 8
    assert deaths <= (6 if can_judge else 32)
    assert all(isinstance(each, JudgeHere) and each.seq == 37 for each in fleet.judged)


@pytest.mark.parametrize("seed", range(4))
def test_losses_are_judged_the_same_when_a_log_runs_again(seed: int) -> None:
    fleet = Fleet(seed)
    rng = random.Random(seed)
    for index in range(4):
        crashes = [rng.uniform(0.1, 2.0) for _ in range(12)]
        fleet.join(Character(f"a{index}", trial_s=2.0, crash_at=crashes, rejoin_s=0.6))
    fleet.submit(job_spec(10))
    fleet.run_job(1)
    assert fleet.judged
    check_done(fleet, job_spec(10))
