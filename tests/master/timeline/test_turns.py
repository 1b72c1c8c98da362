"""The scheduler's turns: run over the simulator's fleets, and single events."""

import asyncio
import random
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from master.contract.commands import Command, HandOut, Quarantine
from master.contract.events import (
    AnalyserLost,
    AnalyserReady,
    AnswerArrived,
    Event,
    JobHalted,
    JobSpec,
    Outcome,
    PartEnded,
)
from master.contract.goals import Goal
from master.contract.job_words import Priority
from master.laboratory.laboratory import Laboratory
from master.scheduler import SchedulerOptions
from master.search import STRATEGIES, Costs, SearchScheduler, SearchSpec
from master.search.events import HandOutPart
from master.search.running.run import Send
from master.search.running.search_sessions import to_wire
from master.service.service import MasterService
from master.timeline.spans import Ending, Kind
from master.timeline.timeline import NODES, RECORDED, Timeline
from master.timeline.turns import JobTurns, LiveSearches, SearchTurns
from protocol.messages import Ping, Search, Stop
from tests.master.question_simulator import QuestionFleet, question_spec
from tests.master.search.synthetic import MadeUpGame, SyntheticEngine
from tests.master.service.test_searches import Searcher, searched
from tests.master.simulator import (
    ENGINE,
    Character,
    Fleet,
    SimulatedAnalyser,
    Work,
    random_character,
)
from tests.master.timeline.streams import Row, all_rows, check_laws

SPEC = JobSpec(1, "noop/1 job=1", "noop", ENGINE, 2, 2, Goal(300))


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


GAME = MadeUpGame(11, width=4, spread=10)
COSTS = Costs(5, 1, 0.1, 8)


def search_simulated(
    strategy: str, workers: int = 1, losses: dict[int, float] | None = None
) -> tuple[Timeline, list[Row], SearchScheduler]:
    scheduler = SearchScheduler(SearchSpec(GAME.root(), (7,)), GAME, STRATEGIES[strategy], COSTS)
    timeline = Timeline(NODES)
    turns = SearchTurns(timeline, workers)
    handed: set[tuple[int, int]] = set()

    def log(*turn: object) -> None:
        turns.turn(*turn)  # type: ignore[arg-type]
        commands = turn[2]
        assert isinstance(commands, list)
        handed.update((c.part, c.generation) for c in commands if isinstance(c, HandOutPart))

    engines = [SyntheticEngine(GAME) for _ in range(8)]
    lab = Laboratory(scheduler, engines, COSTS, workers=workers, log=log)
    for number, time in (losses or {}).items():
        lab.lose(number, time)
    assert lab.run().answer is not None
    rows = check_laws(timeline, workers)
    assert timeline.open_count == 0, "all is over with the answer"
    assert all(row.kind == Kind.SEARCH for row in rows)
    assert {(row.part, row.attempt) for row in rows} == handed
    return timeline, rows, scheduler


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("workers", [1, 3])
def test_every_strategy_keeps_the_laws(name: str, workers: int) -> None:
    timeline, rows, scheduler = search_simulated(name, workers)
    assert len(rows) == scheduler.counts.handed_out
    lanes = timeline.news().lanes
    assert [lane.name for lane in lanes] == [str(n + 1) for n in range(-(-8 // workers))]
    assert all(lane.stays[-1][1] == timeline.news().now for lane in lanes)


def test_hot_spots_are_shot_and_all_that_was_shot_is_shown() -> None:
    _, rows, scheduler = search_simulated("manyply")
    shot = sum(row.ending == Ending.SHOT for row in rows)
    assert 0 < shot <= scheduler.counts.shot
    assert all(row.stop >= row.handed for row in rows if row.ending == Ending.SHOT)


def test_who_goes_loses_only_its_own() -> None:
    timeline, rows, _ = search_simulated("manyply", workers=2, losses={1: 30.0})
    lost = [row for row in rows if row.ending == Ending.LOST]
    assert {row.lane for row in lost} <= {0}
    first, second = timeline.news().lanes[:2]
    assert (first.workers, second.workers) == (1, 2)


PART = to_wire(2, 5)


def begun() -> tuple[Timeline, LiveSearches]:
    timeline = Timeline()
    timeline.advance(10.0)
    timeline.come(7, "attic", 1)
    searches = LiveSearches(timeline)
    searches.begin(2, "chess")
    message = Search(part=PART, attempt=1, context="x", urgent=True)
    searches.send(2, Send(7, message), 11.0)
    return timeline, searches


def test_a_part_is_sent_and_answered() -> None:
    timeline, searches = begun()
    answer = AnswerArrived(7, PART, 1, "answer")
    searches.receive([answer, PartEnded(7, PART, 1, Outcome.DONE)], 12.0)
    (row,) = all_rows(timeline)
    assert (row.kind, row.job, row.part) == (Kind.SEARCH, 2, PART)
    assert (row.begin, row.end, row.ending) == (1_000_000, 2_000_000, Ending.DONE)
    assert timeline.news().names == {(Kind.SEARCH, 2): "chess"}


def test_a_hot_spot_is_shot_down() -> None:
    timeline, searches = begun()
    searches.send(2, Send(7, Stop(part=PART, attempt=1), is_shot=True), 11.5)
    searches.receive([PartEnded(7, PART, 1, Outcome.STOPPED)], 12.0)
    (row,) = all_rows(timeline)
    assert (row.stop, row.ending) == (1_500_000, Ending.SHOT)


def test_other_messages_are_nothing() -> None:
    timeline, searches = begun()
    searches.send(2, Send(7, Ping(token="1")), 12.0)
    assert timeline.open_count == 1


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[tuple[Timeline, MasterService]]:
    timeline = Timeline()
    options = SchedulerOptions(log=JobTurns(timeline).turn)
    watch = LiveSearches(timeline)
    async with MasterService(tmp_path, options=options, watch=watch) as service:
        yield timeline, service


async def test_all_that_a_running_search_hands_out_is_shown(
    watched: tuple[Timeline, MasterService],
) -> None:
    timeline, service = watched
    searchers = [Searcher(name).join(service) for name in ("attic", "cellar")]
    status = await searched(service)
    async with asyncio.timeout(10):
        while timeline.open_count:  # noqa: ASYNC110  # nothing else tells
            await asyncio.sleep(0)
    rows = check_laws(timeline)
    asked = {(one.part, one.attempt) for searcher in searchers for one in searcher.asked}
    assert {(row.part, row.attempt) for row in rows} == asked
    assert len(rows) == status.parts
    assert sum(row.ending == Ending.SHOT for row in rows) <= status.shot
    assert {lane.name for lane in timeline.news().lanes} == {"attic", "cellar"}
    for searcher in searchers:
        await searcher.leave()


async def test_who_vanishes_has_lost_its_parts(watched: tuple[Timeline, MasterService]) -> None:
    timeline, service = watched
    attic = Searcher().join(service)
    cellar = Searcher("cellar")
    cellar.is_deaf = True
    cellar.join(service)
    running = asyncio.create_task(searched(service))
    async with asyncio.timeout(10):
        while len({row.lane for row in all_rows(timeline)}) < 2:  # noqa: ASYNC110  # as above
            await asyncio.sleep(0)
    await cellar.leave()
    await running
    lanes = {lane.number: lane.name for lane in timeline.news().lanes}
    endings = {row.ending for row in all_rows(timeline) if lanes[row.lane] == "cellar"}
    assert endings == {Ending.LOST}
    await attic.leave()
