"""`manyply-master` as a process: its endpoints, signals, kill -9, jobs and questions."""

import asyncio
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import sys
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine_ext.control import RunControl
from engine_ext.noop.question import noop_question
from engine_ext.noop.runner import noop_context
from engine_ext.services import answer, trial_runner
from master.api.client import MasterClient, MasterGoneError
from master.config.paths import database_path
from master.contract.errors import MasterError
from master.contract.job_words import JobState, Priority
from master.contract.views import JobRequest, JobView, Update
from master.fold.sums import FoldSummary
from master.fold.trials import TrialFold
from tests.daemons.analyser_programs import HERE, STEP_S_MAX, Process, line_with, listening, started

pytestmark = [pytest.mark.sockets, pytest.mark.slow]
ROOT = Path(__file__).parents[2]
BUSY = noop_context(alternatives=3, rounds=400_000)  # about a millisecond a trial
TRIALS = 400
REQUEST = JobRequest(BUSY, TRIALS)


@dataclass
class Program:
    """A process, read line by line from its standard error."""

    process: asyncio.subprocess.Process

    async def line_with(self, word: str) -> str:
        """Return the next line with a word in it."""
        assert self.process.stderr is not None
        async with asyncio.timeout(STEP_S_MAX):
            while line := (await self.process.stderr.readline()).decode():
                if word in line:
                    return line.strip()
        raise AssertionError(f"ended without saying {word!r}")

    async def ended(self) -> int:
        async with asyncio.timeout(STEP_S_MAX):
            return await self.process.wait()

    def send_signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)


@asynccontextmanager
async def program(
    *argv: str, file_bytes_max: int | None = None, **environ: str
) -> AsyncIterator[Program]:
    prefix = [] if file_bytes_max is None else ["prlimit", f"--fsize={file_bytes_max}"]
    process = await asyncio.create_subprocess_exec(
        *prefix,
        sys.executable,
        "-m",
        *argv,
        cwd=ROOT,
        env={**os.environ, **environ},
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield Program(process)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


@dataclass
class Home:
    """A state directory, its control socket and its fleet of one local process."""

    directory: Path

    @property
    def control(self) -> Path:
        return self.directory / "c.sock"

    def fleet(self, count: int = 1) -> Path:
        path = self.directory / "fleet.toml"
        words = [sys.executable, "-m", "analyser", "--stdio", "--workers", "1"]
        command = "[" + ", ".join(f"'{word}'" for word in words) + "]"
        path.write_text(
            "".join(
                f"[[analyser]]\nname = 'local {number}'\ncommand = {command}\n"
                for number in range(count)
            )
        )
        return path

    @asynccontextmanager
    async def master(
        self, *options: str, file_bytes_max: int | None = None, **environ: str
    ) -> AsyncIterator[Program]:
        own = ("--state-dir", str(self.directory), "--control", str(self.control))
        argv = ("master", *own, *options)
        async with program(*argv, file_bytes_max=file_bytes_max, **environ) as master:
            yield master


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


async def watch(client: MasterClient, job: int) -> Update:
    async with asyncio.timeout(STEP_S_MAX):
        async for update in client.subscribe(job, interval_s=0.05):
            last = update
    return last


async def folding(client: MasterClient, job: int, at_least: int) -> None:
    """Wait until so many trials of a job are folded."""
    async with asyncio.timeout(STEP_S_MAX):
        async for update in client.subscribe(job, interval_s=0.05):
            if update.job.folded >= at_least:
                return


def bits(result: JobView | FoldSummary) -> list[tuple[int, list[str | None]]]:
    return [
        (a.trials, [None if x is None else x.hex() for x in a.means + a.std_errors])
        for a in result.alternatives
    ]


@pytest.fixture(scope="module")
def straight() -> Any:
    """The bits of the sequential result."""
    fold = TrialFold(3, 1)
    fold.add_run(0, trial_runner(BUSY).run(0, 3 * TRIALS, RunControl()))
    return bits(fold.summary())


@pytest.mark.when_changed
async def test_job_goes_on_without_its_client_and_ends_with_the_same_bits(
    home: Home, straight: Any
) -> None:
    async with home.master("--fleet", str(home.fleet(1))) as master:
        await master.line_with("ready")
        async with MasterClient(home.control) as client:
            job = await client.submit(REQUEST)
        async with MasterClient(home.control) as client:
            final = await watch(client, job)
        master.send_signal(signal.SIGTERM)
        assert await master.ended() == 0
    assert bits(final.job) == straight
    assert not home.control.exists()


@pytest.mark.when_changed
async def test_terminated_master_goes_on_with_its_jobs_when_it_starts_again(
    home: Home, straight: Any
) -> None:
    fleet = str(home.fleet(1))
    async with home.master("--fleet", fleet) as master:
        await master.line_with("ready")
        async with MasterClient(home.control) as client:
            job = await client.submit(REQUEST)
            await folding(client, job, 1)
        master.send_signal(signal.SIGTERM)
        assert await master.ended() == 0
    async with home.master("--fleet", fleet) as master:
        assert await master.line_with("goes on") == f"manyply-master: job {job} goes on: noop"
        await master.line_with("ready")
        async with MasterClient(home.control) as client:
            assert (await client.show(job)).state is JobState.RUNNING
            assert bits((await watch(client, job)).job) == straight


@pytest.mark.timeout(240)  # four masters, each with a fleet of two, one after the other
@pytest.mark.when_changed
async def test_master_killed_again_and_again_ends_with_the_same_bits(
    home: Home, straight: Any
) -> None:
    generator, fleet = random.Random(5), str(home.fleet(2))
    job = None
    for _ in range(3):
        async with home.master("--fleet", fleet) as master:
            await master.line_with("ready")
            async with MasterClient(home.control) as client:
                if job is None:
                    job = await client.submit(REQUEST)
                before = (await client.show(job)).folded
                await folding(client, job, before + generator.randrange(150))
            master.send_signal(signal.SIGKILL)
            await master.ended()
    assert job is not None
    async with home.master("--fleet", fleet) as master:
        await master.line_with("ready")
        async with MasterClient(home.control) as client:
            assert bits((await watch(client, job)).job) == straight


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="prlimit is not installed")
@pytest.mark.when_changed
async def test_disk_that_fills_up_loses_nothing(home: Home) -> None:
    request = JobRequest(noop_context(), trials=40_000)
    fleet = str(home.fleet(1))
    async with home.master("--fleet", fleet, file_bytes_max=200_000) as master:
        await master.line_with("ready")
        async with MasterClient(home.control) as client:
            job = await client.submit(request)
            failed = (await watch(client, job)).job
        line = await master.line_with("cannot use")
        assert re.search(r"jobs\.sqlite3: the file is as large as files may be here", line)
    assert (failed.state, failed.stopped_by) == (JobState.HALTED, "failed")
    assert failed.error in line
    async with home.master("--fleet", fleet) as master:
        await master.line_with("ready")
        async with MasterClient(home.control) as client:
            assert 0 < (await client.show(job)).folded < 40_000
            await client.resume(job)
            final = (await watch(client, job)).job
    fold = TrialFold(1, 1)
    fold.add_run(0, trial_runner(request.context).run(0, 40_000, RunControl()))
    assert final.alternatives == fold.summary(has_quantiles=True).alternatives


@pytest.mark.when_changed
async def test_analysers_dial_in_die_and_join_late(home: Home, straight: Any) -> None:
    async with home.master("--listen", "127.0.0.1:0") as master:
        port = re.findall(r"port (\d+)", await master.line_with("port"))[0]
        await master.line_with("ready")
        dial_in = ("analyser", "--connect", f"127.0.0.1:{port}", "--workers", "1", "--name")
        async with MasterClient(home.control) as client, program(*dial_in, "dying") as dying:
            job = await client.submit(REQUEST)
            await folding(client, job, 100)
            dying.send_signal(signal.SIGKILL)
            async with program(*dial_in, "late"):
                final = await watch(client, job)
    assert bits(final.job) == straight
    assert {line.name for line in final.analysers if line.trials} >= {"late"}


@pytest.mark.when_changed
async def test_logs_say_once_that_analysers_join_and_leave_and_jobs_begin_and_end(
    home: Home,
) -> None:
    async with home.master("--listen", "127.0.0.1:0") as master:
        port = re.findall(r"port (\d+)", await master.line_with("port"))[0]
        await master.line_with("ready")
        dial_in = (
            "analyser",
            "--connect",
            f"127.0.0.1:{port}",
            "--workers",
            "1",
            "--name",
            "attic",
        )
        async with program(*dial_in) as analyser, MasterClient(home.control) as client:
            lines = [await master.line_with("")]
            job = await client.submit(JobRequest(noop_context(), trials=20, label="at night"))
            await watch(client, job)
            lines += [await master.line_with(""), await master.line_with("")]
            lasting = await client.submit(JobRequest(BUSY, trials=1_000_000))
            await folding(client, lasting, 1)
            analyser.send_signal(signal.SIGTERM)
            below = (await analyser.process.communicate())[1].decode().splitlines()
            lines += [await master.line_with(""), await master.line_with("")]
        master.send_signal(signal.SIGTERM)
        lines += (await master.process.communicate())[1].decode().splitlines()
    plain = [re.sub(r":\d{4,5}\b", ":PORT", line) for line in lines]
    assert [re.sub(r"\b\d+ trials", "N trials", line) for line in plain] == [
        f"manyply-master: {text}"
        for text in (
            "analyser attic (127.0.0.1:PORT) joins: 1 worker",
            "job 1 begins: noop, at night",
            "job 1 ends: done, N trials",
            "job 2 begins: noop",
            "analyser attic (127.0.0.1:PORT) leaves: drained",
            "SIGTERM: jobs are halted and stored, then this master ends",
            "job 2 ends: halted, N trials, drained",
        )
    ]
    assert below == [
        f"manyply-analyser: 127.0.0.1:{port}: serving {socket.gethostname()}",
        "manyply-analyser: SIGTERM: the parts at hand are finished",
    ]


@pytest.mark.when_changed
async def test_systemd_gets_the_status_of_the_master(home: Home) -> None:
    path = home.directory / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(str(path))
        notify.settimeout(STEP_S_MAX)
        async with home.master(NOTIFY_SOCKET=str(path)) as master:
            await master.line_with("ready")
            assert notify.recv(100) == b"READY=1"
            assert notify.recv(100) == b"STATUS=0 analysers, 0 jobs"
            master.send_signal(signal.SIGINT)
            assert await master.ended() == 0
            assert notify.recv(100) == b"STOPPING=1"


@pytest.mark.when_changed
async def test_numbers_are_read_while_it_works(home: Home) -> None:
    async with home.master("--metrics", "127.0.0.1:0", "--fleet", str(home.fleet())) as master:
        url = re.findall(r"http://\S+", await master.line_with("metrics on"))[0]
        await master.line_with("ready")
        async with MasterClient(home.control) as client:
            assert "\nmanyply_parts_waiting 0.0\n" in await page(url)
            job = await client.submit(JobRequest(BUSY, 1_000_000))
            await folding(client, job, 100)
            during = await page(url)
            assert '\nmanyply_analysers{state="ready"} 1.0\n' in during
            assert "\nmanyply_workers_busy 1.0\n" in during
            assert "\nmanyply_parts_waiting 0.0\n" not in during
            await client.halt(job)
            after = await page(url)
            assert "\nmanyply_parts_waiting 0.0\n" in after
            assert '\nmanyply_jobs{state="halted"} 1.0\n' in after
            assert any("parts: 0 wait" in line for line in await client.status())
        master.send_signal(signal.SIGTERM)
        assert await master.ended() == 0


async def page(url: str) -> str:
    """Return what urllib reads, in a thread."""

    def read() -> str:
        with urllib.request.urlopen(url, timeout=STEP_S_MAX) as answer:
            return str(answer.read().decode())

    return await asyncio.to_thread(read)


@pytest.mark.when_changed
async def test_second_master_on_the_same_socket_is_refused(home: Home) -> None:
    async with home.master() as first:
        await first.line_with("ready")
        async with home.master() as second:
            assert "another master is running" in await second.line_with("control socket")
            assert await second.ended() == 1


@pytest.mark.parametrize(
    ("options", "line", "code"),
    [
        (("--fleet-file", "/no/such/file"), "cannot read fleet file", 1),
        (("--fleet", "/no/such/file"), "names no fleet: expected local:N", 2),
        (("--listen", "nowhere"), "is not an address", 2),
        (("--state-dir", "/dev/null/x"), "cannot create /dev/null/x", 3),
        (("--what",), "No such option", 2),
        (("--metrics", "0.0.0.0:0"), "could use it: give --libwrap, or --open", 2),
        (("--web", "0.0.0.0:0"), "could use it: give --libwrap, or --open", 2),
    ],
)
@pytest.mark.when_changed
async def test_what_cannot_be_used_is_one_line(
    home: Home, options: tuple[str, ...], line: str, code: int
) -> None:
    async with home.master(*options) as master:
        assert line in await master.line_with(line)
        assert await master.ended() == code


@pytest.mark.when_changed
async def test_recorded_decisions_are_the_same_when_they_are_taken_again(
    home: Home, straight: Any
) -> None:
    log = home.directory / "decisions.log"
    async with home.master("--fleet", str(home.fleet(2)), "--record", str(log)) as master:
        await master.line_with("ready")
        async with MasterClient(home.control) as client:
            job = await client.submit(REQUEST)
            final = await watch(client, job)
        master.send_signal(signal.SIGTERM)
        assert await master.ended() == 0
    assert bits(final.job) == straight
    command = (sys.executable, "-m", "master.cli", "replay", str(log))
    replaying = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await asyncio.wait_for(replaying.communicate(), STEP_S_MAX)
    assert said.decode().endswith(" commands: the same\n")
    assert replaying.returncode == 0


@pytest.mark.when_changed
async def test_port_that_is_taken_is_one_line(home: Home) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        async with home.master("--listen", address) as master:
            line = await master.line_with("cannot")
            assert line.endswith(f"cannot listen on {address}: Address already in use")
            assert await master.ended() == 1


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
async def test_no_question_delays_the_end_of_a_master(tmp_path: Path) -> None:
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
