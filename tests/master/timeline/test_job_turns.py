"""The scheduler's turns: run over the simulator's fleets, and single events."""

import random
from functools import partial

import pytest

from master.contract.commands import Command, HandOut, Quarantine
from master.contract.events import (
    AnalyserLost,
    AnalyserReady,
    Event,
    JobHalted,
    JobSpec,
    Outcome,
    PartEnded,
)
from master.contract.job_words import Priority
from master.timeline.job_turns import JobTurns
from master.timeline.spans import Ending, Kind
from master.timeline.timeline import RECORDED, Timeline
from tests.master.question_simulator import QuestionFleet, question_spec
from tests.master.simulator import (
    ENGINE,
    Character,
    Fleet,
    SimulatedAnalyser,
    Work,
    random_character,
)
from tests.master.timeline.streams import Row, all_rows, check_laws

SPEC = JobSpec(1, "noop/1 job=1", "noop", ENGINE, 2, 2, 300)


class WatchedFleet(Fleet):
    """A fleet whose timeline is looked at after each event, beside the scheduler's own books."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.timeline = Timeline(RECORDED)
        self.turns = JobTurns(self.timeline)
        self.has_returned = False
        self.parts: set[tuple[int, int]] = set()
        self.seen: set[int] = set()

    def deliver(self, event: Event) -> None:
        super().deliver(event)
        commands = self.commands[-1]
        self.turns.turn(self.now, (event,), commands)
        self.parts |= {(c.part, c.attempt) for c in commands if isinstance(c, HandOut)}
        if isinstance(event, AnalyserReady):
            self.has_returned |= event.analyser in self.seen
            self.seen.add(event.analyser)
        self.compare()

    def compare(self) -> None:
        """What is open is what the scheduler has outstanding; after a break it may be less."""
        leases = {
            number: set(analyser.leases)
            for number, analyser in self.scheduler._state.analysers.items()
        }
        lanes = self.timeline._sessions
        assert set(lanes) == set(leases)
        for number, lane in lanes.items():
            shown = {(span.part, span.attempt) for span in lane.open}
            assert shown <= leases[number]
            assert self.has_returned or shown == leases[number]


def simulated(seed: int, analysers: int) -> WatchedFleet:
    """Let a random fleet do a job, or be halted in it."""
    rng = random.Random(seed)
    fleet = WatchedFleet(seed)
    fleet.join(Character("steady", trial_s=0.05))
    for index in range(analysers):
        fleet.join(random_character(rng, index, end_s=5.0))
    fleet.submit(SPEC)
    if rng.random() < 0.3:
        fleet.at(rng.uniform(0, 5), lambda: fleet.deliver(JobHalted(1)))
    fleet.run(lambda: 1 in fleet.ended)
    return fleet


def check_fleet(fleet: WatchedFleet) -> list[Row]:
    rows = check_laws(fleet.timeline)
    assert {(row.part, row.attempt) for row in rows} == fleet.parts
    return rows


@pytest.mark.parametrize("seed", range(24))
def test_every_part_handed_out_has_a_span_and_what_is_open_is_outstanding(seed: int) -> None:
    check_fleet(simulated(seed, analysers=2 + seed % 4))


@pytest.mark.slow
@pytest.mark.when_changed
def test_all_endings_happen() -> None:
    endings = {row.ending for seed in range(6) for row in all_rows(simulated(seed, 6).timeline)}
    assert endings >= {Ending.DONE, Ending.STOPPED, Ending.REHANDED, Ending.LOST}


def test_liars_parts_are_lost() -> None:
    fleet = WatchedFleet(1)
    fleet.join(Character("steady"))
    fleet.join(Character("liar", workers=2, breach="range", breach_at=2))
    fleet.submit(SPEC)
    fleet.run(lambda: 1 in fleet.ended)
    rows = check_fleet(fleet)
    lanes = {lane.number: lane.name for lane in fleet.timeline.news().lanes}
    assert {row.ending for row in rows if lanes[row.lane] == "liar"} >= {Ending.LOST}


ATTIC = AnalyserReady(1, "attic", 1, ())


@pytest.mark.parametrize(
    ("outcome", "ending"),
    [
        (Outcome.DONE, Ending.DONE),
        (Outcome.STOPPED, Ending.STOPPED),
        (Outcome.FAIL, Ending.FAILED),
    ],
)
def test_an_outcome_is_an_ending(outcome: Outcome, ending: Ending) -> None:
    timeline = Timeline()
    turns = JobTurns(timeline)
    turns.turn(0.0, [ATTIC], [HandOut(1, 5, 1, 2, 0, 1, "q", "moves")])
    turns.turn(1.0, [PartEnded(1, 5, 1, outcome)], [])
    (row,) = all_rows(timeline)
    assert (row.ending, row.kind) == (ending, 1)


@pytest.mark.parametrize(
    "ending",
    [([AnalyserLost(1, "gone")], []), ([], [Quarantine(1, "bad-value", "no")])],
)
def test_what_is_handed_out_in_the_turn_of_a_loss_is_lost(
    ending: tuple[list[Event], list[Command]],
) -> None:
    timeline = Timeline()
    events, commands = ending
    handed: list[Command] = [HandOut(1, 5, 1, 2, 0, 1, "q")]
    JobTurns(timeline).turn(0.0, [ATTIC, *events], [*handed, *commands])
    assert [row.ending for row in all_rows(timeline)] == [Ending.LOST]
    assert timeline.news().lanes[0].session is None


class WatchedQuestions(WatchedFleet, QuestionFleet):
    """A fleet that is asked questions."""


@pytest.mark.parametrize("seed", range(8))
def test_every_question_asked_has_a_span_and_what_is_open_is_outstanding(seed: int) -> None:
    rng = random.Random(seed)
    fleet = WatchedQuestions(seed)
    fleet.join(Character("survivor", trial_s=0.05))
    for index in range(seed % 4):
        fleet.join(random_character(rng, index, end_s=3.0))
    specs = [question_spec(20, -number, priority) for number, priority in enumerate(Priority, 1)]
    for spec in specs:
        fleet.at(rng.uniform(0, 2), partial(fleet.submit, spec))
    fleet.run(lambda: set(fleet.ended) == {spec.job for spec in specs})
    rows = check_fleet(fleet)
    assert {row.kind for row in rows} == {Kind.QUESTION}
    assert {row.job for row in rows} == {spec.job for spec in specs}


class NotingAnalyser(SimulatedAnalyser):
    """Notes when it begins a part."""

    def report_later(self, work: Work) -> None:
        assert isinstance(self.fleet, PromptFleet)
        self.fleet.begun.setdefault((work.part, work.attempt), self.fleet.now)
        super().report_later(work)


class PromptFleet(WatchedFleet):
    """A fleet whose messages take no time."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.begun: dict[tuple[int, int], float] = {}

    def new_analyser(self, character: Character) -> SimulatedAnalyser:
        return NotingAnalyser(self, self.session_count, character)


@pytest.mark.parametrize("seed", range(6))
def test_a_part_begins_when_a_worker_of_its_analyser_begins_it(seed: int) -> None:
    rng = random.Random(seed)
    fleet = PromptFleet(seed)
    for name in ("attic", "barn"):
        workers, trial_s = rng.randint(1, 4), rng.uniform(0.01, 1.0)
        fleet.join(Character(name, workers=workers, trial_s=trial_s, latency_s=0.0))
    fleet.submit(SPEC)
    fleet.run_job(1)
    rows = [row for row in check_fleet(fleet) if row.row >= 0 and row.begin < row.end]
    begun = {key: round(now * 1e6) for key, now in fleet.begun.items()}
    assert len(rows) > 10
    assert all(abs(row.begin - begun[row.part, row.attempt]) <= 1 for row in rows)
