"""The number of parts that wait for further analysers."""

import copy
import random
from dataclasses import replace
from math import ceil, inf

import pytest

from master.contract.commands import HandOut
from master.contract.events import (
    AnalyserDraining,
    AnalyserLost,
    AnalyserReady,
    AnswerKnown,
    EngineOffer,
    Event,
    JobExtended,
    JobHalted,
    JobSpec,
    Outcome,
)
from master.contract.goals import Goal
from master.fold.trials import SEQ_MAX
from master.scheduler import Scheduler
from master.scheduler.limits import LEAD_TRIALS_MIN
from tests.master.hand_driven import Driver, job_spec
from tests.master.question_simulator import SERVICES, QuestionFleet, question_spec
from tests.master.simulator import (
    ENGINE,
    Character,
    Fleet,
    SimulatedAnalyser,
    random_character,
    straight_summary,
    trial_values,
)


def waiting(driver: Driver) -> int:
    return driver.scheduler.parts_waiting


def test_nothing_waits_where_no_job_is_active() -> None:
    driver = Driver()
    assert waiting(driver) == 0
    driver.ready(1)
    assert waiting(driver) == 0


def test_work_waits_where_nobody_is() -> None:
    driver = Driver()
    driver.submit(job_spec(100))
    assert waiting(driver) == 100  # nobody knows how long a trial takes
    driver.submit(job_spec(None, 2, stop_se=0.1))
    assert waiting(driver) == 100 + LEAD_TRIALS_MIN
    assert driver.scheduler._state.jobs[2].target == SEQ_MAX


def test_what_analysers_hold_waits_for_nobody() -> None:
    driver = Driver(window=4, part_trials=5)
    driver.submit(job_spec(50))
    assert waiting(driver) == 10
    parts = driver.ready(1)
    assert (len(parts), waiting(driver)) == (4, 6)  # one is computed, three are prefetched
    driver.ready(2)
    assert waiting(driver) == 2
    driver.ready(3)
    assert waiting(driver) == 0


def test_part_that_is_not_whole_is_a_part() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(11))
    assert waiting(driver) == 3
    driver.ready(1)
    assert waiting(driver) == 2


def test_parts_are_those_of_one_worker_of_the_fleet() -> None:
    fleet = Fleet(1)
    fleet.join(Character("a", workers=4, trial_s=0.01))
    fleet.submit(replace(job_spec(100_000), value_count=2))
    fleet.run(lambda: fleet.now > 5.0)
    (job,) = fleet.scheduler._state.active
    per_worker = job.paces.fleet_rate / 4
    assert 80 < per_worker < 120
    assert fleet.scheduler.parts_waiting == -(-job.room // int(per_worker))


def test_fleet_that_went_leaves_its_parts_waiting() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit(job_spec(10))
    parts = driver.ready(1)
    assert waiting(driver) == 0
    driver.send(parts[0])
    driver.lose(1, grace_s=5.0)
    assert waiting(driver) == 0  # it may come back with them
    driver.wait(6.0)
    assert waiting(driver) == 2  # that the first part is done was never said


def test_result_that_is_known_is_not_waited_for() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit(job_spec(10), known=((2, (2.0,)), (7, (0.0,))))
    assert waiting(driver) == 2  # 6 of trials 0 to 7, and 2 fresh ones
    assert driver.scheduler._state.jobs[1].has_piece()


def test_halted_job_waits_for_nobody() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(50))
    (part,) = driver.ready(1)
    driver.do(JobHalted(1))
    assert waiting(driver) == 0
    driver.end(part, Outcome.STOPPED)


def test_extended_job_waits_again() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    driver.ready(1)
    assert waiting(driver) == 0
    driver.do(JobExtended(1, 25))
    assert waiting(driver) == 4


def test_open_dispute_waits_for_a_third() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    (part,) = driver.ready(1)
    driver.send(part, 3)
    driver.lose(1)
    (again,) = driver.ready(2)
    known = again.first_seq
    driver.send_values(again, known, *((-5.0,) for _ in range(again.count)))
    disputes = driver.scheduler._state.jobs[1].disputes
    expected = sum(each.referee is None for each in disputes.values())
    assert waiting(driver) >= expected


def test_question_is_a_part_and_one_that_is_known_waits_no_more() -> None:
    driver = Driver()
    driver.submit(question_spec(6))
    assert waiting(driver) == 6
    driver.do(AnswerKnown(-1, 4, "known"))
    assert waiting(driver) == 5
    driver.do(AnswerKnown(-1, 0, "known"))
    assert waiting(driver) == 4


# The law: 0 exactly when a further analyser would be handed nothing.


def handed_to_a_further_one(scheduler: Scheduler, now: float) -> list[HandOut]:
    """Return what an analyser would be handed that comes now: new, fast, and able to do all.

    A question that somebody is asked already, and would be sooner answered here, is not counted.
    """
    other = copy.deepcopy(scheduler)
    other._state.tick_at = inf  # nothing but its coming counts
    asked = {
        (job.number, lease.first) for job in other._state.active for lease in job.leases
        if job.spec.questions is not None
    }  # fmt: skip
    offers = (EngineOffer("noop", ENGINE, 1e12, SERVICES),)
    commands = other.handle(AnalyserReady(10_000_000, "further", 1, offers), now)
    handed = [each for each in commands if isinstance(each, HandOut)]
    return [each for each in handed if (each.job, each.first_seq) not in asked]


def watch(fleet: Fleet, every: int = 1) -> set[bool]:
    """Have the law checked after events of a fleet; the set says which sides of it were seen."""
    seen = set[bool]()
    deliver, count = fleet.deliver, 0

    def checked(event: Event) -> None:
        nonlocal count
        deliver(event)
        count += 1
        if count % every == 0:
            number = fleet.scheduler.parts_waiting
            handed = handed_to_a_further_one(fleet.scheduler, fleet.now)
            assert (number > 0) == bool(handed), (number, handed)
            seen.add(number > 0)

    fleet.deliver = checked  # type: ignore[method-assign]
    return seen


def trial_spec(rng: random.Random, job: int) -> JobSpec:
    trials, stop_se = rng.choice([(rng.randrange(1, 400), None), (None, 0.3), (200, 0.2)])
    alternatives = rng.randrange(1, 4)
    return JobSpec(job, f"noop/1 job={job}", "noop", ENGINE, alternatives, 2, Goal(trials, stop_se))


def join_crowd(fleet: Fleet, rng: random.Random) -> None:
    """Have one analyser come that stays, and some that may not."""
    fleet.join(Character("survivor", trial_s=0.05))
    for index in range(rng.choice([0, 1, 3, 10])):
        fleet.join(random_character(rng, index, end_s=5.0))


def check_trials(seed: int) -> set[bool]:
    rng = random.Random(seed)
    fleet = Fleet(seed)
    join_crowd(fleet, rng)
    seen = watch(fleet, every=7)
    for job in (1, 2)[: rng.choice([1, 1, 2])]:
        fleet.submit(trial_spec(rng, job))
    for job in tuple(fleet.stored):
        fleet.run(lambda job=job: job in fleet.ended)  # type: ignore[misc]
    assert fleet.scheduler.parts_waiting == 0
    return seen


def check_questions(seed: int) -> set[bool]:
    rng = random.Random(seed)
    fleet = QuestionFleet(seed)
    join_crowd(fleet, rng)
    seen = watch(fleet, every=3)
    fleet.submit(question_spec(rng.randrange(1, 60)))
    fleet.run(lambda: -1 in fleet.ended)
    assert fleet.scheduler.parts_waiting == 0
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("check", [check_trials, check_questions])
@pytest.mark.when_changed
def test_it_is_zero_exactly_when_a_further_analyser_would_get_nothing(check) -> None:  # type: ignore[no-untyped-def]
    seen = set[bool]()
    for seed in range(12):
        seen |= check(seed)
    assert seen == {True, False}


# The purpose: a fleet that is sized by it.


class SizedFleet(Fleet):
    """Pods that come and drain as an autoscaler's rule has it, every 15 s."""

    def __init__(self, count_max: int, trial_s: float) -> None:
        super().__init__(seed=3)
        self.validate_every = 1_000
        self.count_max = count_max
        self.trial_s = trial_s
        self.pods: list[str] = []
        self.started = 0
        self.wanted: list[tuple[float, int]] = []
        self.counts: list[tuple[float, int]] = []

    def inspect(self) -> None:
        """Have a pod for each 4 parts that wait, and for each worker that is busy."""
        busy = sum(min(line.workers, line.parts) for line in self.scheduler.analysers())
        need = max(ceil(self.scheduler.parts_waiting / 4), busy)
        self.wanted.append((self.now, min(self.count_max, need)))
        lasting = max(count for at, count in self.wanted if self.now - at <= 120.0)
        now = len(self.pods)
        count = min(lasting, max(2 * now, now + 4)) if lasting > now else lasting
        for name in self.pods[count:]:
            self.end(name)
        while len(self.pods) < count:
            self.begin()
        self.counts.append((self.now, len(self.pods)))
        self.at(15.0, self.inspect)

    def begin(self) -> None:
        self.started += 1
        character = Character(f"pod-{self.started}", trial_s=self.trial_s, latency_s=0.02)
        self.pods.append(character.name)
        self.at(10.0, lambda: self.connect(character))

    def end(self, name: str) -> None:
        self.pods.remove(name)
        for session in self.sessions.values():
            if session.character.name == name:
                self.deliver(AnalyserDraining(session.number))
                self.leave(session)

    def leave(self, session: SimulatedAnalyser) -> None:
        if session.queue or session.running:
            self.at(0.1, lambda: self.leave(session))
        else:
            session.is_alive = False
            self.deliver(AnalyserLost(session.number, "it left", is_orderly=True))


@pytest.mark.parametrize("trial_s", [0.1, 1.0, 5.0])
@pytest.mark.when_changed
def test_fleet_that_it_sizes_grows_to_its_most_and_goes_when_nothing_waits(trial_s: float) -> None:
    fleet = SizedFleet(count_max=16, trial_s=trial_s)
    spec = replace(job_spec(int(3000 / trial_s)), value_count=2)
    fleet.submit(spec)
    fleet.at(1.0, fleet.inspect)
    assert fleet.run_job(1) == straight_summary(spec, trial_values)
    ended = fleet.now
    assert min(at for at, count in fleet.counts if count == 16) < 60.0
    assert all(count == 16 for at, count in fleet.counts if at > 60.0)
    assert ended < 240.0  # 188 s for 16 from the beginning
    assert fleet.handed_out <= len(fleet.stored[1]) + 16
    fleet.run(lambda: not fleet.pods)
    assert fleet.now - ended <= 135.0
