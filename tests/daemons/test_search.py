"""Searches by analyser processes, and as jobs, have the sequential answer."""

import asyncio
import os
import random
import re
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine_ext.backgammon.ids import parse_id
from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.parts import SCORE_MAX
from engine_ext.othello.search import default_evaluation
from engine_ext.search.part_text import PartAnswer
from engine_ext.services import engine_digest
from master.cli.errors import ExitCode
from master.config.fleet_list import ExecAddress, FleetEntry, parse_fleet_address
from master.config.paths import database_path
from master.contract.views import JobRequest, JobView
from master.games.backgammon.rollout_request import RolloutOptions, to_context
from master.games.othello.fleet_search import othello_wording, prove
from master.games.othello.search_report import GAME
from master.games.othello.tree import to_position
from master.search import SearchSpec
from master.search.running.status import SearchStatus
from master.search.running.task import FalseWordError, SearchTask
from master.service.service import MasterService
from tests.daemons.analyser_programs import HERE, Process, line_with, listening, started
from tests.daemons.command_line import POSITION, Home, rest_of
from tests.daemons.line_proxy import between
from tests.engine_ext.othello.ffo import ROWS, Row

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

ANSWER_S_MAX = 90.0
SHORT = ROWS["FFO27"]
LONG = ROWS["FFO41"]


# An analyser like the others, but for the digest of its engine.
OTHER_ENGINE = """
import runpy, sys
import engine_ext.othello.engine as engine
engine.RULES_VERSION += 1
sys.argv[0] = "manyply-analyser"
runpy.run_module("analyser", run_name="__main__")
"""


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[MasterService]:
    async with MasterService(tmp_path) as service:
        yield service


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


async def analysers(
    service: MasterService, stack: AsyncExitStack, count: int
) -> list[tuple[Process, int]]:
    """Start analysers of one worker each, and have a service call them."""
    found = [await stack.enter_async_context(listening("--workers", "1")) for _ in range(count)]
    for _, port in found:
        entry = FleetEntry(f"port-{port}", parse_fleet_address(f"{HERE}:{port}"))
        assert await service.add_analyser(entry) == ""
    return found


def task(row: Row) -> SearchTask:
    board = row.board
    wording = othello_wording(engine_digest(GAME), board.size, default_evaluation(board.size))
    return SearchTask(SearchSpec(to_position(board), (board.empties,)), wording)


async def searched(
    service: MasterService,
    row: Row,
    meanwhile: Callable[[], Awaitable[None]] | None = None,
) -> SearchStatus:
    """Search to the end; do something once, when the first parts are done."""
    last: SearchStatus | None = None
    async with asyncio.timeout(ANSWER_S_MAX), aclosing(service.search(task(row))) as statuses:
        async for last in statuses:
            if meanwhile is not None and last.nodes:
                await meanwhile()
                meanwhile = None
    assert last is not None
    assert meanwhile is None, "nothing was done meanwhile: the search was too short"
    return last


def found(row: Row, status: SearchStatus) -> tuple[int, str]:
    assert status.answer is not None
    assert status.answer.move is not None
    return status.answer.value, row.board.moves()[status.answer.move]


def expected(row: Row) -> tuple[int, str]:
    """The score, and the first move by square that has it."""
    return row.score, next(move for move in row.board.moves() if row.moves[move] == row.score)


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.when_changed
async def test_any_number_of_analysers_finds_the_sequential_answer(
    service: MasterService, stack: AsyncExitStack, count: int
) -> None:
    await analysers(service, stack, count)
    for row in (ROWS[name] for name in ("FFO05", "FFO10", "FFO16", "FFO21", "FFO27")):
        assert found(row, await searched(service, row)) == expected(row)


@pytest.mark.when_changed
async def test_killed_analyser_is_done_without(
    service: MasterService, stack: AsyncExitStack
) -> None:
    (victim, _), _ = await analysers(service, stack, 2)

    async def kill() -> None:
        victim.kill()

    assert found(LONG, await searched(service, LONG, kill)) == expected(LONG)


@pytest.mark.when_changed
async def test_stopped_analyser_is_done_without(
    service: MasterService, stack: AsyncExitStack
) -> None:
    (victim, _), _ = await analysers(service, stack, 2)

    async def stop() -> None:
        os.kill(victim.pid, signal.SIGSTOP)

    assert found(LONG, await searched(service, LONG, stop)) == expected(LONG)
    os.kill(victim.pid, signal.SIGCONT)


@pytest.mark.when_changed
async def test_draining_analyser_gives_its_part_back(
    service: MasterService, stack: AsyncExitStack
) -> None:
    (victim, _), _ = await analysers(service, stack, 2)

    async def drain() -> None:
        victim.terminate()

    assert found(LONG, await searched(service, LONG, drain)) == expected(LONG)
    async with asyncio.timeout(20):
        assert await victim.wait() == 0


@pytest.mark.when_changed
async def test_analyser_that_comes_later_helps(
    service: MasterService, stack: AsyncExitStack
) -> None:
    await analysers(service, stack, 1)

    async def come() -> None:
        await analysers(service, stack, 1)

    status = await searched(service, LONG, come)
    assert found(LONG, status) == expected(LONG)


@pytest.mark.when_changed
async def test_other_engine_is_refused_by_name(
    service: MasterService, stack: AsyncExitStack
) -> None:
    await analysers(service, stack, 1)
    argv = (sys.executable, "-c", OTHER_ENGINE, "--stdio", "--workers", "1")
    other = FleetEntry("other", ExecAddress(argv))
    assert await service.add_analyser(other) == ""
    status = await searched(service, SHORT)
    assert found(SHORT, status) == expected(SHORT)
    assert "other" not in {line.name for line in status.analysers}
    notices = service._core.notices.since(0)
    assert any("analyser other: it has othello engine" in notice.text for notice in notices)


async def rolled_out(service: MasterService) -> JobView:
    """Roll a position out to the end."""
    context = to_context(parse_id(POSITION), RolloutOptions(seed=7, truncation_ply=5)).to_text()
    job = await service.submit(JobRequest(context, 300))
    async with asyncio.timeout(ANSWER_S_MAX):
        async for update in service.subscribe(job):
            view = update.job
    return view


@pytest.mark.when_changed
async def test_rollout_beside_a_search_has_the_same_bits(
    service: MasterService, stack: AsyncExitStack
) -> None:
    await analysers(service, stack, 2)
    alone = await rolled_out(service)
    beside, status = await asyncio.gather(rolled_out(service), searched(service, LONG))
    assert found(LONG, status) == expected(LONG)
    assert beside.stopped_by == "trials"
    assert beside.alternatives == alone.alternatives


class Liar:
    """What stands before an analyser and says the contrary of each of its answers."""

    def __init__(self) -> None:
        self.windows: dict[str, tuple[int, int]] = {}

    async def ask(self, line: str) -> list[str]:
        if found := re.match(r"search (\d+ \d+) .*%20alpha=(-?\d+)%20beta=(-?\d+)", line):
            self.windows[found[1]] = int(found[2]), int(found[3])
        return [line]

    async def send(self, line: str) -> list[str]:
        found = re.match(r"answer (\d+ \d+) (.*)", line)
        if found is None:
            return [line]
        reported, (alpha, beta) = PartAnswer.from_text(found[2]), self.windows[found[1]]
        if reported.lower >= beta or reported.lower == reported.upper > alpha:
            false = replace(reported, lower=-SCORE_MAX, upper=max(alpha, -SCORE_MAX), moves=())
        else:
            false = replace(reported, lower=min(beta, SCORE_MAX), upper=SCORE_MAX, moves=())
        return [f"answer {found[1]} {false.to_text()}"]


@asynccontextmanager
async def lying(workers: str = "1") -> AsyncIterator[int]:
    """Run an analyser that lies; its port."""
    liar = Liar()
    async with (
        listening("--workers", workers) as (_, port),
        between(port, said=liar.send, asked=liar.ask) as false_port,
    ):
        yield false_port


@pytest.mark.parametrize("others", [(), ("--local", "1")])
@pytest.mark.when_changed
async def test_command_believes_no_analyser_that_lies_over_a_network(
    home: Home, stack: AsyncExitStack, others: tuple[str, ...]
) -> None:
    false_port = await stack.enter_async_context(lying())
    _, honest_port = await stack.enter_async_context(listening("--workers", "1"))
    places = [f"--analyser={HERE}:{each}" for each in (false_port, honest_port)]
    row = LONG  # workers of the command's own begin, and must not have ended before the others
    solve = ("search", "othello", row.board.to_text(), "--solve", "--json", *places, *others)
    # This strategy does not begin alone: all of it is searched by analysers.
    run = await home.run(*solve, "--strategy", "par_tuple")
    assert run.report["value"] == row.score
    assert " told what is false: of a position's value, that it is " in run.err


@pytest.mark.when_changed
async def test_search_that_caught_its_only_analyser_in_a_lie_goes_on_here(
    home: Home, stack: AsyncExitStack
) -> None:
    port = await stack.enter_async_context(lying())
    row = SHORT
    words = ("search", "othello", row.board.to_text(), "--solve", "--json", "--local", "0")
    run = await home.run(*words, "--strategy", "par_tuple", "--analyser", f"{HERE}:{port}")
    assert run.code == ExitCode.OK, run.err
    assert run.report["value"] == row.score
    assert re.search(r" at 127\.0\.0\.1 told what is false: ", run.err)
    assert "nobody else can be used: the search goes on on this machine" in run.err


async def test_only_analyser_is_caught_in_a_lie_and_named(
    service: MasterService, stack: AsyncExitStack
) -> None:
    false_port = await stack.enter_async_context(lying())
    entry = FleetEntry("attic", parse_fleet_address(f"{HERE}:{false_port}"))
    assert await service.add_analyser(entry) == ""
    checked = replace(task(SHORT), prove=prove)
    async with asyncio.timeout(ANSWER_S_MAX), aclosing(service.search(checked)) as statuses:
        with pytest.raises(
            FalseWordError,
            match=r"^attic at 127.0.0.1 told what is false: of a position's value, that it is ",
        ):
            _ = [status async for status in statuses]
    notices = [notice.text for notice in service._core.notices.since(0)]
    assert any("attic" in text and "refused from now on" in text for text in notices)
    assert [line.state for line in service.analysers()] == ["quarantined"]


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.when_changed
async def test_honest_analysers_over_a_network_are_proved_right(
    service: MasterService, stack: AsyncExitStack, count: int
) -> None:
    await analysers(service, stack, count)
    proved = []

    def count_and_prove(question: str, control: RunControl) -> str:
        proved.append(question)
        return prove(question, control)

    checked = replace(task(SHORT), prove=count_and_prove)
    async with asyncio.timeout(ANSWER_S_MAX), aclosing(service.search(checked)) as statuses:
        status = [status async for status in statuses][-1]
    assert found(SHORT, status) == expected(SHORT)
    # All analysers of one host are one party: what they tell is proved by this process alone.
    assert proved
    assert status.unconfirmed == 0


@pytest.mark.when_changed
async def test_command_solves_by_analysers_of_both_kinds(home: Home, stack: AsyncExitStack) -> None:
    _, port = await stack.enter_async_context(listening("--workers", "1"))
    # This strategy does not begin alone, and all of it is searched by analysers.
    places = ("--local", "1", "--analyser", f"{HERE}:{port}", "--strategy", "par_tuple")
    board = SHORT.board.to_text()
    report = (await home.run("search", "othello", board, "--solve", "--json", *places)).report
    assert (report["value"], report["best_move"]) == expected(SHORT)
    assert (report["exact"], report["strategy"]) == (True, "par_tuple")
    assert report["pv"][0] == report["best_move"]


@pytest.mark.when_changed
async def test_interrupted_command_ends_at_once_with_its_code(
    home: Home, stack: AsyncExitStack
) -> None:
    _, port = await stack.enter_async_context(listening("--workers", "1"))
    board = OthelloBoard.start().to_text()  # nobody solves this
    words = ("search", "othello", board, "--solve", "--local", "0", "--analyser", f"{HERE}:{port}")
    async with home.running(*words, stderr=asyncio.subprocess.PIPE) as process:
        assert process.stderr is not None
        async with asyncio.timeout(30):
            assert b"solving 60 empty squares" in await process.stderr.readline()
        process.send_signal(signal.SIGINT)
        ended = await rest_of(process)
    assert ended.code == 130
    assert "Traceback" not in ended.err


ROW = ROWS["FFO45"]  # some seconds of two threads
KILLS = 5
ALIVE_S_MAX = 1.5  # a start takes about half a second here
SEARCH = ("search", "othello", ROW.board.to_text(), "--solve", "--json")


def found_in(report: Any) -> tuple[float, str]:
    return report["value"], report["best_move"]


@asynccontextmanager
async def master(home: Home) -> AsyncIterator[Process]:
    """Run a daemon with two workers."""
    argv = (sys.executable, "-m", "master", "--local", "2")
    async with started(*argv, env=home.environ) as process:
        await line_with(process, "ready: ")
        yield process


def stored_bounds(home: Home) -> int:
    """How many bytes of bounds are stored of the first job; -1: there is no such job."""
    if not database_path(home.state).exists():
        return -1
    with closing(sqlite3.connect(database_path(home.state))) as database:
        try:
            rows = database.execute("SELECT length(bounds) FROM search WHERE job = 1").fetchall()
        except sqlite3.OperationalError:  # it is about to make its tables
            return -1
    return rows[0][0] if rows else -1


@pytest.mark.when_changed
async def test_search_of_a_daemon_that_is_killed_has_the_answer_of_a_straight_one(
    home: Home,
) -> None:
    moments = random.Random(5)
    async with master(home), home.running(*SEARCH) as watching:  # it finds the master
        await has_bounds(home)
        watching.send_signal(signal.SIGINT)
        left = await rest_of(watching)
    assert left.code == 130
    assert left.complaint == "manyply: job 1 runs on; watch: manyply attach 1; end: manyply halt 1"
    for _ in range(KILLS):
        async with master(home) as process:  # it goes on with what the last one was at
            await asyncio.sleep(moments.uniform(0.0, ALIVE_S_MAX))
            process.kill()
            await process.wait()
    async with master(home):
        attached = await home.run("attach", "1", "--json")
    report = attached.report
    assert found_in(report) == expected(ROW)
    assert (report["stopped_by"], report["exact"]) == ("answered", True)
    assert (await home.run("show", "1", "--json")).report == report
    assert stored_bounds(home) == 0


async def has_bounds(home: Home) -> None:
    """Wait until something that was proved is stored."""
    async with asyncio.timeout(60):
        while stored_bounds(home) <= 0:  # noqa: ASYNC110  # no other process tells
            await asyncio.sleep(0.02)


@pytest.mark.when_changed
async def test_interrupted_search_goes_on_where_it_was(home: Home) -> None:
    async with home.running(*SEARCH, "--local", "2", "--strategy", "nb0amg") as process:
        await has_bounds(home)
        process.send_signal(signal.SIGINT)
        ended = await rest_of(process)
    assert (ended.code, ended.out) == (130, "")
    assert ended.complaint == "manyply: go on with: manyply resume 1"
    before = (await home.run("show", "--json")).report
    assert (before["stopped_by"], "value" in before) == ("halted", False)
    report = (await home.run("resume", "--json", "--local", "2")).report
    assert found_in(report) == expected(ROW)
    assert report["nodes"] > before["nodes"] > 0
