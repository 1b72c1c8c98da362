"""One search between sessions in memory: its answer is minimax's, whatever happens to them."""

from dataclasses import fields
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from master.contract.errors import MasterError
from master.contract.events import AnswerArrived, Outcome, PartEnded
from master.contract.rate import RateMeter
from master.contract.search_views import SearcherLine
from master.search import STRATEGIES, Costs, SearchSpec, Strategy
from master.search.events import HandOutPart
from master.search.known import NOTHING_KNOWN
from master.search.running.run import Action, DropSession, ProveHere, Send, SessionRefused
from master.search.running.search_sessions import (
    PARTS_MAX,
    SEARCH_PART_FIRST,
    SEARCHES_MAX,
    STOP_S_MAX,
    SearchLease,
    SearchSession,
    from_wire,
    to_wire,
    why_nobody,
)
from master.search.running.task import (
    CHECK_S,
    GAP_S_MAX,
    FalseWordError,
    SearchClock,
    SearchError,
    SearchTask,
)
from master.search.strategies import OURS
from protocol.messages import NUMBER_MAX, Ack, Entries, Search, Stop
from tests.master.search.fake_fleet import Fleet, MadeUpWording, bounds_text
from tests.master.search.synthetic import MadeUpGame, answer

SEEDS = st.integers(0, 10_000)


@settings(max_examples=40)
@given(SEEDS, st.lists(st.integers(1, 3), min_size=1, max_size=3), st.integers(1, 7))
@pytest.mark.when_changed
def test_any_fleet_finds_the_value_and_the_first_best_move(
    seed: int, workers: list[int], depth: int
) -> None:
    fleet = Fleet(seed, depth)
    for count in workers:
        fleet.come(count)
    fleet.finish()
    assert fleet.found == answer(fleet.game, depth)
    assert not any(session.waiting for session in fleet.sessions.values())


@settings(max_examples=60)
@given(SEEDS)
def test_sessions_that_go_come_back_drain_and_break_change_nothing(seed: int) -> None:
    fleet = Fleet(seed, 6)
    steady = fleet.come(1)
    for _ in range(300):
        if fleet.run.is_over:
            break
        session = fleet.rng.choice(list(fleet.sessions.values()))
        happening = fleet.rng.random()
        if session is steady or happening < 0.6:
            if happening < 0.2 and len(fleet.sessions) < 6:
                fleet.come(fleet.rng.randint(1, 3))
        elif session.is_away:
            fleet.come_back(session)
        elif happening < 0.8:
            fleet.lose(session)
        elif happening < 0.9:
            fleet.do(fleet.run.retired(session.number, fleet.now))
        else:
            fleet.do(fleet.run.refused(session.number, "", "broken", fleet.now))
        fleet.turn()
    fleet.finish()
    assert fleet.found == answer(fleet.game, fleet.depth)


@pytest.mark.parametrize("strategy", STRATEGIES.values())
def test_every_strategy_answers(strategy: Strategy) -> None:
    fleet = Fleet(3, 7, strategy)
    fleet.come(2)
    fleet.come(1)
    fleet.finish()
    assert fleet.found == answer(fleet.game, 7)


def test_parts_are_urgent_and_numbered_by_their_search() -> None:
    fleet = Fleet(2)
    sent = fleet.run.came(1, "attic", 2, fleet.now)
    requests = [each.message for each in sent if isinstance(each, Send)]
    assert [type(each) for each in requests] == [Search, Search]
    assert all(each.urgent for each in requests if isinstance(each, Search))
    numbers = [each.part for each in requests if isinstance(each, Search)]
    assert numbers == [to_wire(7, 1), to_wire(7, 2)]


def test_news_are_asked_for_as_soon_as_there_is_somebody_to_tell() -> None:
    fleet = Fleet(2)
    (alone,) = fleet.run.came(1, "attic", 1, fleet.now)
    (beside,) = fleet.run.came(2, "cellar", 1, fleet.now)
    assert isinstance(alone, Send)
    assert isinstance(beside, Send)
    assert isinstance(alone.message, Search)
    assert isinstance(beside.message, Search)
    assert (alone.message.news, beside.message.news) == (-1, 2)


def test_entries_go_to_each_other_session_once() -> None:
    fleet = Fleet(2, 7, Strategy("test", depth_min=2, news_depth=2, batch=10))
    one, two, three = fleet.come(2), fleet.come(3), fleet.come(1)
    for number in range(100):
        text = f"{number:06x}03 3 0,0"
        fleet.do(fleet.run.entries(one.number, Entries(game="made-up", text=text), fleet.now))
    assert one.entries_heard == 0
    assert two.entries_heard == three.entries_heard == 100


def test_session_that_is_away_takes_no_memory_for_entries() -> None:
    fleet = Fleet(2, 7, Strategy("test", depth_min=2, news_depth=2, batch=10))
    one, two = fleet.come(1), fleet.come(2)
    for number in range(10):
        text = f"{number:06x}03 3 0,0"
        fleet.do(fleet.run.entries(one.number, Entries(game="made-up", text=text), fleet.now))
    assert two.entries_heard == 10
    fleet.lose(two)
    assert not fleet.run._sessions[two.number].known.contents
    fleet.come_back(two)
    assert two.entries_heard == 20


def test_entries_of_another_game_are_not_read() -> None:
    fleet = Fleet(2)
    session = fleet.come(1)
    assert fleet.run.entries(session.number, Entries(game="chess", text="?"), fleet.now) == []


def test_entries_that_make_no_sense_refuse_the_session() -> None:
    fleet = Fleet(2)
    session = fleet.come(1)
    fleet.do(fleet.run.entries(session.number, Entries(game="made-up", text="?"), fleet.now))
    assert fleet.refused == ["analyser seat-1: table entries: expected three words, not '?'"]
    assert not fleet.run.has_workers


def test_answer_that_makes_no_sense_refuses_the_session_and_another_goes_on() -> None:
    fleet = Fleet(2)
    liar, honest = fleet.come(1), fleet.come(1)
    part = liar.waiting[0]
    fleet.do(fleet.run.receive(liar.number, AnswerArrived(1, part.part, part.attempt, "x"), 101.0))
    ended = PartEnded(1, part.part, part.attempt, Outcome.DONE, 1)
    fleet.do(fleet.run.receive(liar.number, ended, 101.0))
    assert fleet.refused[0].startswith("analyser seat-1: an answer: invalid literal")
    assert honest.waiting
    fleet.finish()
    assert fleet.found == answer(fleet.game, fleet.depth)


def test_failing_engine_refuses_the_session_and_says_why() -> None:
    fleet = Fleet(2)
    session = fleet.come(2)
    part, other = session.waiting
    failed = PartEnded(1, part.part, part.attempt, Outcome.FAIL, 0, "engine-error", "no memory")
    run = fleet.run.receive(session.number, failed, fleet.now)
    stop = Stop(part=other.part, attempt=other.attempt)
    assert Send(session.number, stop) in run
    fleet.do(run)
    assert fleet.refused == ["analyser seat-1: engine-error: no memory"]
    assert fleet.run.why_hopeless == "seat-1: engine-error: no memory"
    fleet.do(fleet.run.came(session.number, "seat-1", 2, fleet.now))
    assert not fleet.run.has_workers


def test_draining_analyser_is_no_failure() -> None:
    fleet = Fleet(2)
    session = fleet.come(1)
    part = session.waiting[0]
    failed = PartEnded(1, part.part, part.attempt, Outcome.FAIL, 0, "draining", "")
    fleet.do(fleet.run.receive(session.number, failed, fleet.now))
    assert (fleet.refused, fleet.run.why_hopeless) == ([], "")
    assert not fleet.run.has_workers


def test_contradicting_results_end_the_search_with_a_name_and_stop_everybody() -> None:
    fleet = Fleet(2)
    session, other = fleet.come(1), fleet.come(1)
    part = session.waiting[0]
    text = bounds_text(7, 5)
    fleet.do(
        fleet.run.receive(session.number, AnswerArrived(1, part.part, part.attempt, text), 101)
    )
    fleet.do(
        fleet.run.receive(session.number, PartEnded(1, part.part, part.attempt, Outcome.DONE), 101)
    )
    assert "seat-1" in fleet.run.error
    assert fleet.run.is_over
    assert not other.waiting


def test_silent_session_is_dropped_with_all_its_workers_and_may_come_again() -> None:
    fleet = Fleet(5, 8, costs=Costs(latency=0.001, message=0.0001, entry=0, poll=0.001))
    fleet.are_probes_taken = False
    silent, steady = fleet.come(2), fleet.come(1)
    silent.is_away = True  # it hears nothing, and nobody knows
    while not fleet.dropped:
        fleet.turn()
    assert fleet.dropped == [silent.number]
    assert [line.name for line in fleet.run.status(fleet.now).analysers] == ["seat-2"]
    fleet.come_back(silent)
    fleet.finish()
    assert fleet.found == answer(fleet.game, fleet.depth)
    assert not steady.waiting


@pytest.mark.slow
def test_silent_session_is_done_without_until_it_says_something() -> None:
    fleet = Fleet(5, 8, costs=Costs(latency=0.001, message=0.0001, entry=0, poll=0.01))
    silent, _ = fleet.come(2), fleet.come(1)
    silent.is_away = True  # it hears nothing, and nobody knows
    while len(fleet.run.status(fleet.now).analysers) == 2:
        fleet.turn()
    assert fleet.dropped == []
    silent.is_away = False
    for request in list(silent.waiting):
        silent.hear(Stop(part=request.part, attempt=request.attempt))
    while not silent.kept:
        silent.work(1_000)
    fleet.send(silent)
    assert len(fleet.run.status(fleet.now).analysers) == 2
    fleet.finish()
    assert fleet.found == answer(fleet.game, fleet.depth)


def test_session_is_not_silent_for_a_part_that_was_lost_with_its_connection() -> None:
    fleet = Fleet(2)
    session = fleet.come(1)
    session.waiting.clear()
    fleet.lose(session)
    fleet.come_back(session)
    fleet.now += STOP_S_MAX + 1
    fleet.do(fleet.run.check(fleet.now))
    assert fleet.run.has_workers
    fleet.finish()
    assert fleet.found == answer(fleet.game, fleet.depth)


def test_abandoned_search_stops_everything_and_says_nothing_more() -> None:
    fleet = Fleet(2)
    session = fleet.come(2)
    stops = fleet.run.abandon("the user wants no more")
    assert len(stops) == 2
    assert all(isinstance(each, Send) and isinstance(each.message, Stop) for each in stops)
    fleet.do(stops)
    fleet.send(session)
    assert fleet.run.error == "the user wants no more"
    assert fleet.run.abandon("again") == []


def test_status_tells_who_searches_what() -> None:
    fleet = Fleet(2, 7)
    fleet.come(2)
    status = fleet.run.status(fleet.now + 3)
    assert (status.lower, status.upper, status.move, status.answer) == (None,) * 4
    assert [(line.name, line.workers, line.parts) for line in status.analysers] == [
        ("seat-1", 2, 2)
    ]
    assert sorted(part.path or () for part in status.running) == [(0,), (1,)]
    assert {part.age_s for part in status.running} == {3.0}
    fleet.finish()
    status = fleet.run.status(fleet.now)
    assert status.answer == fleet.run.answer
    assert status.nodes == fleet.scheduler.counts.nodes > 0
    assert status.running == ()


@settings(max_examples=30)
@given(SEEDS, st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_a_session_that_grows_and_shrinks_changes_nothing(seed: int, sizes: list[int]) -> None:
    fleet = Fleet(seed, 6)
    session = fleet.come(1)
    for workers in sizes:
        fleet.turn()
        session.workers = workers
        fleet.come_back(session)
    fleet.finish()
    assert fleet.found == answer(fleet.game, fleet.depth)


def test_further_workers_of_a_session_are_handed_parts_at_once() -> None:
    fleet = Fleet(1, 7)
    session = fleet.come(1)
    before = len(session.waiting) + len(session.tasks)
    session.workers = 4
    fleet.come_back(session)
    assert len(session.waiting) + len(session.tasks) > before


@settings(max_examples=15)
@given(SEEDS)
def test_tree_shows_who_searches_what_and_changes_nothing(seed: int) -> None:
    watched, alone = Fleet(seed), Fleet(seed)
    for fleet in (watched, alone):
        fleet.come(2)
        fleet.come(1)
    while not watched.run.is_over:
        tree = watched.run.tree(watched.now)
        working = sorted(name for node in tree for name in node.searchers)
        assert set(working) <= {"seat-1", "seat-2"}
        assert tree[0].busy >= len(working)
        watched.turn()
        alone.turn()
    assert alone.run.is_over
    assert (watched.found, watched.now) == (alone.found, alone.now)
    assert watched.scheduler.counts == alone.scheduler.counts


EXAMPLES: list[Action] = [
    Send(1, Stop(part=2, attempt=3)),
    Send(1, Ack(count=2)),
    DropSession(1, "text"),
    SessionRefused(1, "text"),
    ProveHere(1, "text"),
]


def test_action_is_one_of_all_that_are_written_down() -> None:
    assert set(get_args(Action)) == {type(each) for each in EXAMPLES}


def test_actions_of_one_content_and_several_kinds_are_several() -> None:
    assert len(set(EXAMPLES)) == len(EXAMPLES)


@pytest.mark.parametrize("action", EXAMPLES, ids=repr)
def test_action_equals_what_has_its_content(action: Action) -> None:
    names = [field.name for field in fields(action)]
    again = type(action)(*(getattr(action, name) for name in names))
    assert (again, hash(again)) == (action, hash(action))
    assert all(f"{name}=" in repr(action) for name in names)


def test_task_begins_with_nothing_known_and_believes_everybody() -> None:
    game = MadeUpGame(1)
    task = SearchTask(SearchSpec(game.root(), (3,)), MadeUpWording(game))
    assert (task.strategy, task.known) == (OURS, NOTHING_KNOWN)
    assert [task.guess, task.prove, task.keep, task.watch] == [None] * 4


def test_errors_are_shown_as_one_line_and_name_no_way_out_by_themselves() -> None:
    error = FalseWordError("attic told what is false")
    assert isinstance(error, SearchError)
    assert isinstance(error, MasterError)
    assert not error.are_others_here
    assert not error.are_known_bounds_false


STEPS = st.lists(st.floats(0.0, 10.0), max_size=20)


@given(st.floats(0.0, 1e6), STEPS)
def test_it_never_goes_back_and_no_gap_is_longer_than_the_longest(
    start: float, steps: list[float]
) -> None:
    clock, time, last = SearchClock(start), start, 0.0
    for step in steps:
        time += step
        now = clock.read(time)
        assert -1e-9 <= now - last <= GAP_S_MAX + 1e-9
        assert abs(clock.to_loop(now) - time) < 1e-9
        last = now


def test_it_is_the_loops_time_while_it_is_looked_at() -> None:
    clock = SearchClock(5.0)
    assert [clock.read(5.0 + i * CHECK_S) for i in range(4)] == [
        0.0,
        CHECK_S,
        2 * CHECK_S,
        3 * CHECK_S,
    ]


def test_standstill_does_not_count() -> None:
    clock = SearchClock(0.0)
    clock.read(1.0)
    assert clock.read(1000.0) == 1.0 + GAP_S_MAX
    assert clock.read(1001.0) == 2.0 + GAP_S_MAX


@given(st.integers(0, SEARCHES_MAX - 1), st.integers(0, PARTS_MAX - 1))
def test_number_says_which_search_a_part_is_of(search: int, part: int) -> None:
    assert from_wire(to_wire(search, part)) == (search, part)


def test_numbers_are_the_protocols_and_above_those_of_jobs() -> None:
    assert to_wire(0, 0) == SEARCH_PART_FIRST
    assert to_wire(SEARCHES_MAX - 1, PARTS_MAX - 1) == NUMBER_MAX
    assert to_wire(SEARCHES_MAX, 5) == to_wire(0, 5)


def test_each_entry_is_news_once_for_workers_that_share_a_table() -> None:
    session = SearchSession(3, "attic", RateMeter(0.0, 0), 2, [1, 2])
    old, other = (b"a", 3, b"x"), (b"b", 3, b"x")
    assert session.news_of((old,)) == (old,)
    assert session.news_of((old, other)) == (other,)
    better = b"a", 3, b"y"
    assert session.news_of((better,)) == (better,)
    alone = SearchSession(3, "attic", RateMeter(0.0, 0), 1, [1])
    assert alone.news_of((old,)) == alone.news_of((old,)) == (old,)


def test_nobody_can_be_used_when_all_that_came_are_refused() -> None:
    attic, cellar = (SearchSession(number, name, RateMeter(0.0, 0)) for number, name in
                     enumerate(("attic", "cellar")))  # fmt: skip
    assert why_nobody([]) == ""
    attic.refusal = "too old"
    assert why_nobody([attic, cellar]) == ""
    cellar.refusal = "too new"
    assert why_nobody([attic, cellar]) == "attic: too old; cellar: too new"


def holding(count: int) -> SearchSession:
    session = SearchSession(3, "attic", RateMeter(0.0, 0), 2, [1, 2])
    for number in range(count):
        session.add(SearchLease(HandOutPart(1, number, 1, b"a", 5, 0, 1), 1.0, key=(number, 1)))
    return session


def test_session_that_owes_an_answer_to_a_stop_is_late() -> None:
    session = holding(3)
    session.leases[1, 1].stopped_at = 10.0
    assert not session.is_late(10.0 + STOP_S_MAX)
    assert session.is_late(10.1 + STOP_S_MAX)
    session.forgive()
    assert not session.is_late(100.0)


def test_line_counts_parts_and_nodes_a_second() -> None:
    session = holding(2)
    session.nodes = 50
    assert session.line(5.0) == SearcherLine("attic", 2, 2, 50, 10.0)
