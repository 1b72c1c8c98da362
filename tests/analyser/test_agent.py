import asyncio
import logging
import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

import pytest

from analyser.agent import Agent
from engine_ext import services
from engine_ext.front import SEARCH, PartEngine, TextKind
from engine_ext.noop.question import noop_question
from engine_ext.othello import shared_table
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.parts import TableName, entries_text, read_entries
from engine_ext.search.part_text import PartAnswer
from engine_ext.search.table import BYTES_MIN
from engine_ext.services import engine_digest
from protocol.codec import encode
from protocol.events import MessageReceived
from protocol.messages import (
    Ack,
    Answer,
    Bye,
    Done,
    Drain,
    Engine,
    Entries,
    Error,
    Fail,
    Help,
    Info,
    Message,
    PartRequest,
    PartResult,
    Ping,
    Progress,
    Ready,
    Status,
    Stop,
    Stopped,
    Trials,
    Who,
)
from protocol.session import UNACKED_BYTES_MAX, MasterSession
from protocol.session_secret import new_session_secret, public_session_id
from tests.analyser import broken_engine
from tests.analyser.conftest import MakeAgent
from tests.analyser.driven_master import (
    ENDLESS,
    ENDLESS_QUESTION,
    DrivenMaster,
    LeftError,
    by_part,
    expected,
    until,
)
from tests.analyser.search_parts import (
    ENDLESS_BOARD,
    check_announced_once,
    check_answer,
    long_boards,
    new_search,
    small_boards,
)
from tests.engine_ext.othello.positions import played

SHORT = "noop/1 alternatives=1 rounds=100000"  # about 0.1 ms a trial
SLOW = noop_question(rounds=100_000)


async def test_engines_are_announced_then_ready(make_agent: MakeAgent) -> None:
    master = DrivenMaster.of(make_agent(worker_count=3))
    greeting = await master.send_hello()
    assert (greeting.name, greeting.cores, greeting.session) == ("attic", 3, "")
    engine = await master.hear(Engine)
    assert engine.game == "noop"
    assert engine.power > 0
    assert engine.services == ("trials", "analyse")
    assert (await master.hear(Ready)).workers == 3


async def test_trials_come_in_order_and_have_the_engine_s_values(make_agent: MakeAgent) -> None:
    master = DrivenMaster.of(make_agent())
    await master.begin()
    requests = [master.ask(part, 1 + 37 * part, first_seq=1000 * part) for part in range(12)]
    results = await master.results(sum(request.count + 1 for request in requests))
    assert by_part(results) == {request.part: expected(request) for request in requests}


async def test_stopped_part_ends_early_and_the_next_goes_on(make_agent: MakeAgent) -> None:
    master = DrivenMaster.of(make_agent(worker_count=1, progress_interval_s=0.01))
    await master.begin()
    master.ask(1, 5, context=ENDLESS)
    request = master.ask(2, 5)
    first = await master.hear(Progress)
    while (later := await master.hear(Progress)).steps == first.steps:
        pass
    assert (later.part, later.attempt) == (1, 0)
    assert later.steps > first.steps
    master.link.send(Stop(part=1, attempt=0), Stop(part=9, attempt=0))
    stopped, *rest = await master.results(1 + 6)
    assert isinstance(stopped, Stopped)
    assert (stopped.part, stopped.count) == (1, 0)
    assert rest == expected(request)


async def test_part_that_cannot_be_computed_fails_alone(make_agent: MakeAgent) -> None:
    master = DrivenMaster.of(make_agent())
    await master.begin()
    master.ask(1, context="noop/1 nonsense")
    (fail,) = await master.results(1)
    assert isinstance(fail, Fail)
    assert (fail.part, fail.code) == (1, "bad-context")
    request = master.ask(2, 3)
    assert await master.results(4) == expected(request)


@pytest.mark.usefixtures("broken_game")
async def test_game_that_cannot_load_is_not_offered(make_agent: MakeAgent) -> None:
    master = DrivenMaster.of(make_agent(games=("broken", "noop")))
    assert (await master.send_hello()).games == ("broken", "noop")
    assert (await master.hear(Engine)).game == "noop"
    await master.hear(Ready)


@pytest.mark.usefixtures("broken_game")
async def test_searching_game_that_cannot_load_keeps_no_session_from_starting_or_ending(
    make_agent: MakeAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(*_: object) -> NoReturn:
        raise ImportError("engine missing")

    searching = broken_engine.FRONT._replace(
        parts=PartEngine(load, load, load),
        kinds={**broken_engine.FRONT.kinds, "broken-search/1": TextKind(SEARCH)},
    )
    monkeypatch.setitem(services.GAMES, "broken", searching)
    agent = make_agent(games=("broken", "noop"))
    for name in ("alice", "bob"):
        master = DrivenMaster.of(agent, name, MasterSession(name))
        await master.begin()
        request = master.ask(1, 3)
        assert await master.results(4) == expected(request)
        master.ack()
        master.link.send(Bye())
        await master.serving


# One master at a time.


async def test_second_master_gets_the_name_of_the_served_one(make_agent: MakeAgent) -> None:
    agent = make_agent()
    alice = DrivenMaster.of(agent, "alice")
    await alice.begin()
    for name in ("bob", "alice"):  # a name is no claim while the connection lives
        second = DrivenMaster.of(agent, name, MasterSession("s2"))
        with pytest.raises(LeftError, match="busy, serves alice"):
            await second.begin()
    request = alice.ask(1, 3)
    assert await alice.results(4) == expected(request)


async def test_next_master_is_served_when_nothing_is_owed_to_the_last(
    make_agent: MakeAgent,
) -> None:
    agent = make_agent()
    alice = DrivenMaster.of(agent, "alice")
    await alice.begin()
    alice.ask(1, 3)
    await alice.results(4)
    alice.ack()
    alice.link.send(Bye())
    await alice.serving
    bob = DrivenMaster.of(agent, "bob", MasterSession("s2"))
    await bob.begin()
    request = bob.ask(1, 3)
    assert await bob.results(4) == expected(request)


async def broken_off(agent: Agent) -> DrivenMaster:
    """Let alice vanish while a part runs for her."""
    alice = DrivenMaster.of(agent, "alice")
    await alice.begin()
    alice.ask(1, 10**6, context=SHORT)
    await alice.results(1)
    alice.link.abort()
    await alice.serving
    return alice


async def test_master_that_may_come_back_is_waited_for(make_agent: MakeAgent) -> None:
    agent = make_agent()
    await broken_off(agent)
    bob = DrivenMaster.of(agent, "bob", MasterSession("s2"))
    with pytest.raises(LeftError, match="busy, serves alice"):
        await bob.begin()


async def test_master_that_lost_its_memory_starts_anew(make_agent: MakeAgent) -> None:
    agent = make_agent()
    await broken_off(agent)
    alice = DrivenMaster.of(agent, "alice", MasterSession("s2"))
    await alice.begin()
    request = alice.ask(1, 300)
    assert await alice.results(301) == expected(request)


async def test_grace_period_ends(make_agent: MakeAgent) -> None:
    agent = make_agent(grace_s=0.0)
    await broken_off(agent)
    await until(lambda: agent._grace is None)
    bob = DrivenMaster.of(agent, "bob", MasterSession("s2"))
    greeting = await bob.begin()
    assert greeting.session == ""
    request = bob.ask(1, 300)
    assert await bob.results(301) == expected(request)


@pytest.mark.slow
async def test_results_of_a_forgotten_session_never_reach_the_next(make_agent: MakeAgent) -> None:
    agent = make_agent()
    for round_ in range(15):
        # An unnamed session cannot be resumed: it is forgotten with its connection.
        master = DrivenMaster.of(agent, f"m{round_}", MasterSession())
        await master.begin()
        requests = [master.ask(part, 40, SHORT, 10**6 * round_) for part in range(4)]
        results = by_part(await master.results(3))
        for request in requests:
            found = results.get(request.part, [])
            assert found == expected(request)[: len(found)]
        master.link.abort()
        await master.serving


# Questions.


async def test_question_is_answered_by_its_service(make_agent: MakeAgent) -> None:
    master = DrivenMaster.of(make_agent())
    await master.begin()
    requests = [master.wonder(part, noop_question(part, part)) for part in range(20)]
    results = by_part(await master.results(40))
    assert results == {request.part: expected(request) for request in requests}


async def test_urgent_question_pauses_a_rollout_and_changes_nothing(make_agent: MakeAgent) -> None:
    master = DrivenMaster.of(make_agent(worker_count=1))
    await master.begin()
    rollout = master.ask(1, 300, context=SHORT)
    results = await master.results(10)
    asked: list[PartRequest] = [master.wonder(2 + number, SLOW, urgent=True) for number in range(5)]
    results += await master.results(301 + 10 - len(results))
    assert by_part(results) == {each.part: expected(each) for each in [*asked, rollout]}
    master.ask(9, context=ENDLESS)
    urgent = master.wonder(10, SLOW, urgent=True)
    assert await master.results(2) == expected(urgent)


async def paused(agent: Agent) -> DrivenMaster:
    """Let an endless part 1 be paused for an endless urgent question, part 2."""
    master = DrivenMaster.of(agent)
    await master.begin()
    master.ask(1, 10, context=ENDLESS)
    await until(lambda: any(report.steps for report in agent._backend.progress()))
    master.wonder(2, ENDLESS_QUESTION, urgent=True)
    await until(lambda: agent._backend.paused_count == 1)
    return master


async def test_paused_part_reports_steps_that_grow(make_agent: MakeAgent) -> None:
    master = await paused(make_agent(worker_count=1, progress_interval_s=0.01))
    steps: list[int] = []
    while len(steps) < 5:
        report = await master.hear(Progress)
        steps += [report.steps] if report.part == 1 else []
    assert steps == sorted(set(steps))


async def test_stop_ends_a_paused_part_and_an_urgent_question(make_agent: MakeAgent) -> None:
    agent = make_agent(worker_count=1)
    master = await paused(agent)
    master.link.send(Status())
    assert (await master.hear(Info)).text == "1 workers, 2 parts, 1 of them paused"
    for part in (1, 2):
        master.link.send(Stop(part=part, attempt=0))
        (stopped,) = await master.results(1)
        assert isinstance(stopped, Stopped)
        assert (stopped.part, stopped.count) == (part, 0)
    assert agent._backend.paused_count == 0


async def test_drain_finishes_paused_parts_and_refuses_questions(make_agent: MakeAgent) -> None:
    agent = make_agent(worker_count=1)
    master = await paused(agent)
    draining = asyncio.create_task(agent.drain())
    master.wonder(3, urgent=True)  # before the drain arrives
    await until(lambda: len(agent._session.outstanding) == 3)
    master.link.send(Stop(part=2, attempt=0), Stop(part=1, attempt=0))
    results = by_part(await master.results(3))
    assert [type(results[part][0]) for part in (1, 2, 3)] == [Stopped, Stopped, Fail]
    master.ack()
    await draining


async def test_new_session_ends_paused_parts(make_agent: MakeAgent) -> None:
    agent = make_agent(worker_count=1, grace_s=0.0)
    alice = await paused(agent)
    alice.link.abort()
    await alice.serving
    bob = DrivenMaster.of(agent, "bob", MasterSession("s2"))
    await until(lambda: agent._grace is None)
    await bob.begin()
    request = bob.ask(1, 3)
    assert await bob.results(4) == expected(request)


async def test_answers_not_received_are_sent_again(make_agent: MakeAgent) -> None:
    agent = make_agent()
    alice = DrivenMaster.of(agent)
    await alice.begin()
    request = alice.wonder(1)
    await alice.results(2)
    alice.link.abort()
    await alice.serving
    session = MasterSession("s1")
    session.open(request)
    again = DrivenMaster.of(agent, session=session)
    await again.begin()
    assert await again.results(2) == expected(request)


@pytest.mark.slow
@pytest.mark.usefixtures("broken_game")
async def test_long_answers_without_an_ack_hold_the_analyser_back(make_agent: MakeAgent) -> None:
    agent, count = make_agent(), 1_000
    master = DrivenMaster.of(agent)
    await master.begin()
    for part in range(count):
        master.wonder(part, "broken-question/1 long")
    kept = -(-UNACKED_BYTES_MAX // 24_600)
    results = await master.results(2 * kept)
    assert agent._session.is_heavy
    request = master.wonder(count)
    await until(lambda: (count, 0) in agent._session.outstanding)
    assert agent._session.result_count < 2 * count
    master.ack()
    results += await master.results(2 * (count + 1) - len(results))
    assert not agent._session.outstanding
    assert by_part(results)[count] == expected(request)


# Searches.


async def searching(make_agent: MakeAgent, **settings: object) -> tuple[Agent, DrivenMaster]:
    agent = make_agent(games=("noop", "othello"), **settings)
    master = DrivenMaster.of(agent)
    await master.begin()
    return agent, master


async def begun(agent: Agent, count: int = 1) -> None:
    """Wait until so many parts are searched."""
    await until(lambda: sum(report.steps > 0 for report in agent._backend.progress()) == count)


async def test_othello_is_offered_for_searches(make_agent: MakeAgent) -> None:
    master = DrivenMaster.of(make_agent(games=("othello",)))
    await master.send_hello()
    engine = await master.hear(Engine)
    assert (engine.game, engine.services) == ("othello", ("looks", "search"))
    assert engine.power > 0


async def test_parts_are_searched_and_their_answers_are_true(make_agent: MakeAgent) -> None:
    _, master = await searching(make_agent)
    boards = small_boards(12)
    for part, board in enumerate(boards):
        master.search(new_search(part, board, urgent=part % 2 == 0))
    results = by_part(await master.results(24))
    for part, board in enumerate(boards):
        answer, done = results[part]
        assert isinstance(answer, Answer)
        check_answer(board, answer, is_whole=True)
        assert isinstance(done, Done)


async def test_stopped_search_answers_at_once_and_the_next_one_runs(make_agent: MakeAgent) -> None:
    agent, master = await searching(make_agent, worker_count=1)
    master.search(new_search(1, urgent=True))
    master.search(new_search(2, urgent=True))
    await begun(agent)
    master.search(new_search(3, urgent=True))
    for part in (3, 1):  # one that waits, the one that runs
        master.link.send(Stop(part=part, attempt=0))
    waiting, answer, stopped = await master.results(3)
    assert isinstance(waiting, Stopped)
    assert (waiting.part, waiting.count) == (3, 0)
    assert isinstance(answer, Answer)
    found = PartAnswer.from_text(answer.text)
    assert found.nodes > 0
    assert found.lower <= 0 <= found.upper  # Othello is a draw
    assert isinstance(stopped, Stopped)
    assert (stopped.part, stopped.count) == (1, 1)
    await begun(agent)
    master.link.send(Stop(part=2, attempt=0))
    assert len(await master.results(2)) == 2


@pytest.mark.slow
async def test_entries_are_sent_while_a_part_asks_for_them_and_each_once(
    make_agent: MakeAgent,
) -> None:
    _, master = await searching(make_agent, worker_count=3)
    for part, board in enumerate(long_boards(6)):
        master.search(new_search(part, board, news=14 if part % 2 else -1))
    reported = []
    final_count = 0
    while final_count < 6:
        event = await master.next()
        assert isinstance(event, MessageReceived)
        final_count += isinstance(event.message, Done)
        if isinstance(event.message, Entries):
            reported += read_entries(event.message.text)[1]
    check_announced_once(reported)
    assert master.session.received == 12


async def announced_of(make_agent: MakeAgent, board: OthelloBoard) -> tuple[list[Entries], int]:
    """Search a board; return the entries told, and how many nodes that took."""
    _, master = await searching(make_agent, worker_count=1)
    master.search(new_search(1, board, news=14))
    reported: list[Entries] = []
    while True:
        event = await master.next()
        assert isinstance(event, MessageReceived)
        if isinstance(event.message, Answer):
            return reported, PartAnswer.from_text(event.message.text).nodes
        if isinstance(event.message, Entries):
            reported.append(event.message)


async def test_entries_of_one_analyser_spare_another_one_work(
    make_agent: MakeAgent, fresh_tables: Callable[[], None]
) -> None:
    board = long_boards(1)[0]
    reported, nodes = await announced_of(make_agent, board)
    fresh_tables()
    _, master = await searching(make_agent, worker_count=1)
    master.link.send(*reported)  # before this session's first search: they count for nothing
    master.search(new_search(1, board))
    answer = await master.hear(Answer)
    assert PartAnswer.from_text(answer.text).nodes == nodes
    fresh_tables()
    master.link.send(*reported, *reported)
    master.search(new_search(2, board))
    answer = await master.hear(Answer)
    assert PartAnswer.from_text(answer.text).nodes < nodes // 2


async def test_entries_die_with_the_session_that_sent_them(
    make_agent: MakeAgent, fresh_tables: Callable[[], None]
) -> None:
    board, other = long_boards(2)
    reported, nodes = await announced_of(make_agent, board)
    fresh_tables()
    agent, stranger = await searching(make_agent, worker_count=1, grace_s=0.0)
    stranger.search(new_search(1, other))
    await stranger.hear(Answer)
    stranger.link.send(*reported)
    stranger.link.send(Bye(reason="that was all"))
    await stranger.serving
    await until(lambda: agent._link is None)
    master = DrivenMaster.of(agent, "honest", MasterSession("s2"))
    await master.begin()
    master.search(new_search(1, board))
    answer = await master.hear(Answer)
    assert PartAnswer.from_text(answer.text).nodes == nodes


async def test_entries_that_make_no_sense_are_refused_and_nothing_else_changes(
    make_agent: MakeAgent, fresh_tables: Callable[[], None]
) -> None:
    board = long_boards(1)[0]
    (entries, *_), nodes = await announced_of(make_agent, board)
    fresh_tables()
    _, master = await searching(make_agent, worker_count=1)
    master.search(new_search(0, small_boards(1)[0]))
    await master.hear(Answer)
    fresh_tables()
    name, whole = read_entries(entries.text)
    (foreign,) = entries_text(replace(name, engine="0" * 16), whole)
    for code, bad in [
        ("bad-context", entries.model_copy(update={"text": entries.text[:-4]})),
        ("bad-context", entries.model_copy(update={"text": entries.text.replace("crc=", "crc=0")})),
        ("engine-mismatch", entries.model_copy(update={"text": foreign})),
        ("unknown-game", entries.model_copy(update={"game": "noop"})),
        ("unknown-game", entries.model_copy(update={"game": "go"})),
    ]:
        master.link.send(bad)
        assert (await master.hear(Error)).code == code
    master.search(new_search(1, board))
    answer = await master.hear(Answer)
    assert PartAnswer.from_text(answer.text).nodes == nodes


async def test_drain_waits_for_a_search_and_refuses_the_next(make_agent: MakeAgent) -> None:
    agent, master = await searching(make_agent, worker_count=1)
    master.search(new_search(1, news=8, urgent=True))
    await begun(agent)
    draining = asyncio.create_task(agent.drain())
    master.search(new_search(2, urgent=True))  # before the drain arrives
    (fail,) = await master.results(1)
    assert isinstance(fail, Fail)
    assert (fail.part, fail.code) == (2, "draining")
    master.link.send(Stop(part=1, attempt=0))
    answer, _ = await master.results(2)
    assert isinstance(answer, Answer)
    master.ack()
    await draining


@pytest.mark.slow
async def test_search_goes_on_while_its_master_is_away(make_agent: MakeAgent) -> None:
    agent, alice = await searching(make_agent, worker_count=1)
    board = long_boards(1)[0]
    request = alice.search(new_search(1, board, news=12, urgent=True))
    await begun(agent)
    alice.link.abort()
    await alice.serving
    await until(lambda: not agent._session.outstanding)
    session = MasterSession("s1")
    session.open(request)
    again = DrivenMaster.of(agent, session=session)
    await again.begin()
    answer, done = await again.results(2)
    assert isinstance(answer, Answer)
    check_answer(board, answer, is_whole=True)
    assert isinstance(done, Done)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
async def test_searches_end_once_and_truly_whatever_is_stopped_when(
    make_agent: MakeAgent, seed: int
) -> None:
    rng = random.Random(seed)
    _, master = await searching(make_agent, worker_count=rng.choice([1, 2, 3]))
    boards = [*small_boards(10), *long_boards(3), ENDLESS_BOARD]
    asked: dict[int, OthelloBoard] = {}
    results: list[PartResult] = []
    for part in range(60):
        asked[part] = rng.choice(boards)
        news, is_urgent = rng.choice([-1, 10, 14]), rng.random() < 0.7
        master.search(new_search(part, asked[part], news, urgent=is_urgent))
        for _ in range(rng.choice([0, 0, 1, 3])):
            master.link.send(Stop(part=rng.randrange(part + 1), attempt=0))
        if rng.random() < 0.1:
            master.link.send(Entries(game="othello", text="nonsense"))
        for _ in range(rng.choice([0, 1, 50])):  # let some of it happen
            await asyncio.sleep(0)
    for part in asked:
        master.link.send(Stop(part=part, attempt=0))
    while sum(isinstance(each, Done | Stopped) for each in results) < len(asked):
        results += await master.results(1)
    for part, (*answers, final) in by_part(results).items():
        assert len(answers) == (final.count if isinstance(final, Stopped) else 1)
        for answer in answers:
            assert isinstance(answer, Answer)
            if asked[part] is not ENDLESS_BOARD:
                check_answer(asked[part], answer, is_whole=isinstance(final, Done))
    assert set(by_part(results)) == set(asked)


async def test_new_session_ends_searches_and_gets_nothing_of_them(
    make_agent: MakeAgent,
) -> None:
    agent, alice = await searching(make_agent, worker_count=1, grace_s=0.0)
    alice.search(new_search(1, news=8, urgent=True))
    await begun(agent)
    alice.link.abort()
    await alice.serving
    await until(lambda: agent._grace is None)
    bob = DrivenMaster.of(agent, "bob", MasterSession("s2"))
    await bob.begin()
    request = bob.ask(1, 3)
    heard = [(await bob.next()).message for _ in range(4)]  # type: ignore[union-attr]
    assert heard == expected(request)


async def test_next_session_s_searches_may_take_the_room_of_the_last_one_s(
    make_agent: MakeAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_table, "TABLE_BYTES", BYTES_MIN)
    _, alice = await searching(make_agent, grace_s=0.0)
    table = shared_table.shared_table(TableName(engine_digest("othello"))).table
    dear, cheap = ENDLESS_BOARD, [played(seed, 20) for seed in range(400)]
    table.store(dear, 60, 0, 0, 10**9)
    for board in cheap:
        table.store(board, 20, 0, 0, 1)
    assert table.probe(dear, 60) == (0, 0)
    alice.link.abort()
    await alice.serving
    for board in cheap:
        table.store(board, 20, 0, 0, 1)
    assert table.probe(dear, 60) is None


async def test_rollout_goes_on_where_it_was_behind_urgent_searches(make_agent: MakeAgent) -> None:
    _, master = await searching(make_agent, worker_count=1)
    rollout = master.ask(100, 300, context=SHORT)
    results = await master.results(10)
    for part, board in enumerate(small_boards(8)):
        master.search(new_search(part, board, urgent=True))
    results += await master.results(301 + 16 - 10)
    assert by_part(results)[100] == expected(rollout)


# A broken connection.


@pytest.mark.slow
@pytest.mark.parametrize("received", [1, 2, 77, 300])
@pytest.mark.parametrize("is_acked", [False, True])
async def test_broken_connection_loses_and_repeats_nothing(
    make_agent: MakeAgent, received: int, is_acked: bool
) -> None:
    agent = make_agent()
    alice = DrivenMaster.of(agent)
    await alice.begin()
    requests = [alice.ask(part, 150, SHORT) for part in range(2)]
    total, results = 302, list[PartResult]()
    for _ in range(3):
        results += await alice.results(min(received, total - len(results)))
        alice.link.abort()
        await alice.serving
        alice = DrivenMaster.of(agent, session=session_behind(results, requests))
        greeting = await alice.begin()
        assert greeting.session == public_session_id("s1")
        if is_acked:
            alice.ack()
    results += await alice.results(total - len(results))
    assert by_part(results) == {request.part: expected(request) for request in requests}


def session_behind(results: list[PartResult], requests: list[Trials]) -> MasterSession:
    """What a master knows behind some results, as if what came later had not arrived."""
    session = MasterSession("s1")
    for request in requests:
        session.open(request)
    for result in results:
        session.count(result)
    return session


async def test_connection_that_only_looks_alive_is_replaced(make_agent: MakeAgent) -> None:
    agent, session = make_agent(), MasterSession("s1")
    old = DrivenMaster.of(agent, session=session)
    await old.begin()
    old.ask(1, 20)
    await old.results(21)
    new = DrivenMaster.of(agent, session=session)
    assert (await new.begin()).session == public_session_id("s1")
    await old.serving
    assert old.link.is_closed
    request = new.ask(2, 20)
    assert await new.results(21) == expected(request)


@pytest.mark.slow
@pytest.mark.when_changed
async def test_master_that_does_not_read_blocks_nothing(make_agent: MakeAgent) -> None:
    agent, count = make_agent(), 60_000
    master = DrivenMaster.of(agent)
    await master.begin()
    transport = master.link._transport
    assert transport is not None
    transport.pause_reading()
    request = master.ask(1, count)
    master.ask(2, 1, context=ENDLESS)
    master.link.send(Stop(part=2, attempt=0))
    await until(lambda: agent._session.result_count == count + 2)
    transport.resume_reading()
    results = by_part(await master.results(count + 2))
    assert len(results[1]) == count + 1
    assert results[1][-1] == expected(request)[-1]
    assert [type(m) for m in results[2]] == [Stopped]


@pytest.mark.parametrize("unacked_max", [2, 5, 64])
async def test_no_more_results_than_unacked_max_wait_for_an_ack(
    make_agent: MakeAgent, unacked_max: int
) -> None:
    master = DrivenMaster.of(make_agent(unacked_max=unacked_max))
    assert (await master.begin()).unacked_max == unacked_max
    requests = [master.ask(part, 40) for part in range(4)]
    total, acked, results = 4 * 41, 0, list[PartResult]()
    while len(results) < total:
        results += await master.results(1)
        # A session that would have to keep more raises, and the link ends.
        if len(results) - acked >= unacked_max - 1:  # a final result must have room as well
            master.ack()
            acked = len(results)
    assert by_part(results) == {request.part: expected(request) for request in requests}


# Drain.


async def test_draining_finishes_what_runs_refuses_the_rest_and_leaves(
    make_agent: MakeAgent,
) -> None:
    agent = make_agent()
    master = DrivenMaster.of(agent)
    await master.begin()
    request = master.ask(1, 500, context=SHORT)
    await master.results(1)
    draining = asyncio.create_task(agent.drain())
    results: list[Message] = []
    crossed = False
    while not results or not isinstance(results[-1], Done):
        event = await master.next()
        message = event.message  # type: ignore[union-attr]
        if isinstance(message, Drain):
            crossed = True
        results.append(message)
    assert crossed
    assert results[-1] == expected(request)[-1]
    assert not draining.done(), "the results are not stored yet"
    master.ack()
    with pytest.raises(LeftError, match="drained"):
        await master.results(1)
    await draining


async def test_request_that_crosses_a_drain_fails(make_agent: MakeAgent) -> None:
    agent = make_agent()
    master = DrivenMaster.of(agent)
    await master.begin()
    master.ask(1, 1, context=ENDLESS)
    await until(lambda: bool(agent._session.outstanding))
    draining = asyncio.create_task(agent.drain())
    master.ask(2, 5)  # before the drain arrives
    (fail,) = await master.results(1)
    assert isinstance(fail, Fail)
    assert (fail.part, fail.code) == (2, "draining")
    master.link.send(Stop(part=1, attempt=0))
    await master.results(1)
    master.ack()
    await draining


async def test_drain_without_a_master_is_over_at_once(make_agent: MakeAgent) -> None:
    await make_agent().drain()


async def test_drain_ends_when_the_master_vanishes(make_agent: MakeAgent) -> None:
    agent = make_agent()
    master = DrivenMaster.of(agent)
    await master.begin()
    master.ask(1, 1, context=ENDLESS)
    draining = asyncio.create_task(agent.drain())
    await master.hear(Drain)
    master.link.abort()
    await draining


async def test_drain_takes_no_longer_than_it_may(
    make_agent: MakeAgent, caplog: pytest.LogCaptureFixture
) -> None:
    agent = make_agent(drain_s=0.0)
    master = DrivenMaster.of(agent)
    await master.begin()
    master.ask(1, 1, context=ENDLESS)
    await until(lambda: agent._backend.live_count == 1)
    await agent.drain()
    with pytest.raises(LeftError, match="drained"):
        await master.results(1)
    await until(lambda: agent._backend.live_count == 0)
    assert "not drained in 0 s" in caplog.text


async def test_master_that_may_come_back_is_not_waited_for_in_a_drain(
    make_agent: MakeAgent,
) -> None:
    agent = make_agent()
    await broken_off(agent)
    await agent.drain()
    assert agent._backend.live_count == 0
    assert agent._grace is None


# Hours, and mains.


async def test_paused_agent_turns_masters_away_and_says_why(make_agent: MakeAgent) -> None:
    agent = make_agent()
    alice = DrivenMaster.of(agent, "alice")
    await alice.begin()
    await agent.pause("not lent until 22:00")
    with pytest.raises(LeftError, match="drained"):
        await alice.results(1)
    for name in ("alice", "bob"):
        master = DrivenMaster.of(agent, name, MasterSession("s2"))
        with pytest.raises(LeftError, match="not lent until 22:00"):
            await master.begin()
        await master.serving
    agent.refuse("not lent on battery")
    visitor = DrivenMaster.of(agent, "visitor", MasterSession())
    await visitor.next()
    visitor.link.send(Who())
    assert (await visitor.hear(Info)).text == "serves nobody, not lent on battery"


async def test_reopened_agent_serves_as_before(make_agent: MakeAgent) -> None:
    agent = make_agent()
    await agent.pause("not lent")
    agent.reopen()
    master = DrivenMaster.of(agent)
    await master.begin()
    request = master.ask(1, 20)
    assert await master.results(21) == expected(request)


async def test_session_of_before_a_pause_is_forgotten(make_agent: MakeAgent) -> None:
    agent = make_agent()
    await broken_off(agent)
    await agent.pause("not lent")
    agent.reopen()
    alice = DrivenMaster.of(agent, "alice")
    assert (await alice.begin()).session == ""


# By hand.


async def test_anybody_may_ask_who_is_served(make_agent: MakeAgent) -> None:
    agent = make_agent()
    visitor = DrivenMaster.of(agent, "visitor", MasterSession())
    await visitor.next()
    visitor.link.send(Who())
    assert (await visitor.hear(Info)).text == "serves nobody"
    alice = DrivenMaster.of(agent, "alice ☺")
    await alice.begin()
    alice.ask(1, 1)
    await alice.results(2)
    visitor.link.send(Who())
    assert (await visitor.hear(Info)).text == "serves alice ?"
    visitor.link.send(Status())
    assert (await visitor.hear(Info)).text == "2 workers, 0 parts"
    assert (await visitor.hear(Info)).text == "2 results wait for an ack"
    alice.link.send(Ack(count=2))


async def test_nothing_that_a_stranger_hears_lets_him_take_the_session_over(
    make_agent: MakeAgent, caplog: pytest.LogCaptureFixture
) -> None:
    agent, secret = make_agent(), new_session_secret()
    with caplog.at_level(logging.DEBUG):
        alice = DrivenMaster.of(agent, "alice", MasterSession(secret))
        await alice.begin()
        alice.ask(1, 1, ENDLESS)
        visitor = DrivenMaster.of(agent, "visitor", MasterSession())
        heard = encode(await visitor.hear(Message)).decode()
        visitor.link.send(Who(), Status(), Help(), Ping(token="end"))
        while "pong end" not in heard:
            heard += encode(await visitor.hear(Message)).decode()
    assert public_session_id(secret) in heard
    assert secret not in heard + caplog.text
    for word in {"alice", *re.findall(r"[A-Za-z0-9._-]{8,32}", heard)}:
        stranger = DrivenMaster.of(agent, "mallory", MasterSession(word))
        await stranger.send_hello()
        with pytest.raises(LeftError, match="busy, serves alice"):
            await stranger.hear(Ready)
    assert not alice.link.is_closed


async def test_nonsense_is_logged_and_answered(
    make_agent: MakeAgent, caplog: pytest.LogCaptureFixture
) -> None:
    master = DrivenMaster.of(make_agent())
    await master.begin()
    transport = master.link._transport
    assert transport is not None
    with caplog.at_level(logging.WARNING):
        transport.write(b"fold everything\n")
        request = master.ask(1, 1)
        results: list[Message] = []
        while len(results) < 3:
            results.append((await master.next()).message)  # type: ignore[union-attr]
    assert results[0].verb == "error"
    assert results[1:] == expected(request)
    assert "unknown-verb" in caplog.text
