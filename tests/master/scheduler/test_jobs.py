"""Jobs and their trials, and the counts of outstanding parts."""

import itertools
import random

import pytest

from master.contract.commands import (
    CorrectAnswer,
    CorrectTrial,
    HandOut,
    StoppedBy,
    StoreAnswer,
    StoreTrials,
)
from master.contract.events import AnalyserReady, AnswerArrived, EngineOffer, JobSpec
from master.contract.goals import Goal
from master.contract.job_words import Priority
from master.contract.leases import Life
from master.fold.trials import TrialFold
from master.scheduler.job_trials import NOBODY, Suspicion
from master.scheduler.jobs import (
    Analyser,
    Job,
    JobLease,
    Part,
    QuestionJob,
    TrialJob,
    advance,
    catch_up,
    close_lease,
    open_lease,
)
from master.scheduler.limits import DEATH_PAUSE_S, LATE_UNKNOWN_S
from master.scheduler.paces import Pace
from master.scheduler.submissions import new_job
from tests.master.hand_driven import ENGINE, Driver, job_spec, value_of
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


QUESTIONS = ("x/1 a", "x/1 b", "x/1 c")


def trials() -> Job:
    return new_job(JobSpec(3, "x/1", "x", "e", 2, 1, Goal(8)), ())


def question_job(work: str = "x/1") -> Job:
    spec = JobSpec(-1, "", "x", "e", 1, 1, Goal(3), questions=QUESTIONS, service="s", work=work)
    return new_job(spec, ())


def test_spec_says_which_kind_a_job_is() -> None:
    assert type(trials()) is TrialJob
    assert type(question_job()) is QuestionJob


def test_trials_share_a_context_and_a_question_is_its_own() -> None:
    assert [trials().context(seq) for seq in (0, 7)] == ["x/1", "x/1"]
    assert tuple(question_job().context(seq) for seq in range(3)) == QUESTIONS
    assert len({trials().refusal_key(seq) for seq in range(8)}) == 1
    assert [question_job().refusal_key(seq) for seq in range(3)] == [0, 1, 2]


def test_people_read_of_trials_by_job_and_of_questions_by_place() -> None:
    assert trials().name_of(5) == "trial 5 of job 3"
    assert question_job().name_of(1) == "question 1"


def test_results_become_commands_of_their_kind() -> None:
    values = [(0.5,), (0.25,)]
    assert trials().to_store(9, 2, values) == StoreTrials(3, 9, 2, values)
    assert trials().to_correct(9, 2, (0.5,)) == CorrectTrial(3, 9, 2, (0.5,))
    assert question_job().to_store(9, 2, [("so",)]) == StoreAnswer(-1, 9, 2, "so")
    assert question_job().to_correct(9, 2, ("so",)) == CorrectAnswer(-1, 9, 2, "so")


def test_questions_of_one_class_of_work_share_their_paces_and_unclassed_ones_nothing() -> None:
    one, other, unclassed = question_job(), question_job("x/1 plies=2"), question_job("")
    assert isinstance(one, QuestionJob)
    assert isinstance(other, QuestionJob)
    assert isinstance(unclassed, QuestionJob)
    assert one.kind == ("x", "e", "s", "x/1") != other.kind
    assert unclassed.kind == ()


@pytest.mark.parametrize("limit", [0, 1, 3, 4, 8])
def test_stop_rule_waits_for_attempts_with_results_below_it(limit: int) -> None:
    job = trials()
    analyser = Analyser(1, "a", 2, {})
    job.paces[1] = Pace(1.0, 0.0)
    first, end = job.grant_fresh(8)
    lease: JobLease = open_lease(Part(1), analyser, job, job.paces[1], first, end, now=0.0)
    assert not job.is_unconfirmed_below(limit)
    job.unconfirmed[lease] = None
    lease.sent = 4
    job.record_source(1, 3, 4)  # of its trials it gave the fourth; the others are somebody else's
    assert job.is_unconfirmed_below(limit) is (limit > 3)
    del job.unconfirmed[lease]
    assert not job.is_unconfirmed_below(limit)


def pieces(job: Job) -> list[tuple[int, int]]:
    return [(piece.first, piece.end) for piece in job.pieces]


def test_trials_given_back_skip_known_ones_and_stay_sorted() -> None:
    job = new_job(job_spec(50), ())
    job.grant_fresh(20)
    job.fold.add(10, value_of(10))
    job.requeue(10, 14, None)
    job.requeue(0, 3, None)
    assert pieces(job) == [(0, 3), (11, 14)]


def test_trial_somebody_died_of_comes_back_alone() -> None:
    job = new_job(job_spec(50), ())
    job.grant_fresh(20)
    job.suspicions[5] = Suspicion()
    job.suspicions[5].note("a", "", "", now=0.0)
    job.requeue(5, 9, None)
    assert pieces(job) == [(6, 9)]
    job.end_rests(DEATH_PAUSE_S / 2)
    assert pieces(job) == [(6, 9)]
    job.end_rests(DEATH_PAUSE_S)
    assert pieces(job) == [(5, 6), (6, 9)]


def test_losses_of_one_moment_count_once() -> None:
    suspicion = Suspicion()
    for count in range(1000):
        suspicion.note(f"a{count}", "", "", now=count * DEATH_PAUSE_S / 2)
    assert suspicion.names == ["a0"]
    suspicion.note("later", "", "", now=501 * DEATH_PAUSE_S)
    assert suspicion.names == ["a0", "later"]


def test_room_ends_at_the_lead_and_at_the_target() -> None:
    job = new_job(job_spec(50), ())
    job.lead = 8
    assert job.room == 8
    job.grant_fresh(8)
    assert job.room == 0
    job.fold.add(0, value_of(0))
    assert job.room == 1
    job.lead = 1000
    assert job.room == 42


def test_sources_are_remembered_by_session() -> None:
    job = new_job(job_spec(50), ())
    job.grant_fresh(5)
    job.record_source(0, 0, 1)
    job.record_source(7, 2, 5)
    assert [job.source(seq) for seq in range(6)] == [0, NOBODY, 7, 7, 7, NOBODY]


def test_adaptive_stop_looks_at_its_grid_only() -> None:
    spec = JobSpec(1, "c", "noop", "e", 1, 1, Goal(None, 0.1))
    job = new_job(spec, [(seq, (0.5,)) for seq in range(300)])
    assert job.fold.folded == 144
    assert job.verdict(waits_for_disputes=True) is StoppedBy.STOP_SE
    assert job.fold.folded == 144


def test_extended_job_goes_on_with_its_prefix() -> None:
    job = new_job(job_spec(5), [(seq, value_of(seq)) for seq in range(4)])
    job.extend(9)
    assert (job.target, job.fold.limit, job.room) == (9, 9, 5)


def test_corrected_result_is_folded_as_if_it_had_always_been_right() -> None:
    results = [(seq, value_of(seq)) for seq in range(10)]
    wrong = new_job(job_spec(20), [*results[:3], (3, (99.0,)), *results[4:]])
    wrong.correct(3, value_of(3))
    right = new_job(job_spec(20), results)
    assert isinstance(wrong.fold, TrialFold)
    assert isinstance(right.fold, TrialFold)
    assert wrong.fold.snapshot() == right.fold.snapshot()


NUMBERS = itertools.count(1)


def job_of(number: int, priority: Priority = Priority.NORMAL) -> Job:
    return new_job(JobSpec(number, "x/1", "x", "e", 1, 1, Goal(500), priority=priority), ())


def analyser_of(number: int, job: Job) -> Analyser:
    job.paces[number] = Pace(1.0, 0.0, rate=float(number - 1))
    return Analyser(number, f"a{number}", 2, {})


def handed(
    job: Job, analyser: Analyser, first: int, end: int, part: Part | None = None
) -> JobLease:
    pace = job.paces[analyser.number]
    return open_lease(part or Part(next(NUMBERS)), analyser, job, pace, first, end, now=5.0)


@pytest.mark.parametrize("seed", range(40))
def test_sums_are_those_of_the_leases(seed: int) -> None:
    rng = random.Random(seed)
    jobs = [job_of(1), job_of(2, rng.choice(list(Priority)))]
    analysers = [analyser_of(number, jobs[0]) for number in (1, 2, 3)]
    jobs[1].paces = jobs[0].paces
    leases: list[JobLease] = []
    for step in range(60):
        kind = rng.choice(["open", "open", "twin", "advance", "known", "close", "gone"])
        if kind == "open" or not leases:
            first = rng.randrange(400)
            lease = handed(rng.choice(jobs), rng.choice(analysers), first, first + 1 + step % 7)
            leases.append(lease)
        elif kind == "twin":
            of = rng.choice(leases)
            other = rng.choice(analysers)
            leases.append(handed(of.job, other, of.next, of.end, of.part))
        elif kind == "advance":
            lease = rng.choice(leases)
            advance(lease, rng.randint(lease.next, lease.end))
        elif kind == "known":
            lease = rng.choice(leases)
            if lease.next < lease.end and not lease.job.fold.has(lease.next):
                lease.job.fold.add(lease.next, (0.5,))
            catch_up(lease)
            assert lease.next == lease.end or not lease.job.fold.has(lease.next)
        elif kind == "gone" and step > 50:
            jobs[0].paces.leave(2)
            analysers = [analyser for analyser in analysers if analyser.number != 2]
        else:
            close_lease(leases.pop(rng.randrange(len(leases))), now=6.0)
        check(jobs, analysers, leases)


def check(jobs: list[Job], analysers: list[Analyser], leases: list[JobLease]) -> None:
    for job in jobs:
        mine = [lease for lease in leases if lease.job is job]
        assert list(job.leases) == sorted(mine, key=leases.index)
        assert job.leased == sum(lease.end - lease.next for lease in mine)
    for analyser in analysers:
        held = [lease for lease in leases if lease.analyser is analyser]
        assert analyser.leases == {lease.key: lease for lease in held}
        missing = sum(lease.end - lease.next for lease in held)
        assert jobs[0].paces[analyser.number].leased == missing
        assert sum(analyser.held) == len(held)
        assert analyser.urgent_count == sum(lease.is_urgent for lease in held)
    for lease in leases:
        assert lease in lease.part.leases


def test_attempts_of_a_part_are_counted_up_and_its_first_one_at_an_idle_analyser_is_marked() -> (
    None
):
    job = job_of(1)
    one, other = analyser_of(1, job), analyser_of(2, job)
    first = handed(job, one, 0, 4)
    again = handed(job, other, 0, 4, first.part)
    behind = handed(job, one, 4, 8)
    assert (first.attempt, again.attempt, behind.attempt) == (1, 2, 1)
    assert (first.is_first, again.is_first, behind.is_first) == (True, True, False)
    assert first.due_at == 5.0 + LATE_UNKNOWN_S  # nothing is known of its rate
    assert again.due_at < first.due_at


def test_what_is_urgent_goes_before_what_was_there() -> None:
    status, urgent = job_of(1), job_of(2, Priority.URGENT)
    analyser = analyser_of(1, status)
    urgent.paces = status.paces
    before = handed(status, analyser, 0, 4)
    lease = handed(urgent, analyser, 0, 1)
    assert (before.is_urgent, lease.is_urgent, before.was_paused) == (False, True, True)
    assert list(analyser.in_order()) == [lease, before]
