"""Questions to a master that runs, answered by analysers as processes, some of which are killed."""

import asyncio
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from engine_ext.control import RunControl
from engine_ext.noop.question import noop_question
from engine_ext.services import answer
from master.api.client import MasterClient, MasterGoneError
from master.config.paths import database_path
from master.contract.errors import MasterError
from master.contract.job_words import Priority
from tests.daemons.analyser_programs import HERE, STEP_S_MAX, Process, line_with, listening, started

pytestmark = [pytest.mark.sockets, pytest.mark.slow]
QUESTIONS = [noop_question(2_000_000, number) for number in range(120)]  # some 5 ms each
ENDLESS = [noop_question(10**12, number) for number in range(8)]


@pytest.fixture(scope="module")
def right() -> list[str | None]:
    return [answer(question, RunControl()) for question in QUESTIONS]


@asynccontextmanager
async def master_of(directory: Path, *ports: int) -> AsyncIterator[Process]:
    """Run a master whose fleet are the analysers on these ports, all of them ready."""
    fleet = directory / "fleet.toml"
    fleet.write_text("".join(f"[[analyser]]\naddress = '{HERE}:{port}'\n" for port in ports))
    own = ("--state-dir", str(directory), "--control", str(control(directory)))
    async with started(sys.executable, "-m", "master", *own, "--fleet", str(fleet)) as process:
        await line_with(process, "ready")
        async with MasterClient(control(directory)) as client, asyncio.timeout(STEP_S_MAX):
            while [line.state for line in await client.who()] != ["ready"] * len(ports):
                pass
        yield process


def control(directory: Path) -> Path:
    return directory / "c.sock"


class Count:
    """Counts answers; waits for some."""

    def __init__(self) -> None:
        self.reported = 0
        self._changed = asyncio.Event()

    def record(self, index: int, text: str) -> None:
        self.reported += 1
        self._changed.set()

    async def reaches(self, count: int) -> None:
        async with asyncio.timeout(STEP_S_MAX):
            while self.reported < count:
                self._changed.clear()
                await self._changed.wait()


@pytest.mark.when_changed
async def test_killed_analysers_questions_are_answered_by_the_other(
    tmp_path: Path, right: list[str | None]
) -> None:
    async with (
        listening("--workers", "1") as (dying, one),
        listening("--workers", "1") as (_, two),
        master_of(tmp_path, one, two),
        MasterClient(control(tmp_path)) as client,
    ):
        count = Count()
        call = asyncio.create_task(client.ask(QUESTIONS, on_answer=count.record))
        await count.reaches(10)
        dying.send_signal(signal.SIGKILL)
        async with asyncio.timeout(STEP_S_MAX):
            assert await call == right
        assert count.reported == len(QUESTIONS)


def kept_count(directory: Path) -> int:
    with closing(sqlite3.connect(database_path(directory))) as database:
        (count,) = database.execute("SELECT COUNT(*) FROM answer").fetchone()
    return int(count)


@pytest.mark.when_changed
async def test_killed_masters_answers_are_kept(tmp_path: Path, right: list[str | None]) -> None:
    async with listening("--workers", "1") as (_, port):
        async with master_of(tmp_path, port) as master, MasterClient(control(tmp_path)) as client:
            call = asyncio.create_task(client.ask([*QUESTIONS, *ENDLESS]))
            async with asyncio.timeout(STEP_S_MAX):
                while not (kept := kept_count(tmp_path)):
                    await client.status()
            master.send_signal(signal.SIGKILL)
            with pytest.raises(MasterGoneError):
                await call
        async with master_of(tmp_path, port), MasterClient(control(tmp_path)) as client:
            async with asyncio.timeout(STEP_S_MAX):
                assert await client.ask(QUESTIONS) == right
            asked = next(line for line in await client.status() if line.startswith("questions"))
            assert int(asked.split()[3]) <= len(QUESTIONS) - kept


@pytest.mark.when_changed
async def test_urgent_question_is_answered_while_background_ones_take_for_ever(
    tmp_path: Path, right: list[str | None]
) -> None:
    async with (
        listening("--workers", "1") as (_, port),
        master_of(tmp_path, port),
        MasterClient(control(tmp_path)) as client,
    ):
        background = asyncio.create_task(client.ask(ENDLESS, priority=Priority.BACKGROUND))
        async with asyncio.timeout(STEP_S_MAX):
            while (await client.who())[0].parts == 0:
                pass
            urgent = await client.ask(QUESTIONS[:5], priority=Priority.URGENT)
            asked = await client.ask(QUESTIONS[5:10])
        assert [*urgent, *asked] == right[:10]
        assert not background.done()
        background.cancel()
        await asyncio.gather(background, return_exceptions=True)


@pytest.mark.when_changed
async def test_master_that_is_told_to_end_lets_no_question_hold_it_up(tmp_path: Path) -> None:
    async with (
        listening("--workers", "1") as (_, port),
        master_of(tmp_path, port) as master,
        MasterClient(control(tmp_path)) as client,
    ):
        call = asyncio.create_task(client.ask(ENDLESS))
        async with asyncio.timeout(STEP_S_MAX):
            while (await client.who())[0].parts == 0:
                pass
            master.send_signal(signal.SIGTERM)
            assert await master.wait() == 0
        with pytest.raises(MasterError, match=r"ending|gone"):
            await call
