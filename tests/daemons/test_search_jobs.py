"""Searches as jobs of a daemon that is killed, and of a command that is interrupted."""

import asyncio
import random
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from typing import Any

import pytest

from master.config.paths import database_path
from tests.daemons.analyser_programs import Process, line_with, started
from tests.daemons.command_line import Home, rest_of
from tests.engine_ext.othello.ffo import ROWS

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

ROW = ROWS["FFO45"]  # some seconds of two threads
KILLS = 5
ALIVE_S_MAX = 1.5  # a start takes about half a second here
SEARCH = ("search", "othello", ROW.board.to_text(), "--solve", "--json")


def expected() -> tuple[float, str]:
    """The score, and the first move by square that has it."""
    return ROW.score, next(move for move in ROW.board.moves() if ROW.moves[move] == ROW.score)


def found(report: Any) -> tuple[float, str]:
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
    assert left.complaint == "manyply: job 1 is running; watch it with: manyply attach 1"
    for _ in range(KILLS):
        async with master(home) as process:  # it goes on with what the last one was at
            await asyncio.sleep(moments.uniform(0.0, ALIVE_S_MAX))
            process.kill()
            await process.wait()
    async with master(home):
        attached = await home.run("attach", "1", "--json")
    report = attached.report
    assert found(report) == expected()
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
    assert found(report) == expected()
    assert report["nodes"] > before["nodes"] > 0
