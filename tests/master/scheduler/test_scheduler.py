"""The scheduler as a whole, and its views."""

import random
from dataclasses import replace
from functools import partial
from itertools import chain, groupby

import pytest

from master.contract.commands import (
    AttemptConfirmed,
    AttemptOpened,
    HandOut,
    StoppedBy,
)
from master.contract.events import JobPrioritised, JobSpec, Tick, TrialValues
from master.contract.goals import Goal
from master.contract.job_words import Priority
from master.scheduler import AnalyserStatus, JobStatus, Scheduler
from master.scheduler.limits import WINDOW_OUTSTANDING_MAX
from master.scheduler.scheduler import LeaseStatus
from tests.master.hand_driven import Driver
from tests.master.hand_driven import job_spec as driven_job
from tests.master.simulator import (
    ENGINE,
    Character,
    Fleet,
    confirmed,
    random_character,
    replay,
    straight_summary,
    trial_values,
)


def job_spec(
    trials: int | None = 100, stop_se: float | None = None, alternatives: int = 1, job: int = 1
) -> JobSpec:
    return JobSpec(job, f"noop/1 job={job}", "noop", ENGINE, alternatives, 2, Goal(trials, stop_se))


def settled_spec(rng: random.Random) -> JobSpec:
    """Return a job whose alternatives retire one by one, though they are all alike."""
    spec = job_spec(rng.randrange(200, 500), alternatives=rng.randrange(2, 6))
    caps = (None, rng.choice([0.0, 0.3])) if spec.alternative_count == 2 else ()
    goal = replace(spec.goal, stop_settled=rng.choice([0.5, 1.0, 1.5]))
    return replace(spec, goal=goal, value_caps=caps)


def random_fleet(seed: int) -> tuple[Fleet, JobSpec]:
    rng = random.Random(seed)
    fleet = Fleet(seed)
    fleet.silence_s = rng.choice([0.0, 0.1, 15.0])
    fleet.join(Character("survivor", trial_s=0.05))
    for index in range(rng.choice([0, 1, 3, 10, 39])):
        fleet.join(random_character(rng, index, end_s=5.0))
    spec = rng.choice(
        [
            job_spec(rng.randrange(1, 400), alternatives=rng.randrange(1, 4)),
            job_spec(rng.randrange(144, 300), 0.14, alternatives=rng.randrange(1, 4)),
            job_spec(None, 0.15, alternatives=rng.randrange(1, 3)),
            settled_spec(rng),
        ]
    )
    return fleet, spec


def check_random_fleet(seed: int) -> None:
    fleet, spec = random_fleet(seed)
    fleet.submit(spec)
    summary = fleet.run_job(1)
    assert summary == straight_summary(spec, trial_values)
    assert all(values == trial_values(seq) for seq, values in fleet.stored[1].items())
    assert not fleet.quarantined
    assert replay(fleet.log, None) == fleet.commands


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 5, 6, 7, 8, 10])
@pytest.mark.when_changed
def test_any_fleet_gives_the_bits_of_the_straight_run(seed: int) -> None:
    check_random_fleet(seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(8))
@pytest.mark.when_changed
def test_many_fleets_give_the_bits_of_the_straight_run(block: int) -> None:
    for seed in range(1000 + block * 6, 1000 + block * 6 + 6):
        check_random_fleet(seed)


def has_come_to(fleet: Fleet, steps: int) -> bool:
    return 1 in fleet.ended or len(fleet.log) > steps


@pytest.mark.parametrize("seed", range(6))
def test_master_that_restarts_from_its_store_gives_the_same_bits(seed: int) -> None:
    rng = random.Random(seed)
    spec = rng.choice(
        [job_spec(300, alternatives=3), job_spec(None, 0.16, alternatives=2), settled_spec(rng)]
    )
    known: dict[int, TrialValues] = {}
    for life in range(4):
        fleet = Fleet(seed * 10 + life)
        for index in range(4):
            fleet.join(random_character(rng, index, end_s=5.0))
        fleet.join(Character("survivor", trial_s=0.02))
        fleet.stored[1] = dict(known)
        order = list(known.items())
        rng.shuffle(order)
        fleet.submit(spec, order)
        steps = 10**9 if life == 3 else rng.randrange(10, 300)
        fleet.run(partial(has_come_to, fleet, steps))
        known = confirmed(fleet, 1)
    assert fleet.scheduler.fold(1).summary() == straight_summary(spec, trial_values)


BREACHES = ("session", "done", "order", "range", "contradiction", "malformed")
RANGES = ((-3.0, 3.0), (-3.0, 3.0))


def check_breach(breach: str, seed: int) -> None:
    rng = random.Random(f"{breach} {seed}")
    fleet = Fleet(seed)
    for index in range(4):
        honest = random_character(rng, index, end_s=5.0)
        fleet.join(replace(honest, crash_at=[], breaks=[], hang_at=None, joins_at=0.0))
    liar = Character("liar", workers=rng.choice([1, 2]), trial_s=0.01)
    fleet.join(replace(liar, breach=breach, breach_at=rng.randrange(2, 60)))
    spec = rng.choice([job_spec(400), job_spec(None, 0.16), settled_spec(rng)])
    if spec.goal.stop_settled is None:
        spec = replace(spec, alternative_count=rng.randrange(1, 4))
    spec = replace(spec, value_ranges=RANGES)
    fleet.submit(spec)
    summary = fleet.run_job(1)
    assert summary == straight_summary(spec, trial_values)
    assert fleet.quarantined == ["liar"]
    assert [(caught.job, caught.name) for caught in fleet.withdrawn] == [(1, "liar")]
    fold = fleet.scheduler.fold(1)
    counting = [seq for seq in range(fold.folded) if not fold.is_retired(seq)]
    assert all(fleet.stored[1][seq] == trial_values(seq) for seq in counting)
    assert replay(fleet.log, None) == fleet.commands


@pytest.mark.parametrize("breach", BREACHES)
@pytest.mark.parametrize("seed", range(4))
def test_analyser_that_breaks_a_rule_midway_leaves_no_trace(breach: str, seed: int) -> None:
    check_breach(breach, seed)


@pytest.mark.slow
@pytest.mark.parametrize("breach", BREACHES)
@pytest.mark.when_changed
def test_many_that_break_a_rule_leave_no_trace(breach: str) -> None:
    for seed in range(100, 130):
        check_breach(breach, seed)


@pytest.mark.parametrize("seed", range(4))
def test_several_jobs_end_with_their_own_bits(seed: int) -> None:
    rng = random.Random(seed)
    fleet = Fleet(seed)
    fleet.join(Character("survivor", workers=2, trial_s=0.02))
    for index in range(5):
        fleet.join(random_character(rng, index, end_s=5.0))
    specs = [job_spec(rng.randrange(20, 150), alternatives=number, job=number) for number in (1, 2)]
    specs.append(job_spec(None, 0.2, job=3))
    for spec in specs:
        fleet.at(rng.uniform(0, 3), partial(fleet.submit, spec))
    for spec in specs:
        fleet.run_job(spec.job)
    for spec in specs:
        summary = fleet.scheduler.fold(spec.job).summary()
        assert summary == straight_summary(spec, trial_values)
    assert replay(fleet.log, None) == fleet.commands


@pytest.mark.parametrize("seed", range(4))
def test_poison_trial_fails_its_job_by_name_in_any_fleet(seed: int) -> None:
    fleet = Fleet(seed)
    fleet.poison = frozenset({37})
    for index in range(5):
        fleet.join(Character(f"a{index}", workers=1 + index % 2, trial_s=0.01 * (1 + index)))
    fleet.submit(job_spec(200))
    fleet.run_job(1, limit_s=60.0)
    assert fleet.ended[1].stopped_by is StoppedBy.FAILED
    assert "trial 37 of job 1" in fleet.ended[1].text
    assert [command.seq for command in fleet.judged] == [37]
    assert fleet.session_count <= 5 + 3 + 3  # three deaths, and those of twins at work on it


@pytest.mark.slow
@pytest.mark.when_changed
def test_fleet_of_a_thousand_is_used_at_once_and_ends_together() -> None:
    fleet = Fleet(1)
    fleet.validate_every = 10**9
    for index in range(1000):
        fleet.join(Character(f"a{index}", trial_s=1.0 + index % 3))
    fleet.submit(job_spec(10_000))
    fleet.run_job(1)
    ideal_s = 10_000 / sum(1.0 / (1.0 + index % 3) for index in range(1000))
    assert fleet.now < ideal_s * 1.4 + 1.0


def test_equal_analysers_are_busy_to_the_end() -> None:
    fleet = Fleet(1)
    for index in range(4):
        fleet.join(Character(f"a{index}", trial_s=0.05))
    fleet.submit(job_spec(1000))
    fleet.run_job(1)
    assert 1000 * 0.05 / 4 / fleet.now > 0.97


def test_tail_does_not_wait_for_the_slowest() -> None:
    fleet = Fleet(1)
    fleet.join(Character("fast", workers=4, trial_s=0.05))
    fleet.join(Character("slow", trial_s=3.0))
    fleet.submit(job_spec(1000))
    fleet.run_job(1)
    assert 1000 / (4 / 0.05 + 1 / 3.0) / fleet.now > 0.95


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.when_changed
def test_events_of_one_time_may_be_given_together(seed: int) -> None:
    fleet, spec = random_fleet(seed)
    fleet.submit(spec)
    fleet.run_job(spec.job)
    together = Scheduler()
    answers = [
        together.handle_all([event for event, _ in group], now)
        for now, group in groupby(fleet.log, key=lambda logged: logged[1])
    ]
    marks = (AttemptOpened, AttemptConfirmed)  # of attempts that one turn began and ended: none
    together_said, said = (
        [command for command in chain(*lists) if not isinstance(command, marks)]
        for lists in (answers, fleet.commands)
    )
    assert together_said == said


def test_time_that_goes_back_is_a_mistake() -> None:
    scheduler = Scheduler()
    scheduler.handle(Tick(), 5.0)
    with pytest.raises(AssertionError, match="time"):
        scheduler.handle(Tick(), 4.0)


def test_ended_job_is_readable_until_it_is_forgotten() -> None:
    fleet = Fleet(1)
    fleet.join(Character("a", trial_s=0.01))
    fleet.submit(job_spec(5))
    with pytest.raises(AssertionError, match="running"):
        fleet.scheduler.forget(1)
    fleet.run_job(1)
    assert fleet.scheduler.fold(1).rounds == 5
    fleet.scheduler.forget(1)
    with pytest.raises(KeyError):
        fleet.scheduler.fold(1)


@pytest.mark.parametrize("seed", range(6))
def test_sources_count_every_folded_trial_once_by_whose_it_is(seed: int) -> None:
    rng = random.Random(seed)
    fleet = Fleet(seed)
    for index in range(4):
        fleet.join(random_character(rng, index, end_s=5.0))
    fleet.join(Character("survivor", trial_s=0.02))
    known = [(seq, trial_values(seq)) for seq in range(rng.choice([0, 17]))]
    fleet.stored[1] = dict(known)
    fleet.submit(settled_spec(rng) if seed % 2 else job_spec(300), known)
    fleet.run_job(1)
    fold = fleet.scheduler.fold(1)
    assert (fold.retired_count > 0) == bool(seed % 2)
    whole = fleet.scheduler.sources(1, 0, fold.folded)
    assert whole.total() == fold.result_count - fold.held_count - len(known)
    assert set(whole) <= {session.character.name for session in fleet.sessions.values()}
    at = rng.randrange(fold.folded)
    later = fleet.scheduler.sources(1, at, fold.folded)
    assert fleet.scheduler.sources(1, 0, at) + later == whole


class MixedFleet(Fleet):
    """A master whose jobs have several priorities: what goes first has a window of its own."""

    def check(self, handed: list[HandOut]) -> None:
        for analyser in self.scheduler._state.analysers.values():
            assert len(analyser.leases) <= WINDOW_OUTSTANDING_MAX


def moved_about(seed: int, *, is_moved: bool = True) -> Fleet:
    """Run three jobs while their priorities change at any times; return the fleet at the end."""
    rng = random.Random(seed)
    fleet = MixedFleet(seed)
    fleet.join(Character("survivor", trial_s=0.02))
    for index in range(rng.choice([1, 3, 9])):
        fleet.join(random_character(rng, index, end_s=5.0))
    specs = [
        job_spec(rng.randrange(50, 300), alternatives=2),
        job_spec(rng.randrange(144, 300), 0.14, job=2),
        replace(settled_spec(rng), job=3, context="noop/1 job=3"),
    ]
    for spec in specs:
        fleet.at(rng.uniform(0, 2), partial(fleet.submit, spec))
    for _ in range(rng.randrange(1, 40) if is_moved else 0):
        event = JobPrioritised(
            rng.randrange(1, 5), rng.choice([Priority.BACKGROUND, Priority.NORMAL])
        )
        fleet.at(rng.uniform(0, 8), partial(fleet.deliver, event))
    fleet.run(lambda: len(fleet.ended) == len(specs))
    for spec in specs:
        assert fleet.scheduler.fold(spec.job).summary() == straight_summary(spec, trial_values)
    return fleet


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.when_changed
def test_priorities_that_change_change_no_bit(seed: int) -> None:
    fleet = moved_about(seed)
    assert replay(fleet.log, None) == fleet.commands


@pytest.mark.slow
@pytest.mark.parametrize("block", range(2))
@pytest.mark.when_changed
def test_many_changes_of_priority_change_no_bit(block: int) -> None:
    for seed in range(2000 + block * 10, 2010 + block * 10):
        moved_about(seed)


def test_job_in_the_background_waits_for_the_others() -> None:
    fleet = MixedFleet(1)
    for index in range(3):
        fleet.join(Character(f"a{index}", trial_s=0.05))
    for job in (1, 2):
        fleet.submit(job_spec(400, job=job))
    fleet.at(1.0, lambda: fleet.deliver(JobPrioritised(2, Priority.BACKGROUND)))
    fleet.run(lambda: 1 in fleet.ended)
    assert 2 not in fleet.ended
    assert fleet.scheduler.fold(2).folded < 200
    fleet.run_job(2)


def test_views_show_what_is_out() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit(driven_job(50))
    first, _ = driver.ready(1, "attic")
    driver.send(first, 2)
    assert driver.scheduler.jobs() == [JobStatus(1, False, 50, 2, 0, 8)]
    assert driver.scheduler.analysers() == [
        AnalyserStatus(1, "attic", 1, "ready", 2, 2, 2, 0.0, LeaseStatus(1, 0, 5))
    ]
