"""Running searches of a master: analysers in memory, over real lines."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Self

import pytest

from engine_ext.contexts import context_digest
from engine_ext.control import RunControl
from master.contract.errors import MasterError
from master.contract.events import AnswerArrived, PartEnded
from master.search import Costs, SearchSpec, Strategy
from master.search.running.run import Action, SearchRun
from master.search.running.status import SearchStatus
from master.search.running.task import FalseWordError, SearchError, SearchTask, TreeQuery
from master.service import searches as module
from master.service.searches import RUNNING_MAX
from master.service.service import MasterService
from protocol.aio import memory_pair
from protocol.events import MessageReceived
from protocol.messages import (
    AnalyserHello,
    Answer,
    Done,
    Drain,
    Engine,
    Entries,
    MasterHello,
    Message,
    Ready,
    Search,
    Stop,
    Stopped,
)
from protocol.sides import AnalyserSide
from tests.master.search.fake_fleet import FakeSession, MadeUpWording, bounds_text
from tests.master.search.synthetic import MadeUpGame, SyntheticEngine, answer

DEPTH = 8
GAME = MadeUpGame(0)
STRATEGY = Strategy("test", depth_min=2, news_depth=2)
TASK = SearchTask(SearchSpec(GAME.root(), (DEPTH,)), MadeUpWording(GAME), STRATEGY)


class Searcher:
    """An analyser in memory."""

    def __init__(self, name: str = "attic", engine: str = MadeUpWording.engine) -> None:
        self.side = AnalyserSide(AnalyserHello(name=name, cores=1, games=("made-up",)))
        self.engine = Engine(game="made-up", digest=engine, power=1.0, services=("search",))
        self.session = FakeSession(1, GAME)
        self.asked: list[Search] = []
        self.is_deaf = False
        self.was_asked = asyncio.Event()
        self._work = asyncio.Event()

    def join(self, service: MasterService) -> Self:
        master_link, self.link = memory_pair(service.new_side(), self.side)
        service.add_link(master_link)
        self.tasks = [asyncio.create_task(self._hear()), asyncio.create_task(self._search())]
        return self

    async def dial(self, service: MasterService) -> None:
        """Come as an analyser does that dials in, until it leaves."""
        master_link, self.link = memory_pair(service.new_side(), self.side)
        self.tasks = [asyncio.create_task(self._hear()), asyncio.create_task(self._search())]
        await service.serve_link(master_link)

    async def leave(self) -> None:
        for task in self.tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        self.link.abort()

    async def _hear(self) -> None:
        async for event in self.link:
            if isinstance(event, MessageReceived):
                self._receive(event.message)

    def _receive(self, message: Message) -> None:
        if isinstance(message, MasterHello):
            self.link.send(self.engine, Ready(workers=self.session.workers))
        elif isinstance(message, Search | Stop | Entries) and not self.is_deaf:
            if isinstance(message, Search):
                self.asked.append(message)
                self.was_asked.set()
            self.session.hear(message)
            self._work.set()

    async def _search(self) -> None:
        while True:
            await self._work.wait()
            self.session.work(20)
            self.link.send(*self._said())
            if not self.session.tasks and not self.session.waiting:
                self._work.clear()
            await asyncio.sleep(0)

    def _said(self) -> Iterator[Message]:
        kept, self.session.kept = self.session.kept, []
        for one in kept:
            if isinstance(one, Entries):
                yield one
            elif isinstance(one, AnswerArrived):
                yield Answer(part=one.part, attempt=one.attempt, text=one.text)
            elif isinstance(one, PartEnded):
                contexts = {(each.part, each.attempt): each.context for each in self.asked}
                digest = context_digest(contexts[one.part, one.attempt])
                kind = Done if one.outcome == "done" else Stopped
                yield kind(
                    part=one.part, attempt=one.attempt, context_digest=digest, count=one.count
                )


@pytest.fixture
async def attic(service: MasterService) -> AsyncIterator[Searcher]:
    searcher = Searcher().join(service)
    yield searcher
    await searcher.leave()


@pytest.fixture
async def cellar(service: MasterService) -> AsyncIterator[Searcher]:
    searcher = Searcher("cellar").join(service)
    yield searcher
    await searcher.leave()


async def searched(service: MasterService, task: SearchTask = TASK) -> SearchStatus:
    """Search to the end; return how it stood at last."""
    async with asyncio.timeout(10), aclosing(service.search(task)) as statuses:
        return [status async for status in statuses][-1]


def found(status: SearchStatus) -> tuple[int, int | None]:
    assert status.answer is not None
    return status.answer.value, status.answer.move


async def test_two_analysers_find_the_answer(
    service: MasterService, attic: Searcher, cellar: Searcher
) -> None:
    status = await searched(service)
    assert found(status) == answer(GAME, DEPTH)
    assert [line.name for line in status.analysers] == ["attic", "cellar"]
    assert sum(line.nodes for line in status.analysers) == status.nodes > 0
    assert attic.asked
    assert cellar.asked


async def test_better_guess_is_found_meanwhile(
    service: MasterService, attic: Searcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The analyser comes nowhere before it is asked about the value that was guessed."""
    work, is_asked = attic.session.work, threading.Event()
    windows: list[list[str]] = []

    def hold(nodes: int) -> None:
        windows[:] = [each.context.split()[-2:] for each in attic.asked]
        is_asked.set()
        work(nodes if ["3", "4"] in windows else 0)

    def guess() -> int:
        return -3 if is_asked.wait(10) else 0

    monkeypatch.setattr(attic.session, "work", hold)
    assert found(await searched(service, replace(TASK, guess=guess))) == answer(GAME, DEPTH)
    assert windows[0] != ["3", "4"]


async def test_search_that_ends_first_waits_for_no_guess(
    service: MasterService, attic: Searcher
) -> None:
    is_over = threading.Event()
    task = replace(TASK, guess=lambda: int(is_over.wait(10)))
    assert found(await searched(service, task)) == answer(GAME, DEPTH)
    assert not is_over.is_set()
    is_over.set()


async def test_guess_that_fails_ends_the_search_and_is_reported(service: MasterService) -> None:
    def guess() -> int:
        raise ZeroDivisionError("nothing to divide by")

    with pytest.raises(SearchError, match="internal error: ZeroDivisionError: nothing to divide"):
        await searched(service, replace(TASK, guess=guess))


async def test_two_searches_at_once_do_not_mix_their_parts(
    service: MasterService, attic: Searcher, cellar: Searcher
) -> None:
    other = SearchTask(SearchSpec(GAME.root(), (5,)), MadeUpWording(GAME), STRATEGY)
    first, second = await asyncio.gather(searched(service), searched(service, other))
    assert (found(first), found(second)) == (answer(GAME, DEPTH), answer(GAME, 5))


async def test_search_waits_for_an_analyser(service: MasterService) -> None:
    waiting = asyncio.create_task(searched(service))
    await asyncio.sleep(0)
    searcher = Searcher().join(service)
    assert found(await waiting) == answer(GAME, DEPTH)
    await searcher.leave()


async def test_analyser_that_vanishes_or_drains_is_done_without(
    service: MasterService, attic: Searcher, cellar: Searcher
) -> None:
    third = Searcher("third").join(service)
    third.is_deaf = True
    running = asyncio.create_task(searched(service))
    await cellar.was_asked.wait()
    await cellar.leave()
    third.link.send(Drain())
    assert found(await running) == answer(GAME, DEPTH)
    await third.leave()


async def test_other_engine_is_refused_by_name(
    service: MasterService, attic: Searcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Searcher("other", "0" * 16).join(service)
    assert found(await searched(service)) == answer(GAME, DEPTH)
    assert other.asked == []
    await other.leave()


async def test_search_that_nobody_can_do_says_why(
    service: MasterService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HOPELESS_S", 0.0)
    monkeypatch.setattr(module, "CHECK_S", 0.01)
    other = Searcher("other", "0" * 16).join(service)
    with pytest.raises(SearchError, match="no analyser can search this: other: it has made-up"):
        await searched(service)
    await other.leave()


async def test_silent_analyser_is_dropped(
    service: MasterService, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The times that are waited for go by a factor with what a message costs.
    monkeypatch.setattr(module, "LINK_COSTS", Costs(latency=0, message=1e-7, entry=0, poll=1e-7))
    deaf = Searcher("deaf").join(service)
    deaf.is_deaf = True
    running = asyncio.create_task(searched(service))
    async with asyncio.timeout(10):
        await deaf.tasks[0]  # it hears to the end of its link
    await deaf.leave()
    while not running.done():  # one that has been slow is dropped as well, and comes again
        attic = Searcher().join(service)
        await asyncio.wait([running, attic.tasks[0]], return_when=asyncio.FIRST_COMPLETED)
        await attic.leave()
    assert found(await running) == answer(GAME, DEPTH)


async def test_mistake_of_ours_at_a_tick_ends_the_search(
    service: MasterService, attic: Searcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[object] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: reported.append(context["exception"]))
    mistake = AssertionError("part 7: DONE to RUNNING")

    def check(run: SearchRun, now: float) -> list[Action]:
        raise mistake

    attic.is_deaf = True
    monkeypatch.setattr(SearchRun, "check", check)
    monkeypatch.setattr(module, "CHECK_S", 0.01)
    with pytest.raises(SearchError, match="internal error: AssertionError: part 7"):
        await searched(service)
    assert reported == [mistake]


async def test_search_that_is_left_stops_its_parts(service: MasterService, attic: Searcher) -> None:
    async with aclosing(service.search(TASK)) as statuses:
        beginning = asyncio.ensure_future(anext(statuses))
        await attic.was_asked.wait()
        beginning.cancel()
        with suppress(asyncio.CancelledError):
            await beginning
    assert service._searches.count == 0
    async with asyncio.timeout(10):
        while attic.side.session.outstanding:  # noqa: ASYNC110  # nothing else tells
            await asyncio.sleep(0)


async def test_ending_master_ends_searches_and_begins_none(
    service: MasterService, attic: Searcher
) -> None:
    running = asyncio.create_task(searched(service))
    await attic.was_asked.wait()
    await service.drain()
    with pytest.raises(SearchError, match="the master is ending"):
        await running
    with pytest.raises(MasterError, match="the master is ending"):
        await searched(service)


async def test_searches_have_a_bound(service: MasterService) -> None:
    running = [asyncio.create_task(searched(service)) for _ in range(RUNNING_MAX)]
    await asyncio.sleep(0)
    with pytest.raises(MasterError, match="searches are going on"):
        await searched(service)
    for one in running:
        one.cancel()
    await asyncio.gather(*running, return_exceptions=True)


def prove(question: str, control: RunControl) -> str:
    """Search a claim here."""
    position, depth, alpha, beta = question.split()[1:]
    engine = SyntheticEngine(GAME, {})
    engine.begin(bytes.fromhex(position), int(depth), int(alpha), int(beta))
    while not engine.is_done:
        engine.step(1000)
    lower, upper = engine.proved()
    return bounds_text(lower, upper)


@pytest.mark.parametrize("is_trusting", [True, False])
async def test_strangers_tell_entries_only_where_they_are_believed(
    service: MasterService, is_trusting: bool
) -> None:
    strangers = [Searcher("attic"), Searcher("cellar")]
    serving = [asyncio.create_task(one.dial(service)) for one in strangers]
    task = TASK if is_trusting else replace(TASK, prove=prove)
    assert found(await searched(service, task)) == answer(GAME, DEPTH)
    reported = {request.news >= 0 for one in strangers for request in one.asked}
    assert (True in reported) is is_trusting
    for one in strangers:
        await one.leave()
    await asyncio.gather(*serving)


def lie(numbers: list[int]) -> list[int]:
    """Tell a value that is one too large."""
    value, _ = answer(GAME, DEPTH)
    return [value + 1, value + 1, *numbers[2:4]]


async def test_liar_without_others_is_refused_and_this_machine_goes_on(
    service: MasterService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("master.service.service.analyser_argv", lambda name: ("/no/such",))
    liar = Searcher("attic")
    liar.session.lie = lie
    serving = asyncio.create_task(liar.dial(service))
    with pytest.raises(FalseWordError, match=r"^attic at local told what is false: ") as raised:
        await searched(service, replace(TASK, prove=prove))
    assert raised.value.are_others_here
    assert service._core.sessions.refused() == [("attic", "local")]
    await liar.leave()
    await serving
    notices = [notice.text for notice in service._core.notices.since(0)]
    assert "nobody else can be used: the search goes on on this machine" in notices
    assert "no analyser can be started on this machine: No such file or directory" in notices


class SlowSearcher(Searcher):
    """One that is still loading its engines."""

    def _receive(self, message: Message) -> None:
        if not isinstance(message, MasterHello):
            super()._receive(message)


async def test_one_who_still_greets_is_somebody_to_begin_anew_with(service: MasterService) -> None:
    slow, liar = SlowSearcher("cellar").join(service), Searcher("attic")
    liar.session.lie = lie
    serving = asyncio.create_task(liar.dial(service))
    with pytest.raises(FalseWordError, match=r"^attic at local told what is false: ") as raised:
        await searched(service, replace(TASK, prove=prove))
    assert raised.value.are_others_here
    await liar.leave()
    await serving
    await slow.leave()


async def test_liar_that_has_gone_is_refused_all_the_same(service: MasterService) -> None:
    liar, may_go_on = Searcher("attic"), threading.Event()
    liar.session.lie = lie
    serving = asyncio.create_task(liar.dial(service))
    is_asked = asyncio.Event()
    loop = asyncio.get_running_loop()

    def prove_late(question: str, control: RunControl) -> str:
        loop.call_soon_threadsafe(is_asked.set)
        assert may_go_on.wait(10)
        return prove(question, control)

    search = asyncio.create_task(searched(service, replace(TASK, prove=prove_late)))
    await asyncio.wait_for(is_asked.wait(), 10)
    await liar.leave()
    await serving
    for number, session in list(service._core.sessions._sessions.items()):
        assert session.link is None
        del service._core.sessions._sessions[number]  # its grace is over
    may_go_on.set()
    with pytest.raises(FalseWordError):
        await search
    assert service._core.sessions.refused() == [("attic", "local")]
    notices = [notice.text for notice in service._core.notices.since(0)]
    assert sum("this analyser is refused from now on" in text for text in notices) == 1


async def test_watcher_gets_the_way_to_look_at_the_tree(service: MasterService) -> None:
    searcher = Searcher().join(service)
    probes: list[TreeQuery] = []
    async with aclosing(service.search(replace(TASK, watch=probes.append))) as statuses:
        async for status in statuses:
            (probe,) = probes
            root, *_ = probe()
            assert root.path == ()
            assert root.nodes <= status.nodes
    assert status.answer is not None
    await searcher.leave()
