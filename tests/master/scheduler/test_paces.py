"""The paces of analysers, learnt from their results, and the sizes and times that follow."""

import random
from collections import Counter
from functools import partial

import pytest

from master.contract.commands import HandOut, IncidentKind, StopPart, StoppedBy
from master.contract.events import AnalyserReady, EngineOffer, JobHalted, JobSpec
from master.contract.goals import Goal
from master.contract.job_words import Priority
from master.scheduler import paces, question_timing
from master.scheduler.jobs import QuestionJob
from master.scheduler.limits import (
    LEAD_TRIALS_MAX,
    LEAD_TRIALS_MIN,
    PART_TRIALS_MAX,
    STALL_S_MAX,
    STALL_S_MIN,
    TICK_INTERVAL_S,
    WINDOW_MAX,
    SchedulerOptions,
)
from master.scheduler.paces import Pace, Paces, QuestionPace
from master.scheduler.state import SchedulerState
from tests.master.hand_driven import Driver, job_spec
from tests.master.question_simulator import (
    SERVICES,
    QuestionFleet,
    answer_to,
    best_s,
    question,
    question_spec,
)
from tests.master.simulator import ENGINE, Character, random_character, replay


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
    pace.record_first_result(0.5, workers=1)
    pace.record_first_result(0.3, workers=1)
    pace.record_first_result(0.9, workers=1)
    assert pace.latency_s == pytest.approx(0.2)


def test_options_fix_sizes() -> None:
    pace = Pace(power=1.0, since=0.0, rate=10.0)
    pace.resize(1, 10.0, SchedulerOptions(window=16, part_trials=1))
    assert (pace.window, pace.part_trials, pace.tail_share) == (16, 1, 1.0)
    pace.resize(1, 20.0, SchedulerOptions())
    assert (pace.window, pace.part_trials, pace.tail_share) == (2, 10, 0.25)


def test_rate_of_questions_is_the_workers_over_the_mean_time() -> None:
    pace = QuestionPace(power=1.0, since=0.0)
    for seconds in (0.5, 1.5) * 200:
        pace.record_answer(seconds, workers=4)
    assert pace.is_observed
    assert pace.rate == pytest.approx(4.0, rel=0.02)
    pace.observe(1000.0)
    assert pace.rate == pytest.approx(4.0, rel=0.02)


def test_remembered_rate_gives_way_to_what_is_measured() -> None:
    pace = QuestionPace(power=1.0, since=0.0)
    pace.remember(question_s=0.1, workers=2, weight=4.0)
    assert pace.rate == pytest.approx(20.0)
    for _ in range(200):
        pace.record_answer(1.0, workers=2)
    assert pace.rate == pytest.approx(2.0, rel=0.1)


def test_question_is_a_part_and_short_ones_queue_deeper() -> None:
    pace = QuestionPace(power=1.0, since=0.0, rate=1000.0)
    pace.resize(1, 1000.0, SchedulerOptions(part_trials=7))
    assert pace.part_trials == 1
    assert pace.window == 64
    pace.rate = 0.1
    pace.resize(1, 0.1, SchedulerOptions())
    assert pace.window == 2


def test_paces_forget_who_is_gone_and_what_it_brought() -> None:
    paces = Paces()
    for number, rate in ((1, 2.0), (2, 3.0)):
        paces[number] = Pace(1.0, 0.0, rate=rate)
        paces.by_rate.append(number)
        paces.fleet_rate += rate
    for _ in range(2):
        paces.leave(2)
        assert (list(paces), paces.by_rate, paces.fleet_rate) == ([1], [1], 2.0)


def test_a_question_takes_a_worker_as_long_as_before_however_many_there_are() -> None:
    pace = QuestionPace(1.0, 0.0)
    pace.record_answer(0.5, workers=2)
    assert pace.rate == 4.0
    pace.rescale(3.0, 1.0)
    assert pace.rate == 12.0
    pace.record_answer(0.5, workers=6)
    assert pace.rate == pytest.approx(12.0)


def test_what_was_observed_of_fewer_workers_counts_as_if_of_all() -> None:
    pace = Pace(1.0, 0.0, was_idle=False, counted=10)
    pace.observe(1.0)
    assert (pace.rate, pace.is_observed) == (10.0, True)
    pace.rescale(2.0, 1.0)
    pace.observe(1.5)
    pace.counted += 20
    pace.observe(2.5)
    assert pace.rate == pytest.approx(20.0)


@pytest.mark.parametrize(
    ("rate", "workers", "trials"),
    [(0.0, 4, 1), (0.1, 1, 1), (40.0, 4, 10), (1e9, 1, PART_TRIALS_MAX)],
)
def test_part_lasts_about_a_second_of_one_worker(rate: float, workers: int, trials: int) -> None:
    assert paces.part_trials(rate, workers) == trials


@pytest.mark.parametrize(
    ("rate", "workers", "trials", "latency_s", "parts"),
    [
        (0.0, 1, 1, 0.0, 2),  # nothing known: one computing, one waiting
        (10.0, 1, 10, 0.001, 2),
        (40.0, 4, 10, 0.001, 8),
        (10.0, 1, 1, 0.35, 5),  # four parts are used up while the next is on its way
        (0.1, 4, 1, 0.001, 5),  # long parts: one waits for whoever is free first
        (1e6, 1, 1, 1.0, WINDOW_MAX),
        (1e6, 200, 1, 1.0, 400),
    ],
)
def test_window_covers_the_latency(
    rate: float, workers: int, trials: int, latency_s: float, parts: int
) -> None:
    assert paces.window(rate, workers, trials, latency_s) == parts


def test_lead_is_bounded_and_never_below_what_the_windows_hold() -> None:
    assert paces.lead(0.0, 0) == LEAD_TRIALS_MIN
    assert paces.lead(0.0, 4000) >= 4000
    assert paces.lead(1000.0, 10) == 8000
    assert paces.lead(1e9, 10) == LEAD_TRIALS_MAX


def test_shares_of_all_workers_are_half_of_what_is_left() -> None:
    rates = [(10.0, 2), (40.0, 4), (1.0, 1)]
    fleet_rate = sum(rate for rate, _ in rates)
    shares = [workers * paces.tail_share(rate, fleet_rate, workers) for rate, workers in rates]
    assert sum(shares) == pytest.approx(0.5)
    assert paces.tail_share(0.0, 10.0, 1) == 1.0


@pytest.mark.parametrize(
    ("rate", "workers", "seconds"),
    [(0.0, 1, STALL_S_MAX), (100.0, 1, STALL_S_MIN), (0.1, 1, 20.0), (0.001, 1, STALL_S_MAX)],
)
def test_stall_is_twice_a_trial_within_bounds(rate: float, workers: int, seconds: float) -> None:
    assert paces.stall_after_s(rate, workers) == seconds


LATENCY_S = 0.001


def random_fleet(seed: int) -> QuestionFleet:
    rng = random.Random(seed)
    fleet = QuestionFleet(seed)
    fleet.silence_s = rng.choice([0.0, 0.1, 15.0])
    fleet.join(Character("survivor", trial_s=0.05))
    for index in range(rng.choice([0, 1, 3, 10])):
        fleet.join(random_character(rng, index, end_s=3.0))
    fleet.costs = lambda command: 10 ** random.Random(command.context).uniform(-1, 0.5)
    return fleet


def check_answers(fleet: QuestionFleet, spec: JobSpec) -> None:
    assert spec.questions is not None
    right = [answer_to(text) for text in spec.questions]
    reported = fleet.answers[spec.job]
    assert [reported[seq] for seq in range(len(right))] == right
    assert fleet.scheduler.answers(spec.job).answers() == right


def pause(fleet: QuestionFleet, seconds: float) -> None:
    until = fleet.now + seconds
    fleet.run(lambda: fleet.now > until)


def check_random_fleet(seed: int) -> None:
    rng = random.Random(seed)
    fleet = random_fleet(seed)
    specs = [
        question_spec(rng.randrange(1, 80), -number, rng.choice(list(Priority)))
        for number in range(1, rng.randrange(2, 5))
    ]
    for spec in specs:
        fleet.at(rng.uniform(0, 2), partial(fleet.submit, spec))
    for spec in specs:
        fleet.run(partial(fleet.ended.__contains__, spec.job), limit_s=10_000.0)
    for spec in specs:
        assert fleet.ended[spec.job].stopped_by is StoppedBy.TRIALS
        check_answers(fleet, spec)
    assert not fleet.quarantined
    assert replay(fleet.log, None) == fleet.commands


@pytest.mark.parametrize("seed", range(12))
def test_any_fleet_answers_every_question_once_and_rightly(seed: int) -> None:
    check_random_fleet(seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(6))
def test_many_fleets_answer_every_question_once_and_rightly(block: int) -> None:
    for seed in range(1000 + block * 10, 1010 + block * 10):
        check_random_fleet(seed)


def sound_fleet(seed: int) -> tuple[QuestionFleet, list[Character]]:
    """Return a fleet of very unequal analysers that announce their powers wrongly."""
    rng = random.Random(seed)
    characters = [
        Character(
            f"a{index}",
            workers=rng.choice([1, 2, 4]),
            trial_s=10 ** rng.uniform(-2, 0.5),
            latency_s=LATENCY_S,
            power=10 ** rng.uniform(-1, 1),
        )
        for index in range(rng.randrange(2, 7))
    ]
    fleet = QuestionFleet(seed)
    for character in characters:
        fleet.join(character)
    fleet.ask(question_spec(400))  # rates are known from now on
    return fleet, characters


@pytest.mark.parametrize("seed", range(20))
def test_short_job_ends_as_soon_as_can_be_once_rates_are_known(seed: int) -> None:
    fleet, characters = sound_fleet(seed)
    for job, count in enumerate([1, 2, 3, 5, 8, 21, 60], 2):
        fleet.run(lambda: not any(a.leases for a in fleet.scheduler._state.analysers.values()))
        took_s = fleet.ask(question_spec(count, -job, Priority.URGENT))
        assert took_s <= 1.05 * best_s(characters, count) + 5 * LATENCY_S, count


def test_job_that_is_over_in_a_moment_is_shared_out_evenly_at_once() -> None:
    fleet = QuestionFleet(1)
    for name in ("a", "b"):
        fleet.join(Character(name, trial_s=0.005, latency_s=LATENCY_S))
    fleet.run(lambda: len(fleet.sessions) == 2)
    fleet.ask(question_spec(200, -1, Priority.URGENT))
    fleet.run(lambda: not any(a.leases for a in fleet.scheduler._state.analysers.values()))
    before = len(fleet.commands)
    fleet.ask(question_spec(16, -2, Priority.URGENT))
    commands = [command for turn in fleet.commands[before:] for command in turn]
    handed = [each for each in commands if isinstance(each, HandOut)]
    assert Counter(each.analyser for each in handed) == {1: 8, 2: 8}
    firsts = [each.first_seq for each in handed if each.analyser == handed[0].analyser]
    assert firsts == list(range(8)), "neighbours stay together"


@pytest.mark.parametrize("seed", range(20))
def test_new_kind_of_work_starts_with_the_powers_seen_in_another(seed: int) -> None:
    fleet, characters = sound_fleet(seed)
    fleet.costs = lambda command: 0.2
    for job, count in enumerate([5, 21], 2):
        fleet.run(lambda: not any(a.leases for a in fleet.scheduler._state.analysers.values()))
        took_s = fleet.ask(question_spec(count, -job, Priority.URGENT, work=f"work {job}"))
        assert took_s <= 1.1 * 0.2 * best_s(characters, count) + 5 * LATENCY_S, count


@pytest.mark.parametrize("seed", range(20))
def test_short_questions_say_nothing_of_powers_in_longer_ones(seed: int) -> None:
    fleet = QuestionFleet(seed)
    fleet.join(Character("a", trial_s=1.0, latency_s=LATENCY_S))
    fleet.join(Character("b", trial_s=1.0, latency_s=LATENCY_S))
    fleet.run(lambda: len(fleet.sessions) == 2)
    waking = {question(0, -1)}  # an engine is loaded by the first question that it is asked
    fleet.costs = lambda command: 0.02 if command.context in waking else 1e-4
    fleet.ask(question_spec(200, -1, work="short"))
    fleet.costs = lambda command: 0.2
    took_s = fleet.ask(question_spec(20, -2, work="long"))
    assert took_s <= 1.1 * 0.2 * 20 / 2 + 5 * LATENCY_S


@pytest.mark.parametrize("seed", range(20))
def test_questions_of_unlike_cost_never_wait_for_a_slow_analyser(seed: int) -> None:
    fleet, characters = sound_fleet(seed)
    fleet.costs = lambda command: random.Random(command.context).uniform(0.3, 1.7)
    fastest_s = min(character.trial_s for character in characters)
    for job, count in enumerate([3, 8, 21, 60], 2):
        fleet.run(lambda: not any(a.leases for a in fleet.scheduler._state.analysers.values()))
        took_s = fleet.ask(question_spec(count, -job))
        # The last question may cost 1.7 at the fastest, which took it over when it fell idle.
        assert took_s <= 1.4 * best_s(characters, count) + 3 * fastest_s + 0.25, count


@pytest.mark.parametrize("seed", range(12))
def test_first_job_of_its_kind_learns_in_time(seed: int) -> None:
    rng = random.Random(seed)
    fleet = QuestionFleet(seed)
    fleet.join(Character("fast", workers=2, trial_s=0.05, latency_s=LATENCY_S, power=1.0))
    slow_s = rng.uniform(0.5, 5.0)
    fleet.join(Character("slow", trial_s=slow_s, latency_s=LATENCY_S, power=rng.uniform(0.1, 3)))
    fleet.run(lambda: len(fleet.sessions) == 2)
    took_s = fleet.ask(question_spec(40))
    # All but the first questions are the fast one's, and those at most 0.05 s later than at once.
    assert took_s <= 40 * 0.05 / 2 + 0.2


def test_lost_analysers_share_goes_to_the_others_at_once() -> None:
    fleet = QuestionFleet(1)
    for name in ("a", "b", "c"):
        fleet.join(Character(name, workers=2, trial_s=1.0, latency_s=LATENCY_S))
    fleet.ask(question_spec(60))
    crashing = fleet.sessions[1]
    crashing.character.rejoin_s = 1000.0
    fleet.at(0.5, lambda: fleet.crash(crashing))
    assert fleet.ask(question_spec(6, -2, Priority.URGENT)) <= 0.5 + 2.5
    assert fleet.ended[-2].stopped_by is StoppedBy.TRIALS


def plain_job() -> JobSpec:
    return JobSpec(1, "noop/1", "noop", ENGINE, 1, 2, Goal(600))


@pytest.mark.parametrize("background", [plain_job(), question_spec(500, -90, Priority.BACKGROUND)])
def test_urgent_questions_wait_for_no_other_work(background: JobSpec) -> None:
    fleet = QuestionFleet(1)
    characters = [
        Character("a", workers=2, trial_s=0.1, latency_s=LATENCY_S),
        Character("b", workers=1, trial_s=0.2, latency_s=LATENCY_S),
    ]
    for character in characters:
        fleet.join(character)
    fleet.ask(question_spec(100))
    fleet.submit(background)
    start = fleet.now
    fleet.run(lambda: fleet.now > start + 3)
    for job in range(-2, -7, -1):
        before = {key for a in fleet.scheduler._state.analysers.values() for key in a.leases}
        took_s = fleet.ask(question_spec(7, job, Priority.URGENT))
        assert took_s <= 1.05 * best_s(characters, 7) + 5 * LATENCY_S
        stopped = [c for said in fleet.commands for c in said if isinstance(c, StopPart)]
        assert not before & {(c.part, c.attempt) for c in stopped}, (
            "others' parts stay where they are"
        )
        pause(fleet, 0.3)
    fleet.run(lambda: background.job in fleet.ended)
    assert not [i for i in fleet.incidents if i.kind is IncidentKind.STALLED]


def test_background_work_makes_room_for_all_other() -> None:
    fleet = QuestionFleet(1)
    fleet.join(Character("a", workers=2, trial_s=5.0, latency_s=LATENCY_S))
    fleet.costs = lambda command: 1.0 if command.job == -1 else 0.01
    fleet.submit(question_spec(20, -1, Priority.BACKGROUND))
    fleet.run(lambda: fleet.now > 1.0)
    assert fleet.ask(question_spec(10, -2, Priority.ASKED, work="short")) < 0.5


def test_jobs_go_by_priority_and_of_one_priority_the_first_asked_first() -> None:
    driver = Driver()
    for job, priority in ((-1, Priority.BACKGROUND), (-2, Priority.ASKED), (-3, Priority.ASKED)):
        driver.submit(question_spec(1, job, priority))
    driver.submit(job_spec(1, job=4))
    driver.submit(job_spec(1, job=5))
    driver.submit(question_spec(1, -6, Priority.URGENT))
    offers = (EngineOffer("noop", ENGINE, 1.0, SERVICES),)
    driver.do(AnalyserReady(1, "a", 8, offers))
    assert [part.job for part in driver.latest(HandOut)] == [-6, -2, -3, 5, 4, -1]


def test_stopped_questions_are_handed_out_no_more() -> None:
    fleet = QuestionFleet(1)
    fleet.join(Character("a", trial_s=1.0))
    fleet.submit(question_spec(50))
    fleet.run(lambda: fleet.now > 3.5)
    fleet.deliver(JobHalted(-1))
    fleet.run(lambda: -1 in fleet.ended)
    assert fleet.ended[-1].stopped_by is StoppedBy.HALTED
    assert len(fleet.answers[-1]) == 3
    assert fleet.now < 3.6


@pytest.mark.slow
@pytest.mark.when_changed
def test_fleet_of_two_hundred_is_used_at_once_and_ends_together() -> None:
    fleet = QuestionFleet(1)
    fleet.validate_every = 10**9
    characters = [
        Character(f"a{index}", trial_s=0.5 + index % 3, latency_s=LATENCY_S) for index in range(200)
    ]
    for character in characters:
        fleet.join(character)
    for job, count in ((-1, 1000), (-2, 300), (-3, 20)):
        took_s = fleet.ask(question_spec(count, job, Priority.URGENT))
        assert took_s <= 1.25 * best_s(characters, count) + 5 * LATENCY_S


@pytest.mark.slow
@pytest.mark.when_changed
def test_fleet_of_five_hundred_is_looked_at_for_a_share_of_the_questions() -> None:
    fleet = QuestionFleet(3)
    fleet.validate_every = 10**9
    characters = [
        Character(f"a{index}", trial_s=0.5 + index % 3, latency_s=LATENCY_S) for index in range(500)
    ]
    for character in characters:
        fleet.join(character)
    probes: list[int] = []
    with pytest.MonkeyPatch.context() as patched:
        probe = question_timing._end_s

        def noted(state: SchedulerState, job: QuestionJob, left: int) -> float:
            probes.append(left)
            return probe(state, job, left)

        patched.setattr(question_timing, "_end_s", noted)
        for job, count in ((-1, 2500), (-2, 700), (-3, 40)):
            took_s = fleet.ask(question_spec(count, job, Priority.URGENT))
            assert took_s <= 1.25 * best_s(characters, count) + TICK_INTERVAL_S
    assert 0 < len(probes) < 3240 / 4


def test_jobs_of_one_kind_share_what_is_known_of_the_fleet() -> None:
    fleet = QuestionFleet(2)
    for name in ("a", "b"):
        fleet.join(Character(name, trial_s=0.1, latency_s=LATENCY_S))
    fleet.run(lambda: len(fleet.sessions) == 2)
    fleet.submit(question_spec(4, -1))
    fleet.submit(question_spec(4, -2))
    fleet.submit(question_spec(4, -3, work="other"))
    jobs = fleet.scheduler._state.jobs
    assert jobs[-1].paces is jobs[-2].paces
    assert jobs[-1].paces is not jobs[-3].paces
    fleet.run(lambda: len(fleet.ended) == 3)
    fleet.scheduler.validate_state()
