"""A judge in a child process: it repeats single trials and questions at which analysers fail.

The child is an analyser on a pipe, so a unit that crashes, hangs or fills the memory ends the child
and not the master. One unit is repeated at a time, each in a child of its own.
"""

import asyncio
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field

from master.contract.commands import JudgeHere
from master.contract.events import (
    TRIALS,
    AnswerArrived,
    Event,
    Judged,
    Outcome,
    PartEnded,
    Progressed,
    ResultValues,
    TrialsArrived,
    Verdict,
)
from master.contract.reading import AnalyserEvent, to_events
from protocol.aio import CommandLink, open_command
from protocol.codes import ReplyCode
from protocol.events import MessageReceived
from protocol.messages import (
    AnalyserHello,
    Bye,
    Engine,
    MasterHello,
    PartRequest,
    Question,
    Ready,
    Trials,
)
from protocol.session_secret import new_session_secret
from protocol.sides import MasterSide

START_S_MAX = 120.0
"""To load and measure all engines takes seconds, on a busy small machine a minute."""

STILL_S_MAX = 60.0
"""A step counter that stands still for longer means that the engine hangs; the scheduler waits as
long for an analyser with unknown speed."""

REPEAT_S_MAX = 900.0
"""A unit that makes progress for longer is no poison, only long: analysers go on with it."""

EXIT_S_MAX = 5.0
"""A child whose pipe is closed has nothing to wait for; it may be writing a core file."""

TRIES_MAX = 3
"""If a child was killed by somebody, its unit is repeated so often."""

MEMORY = "2G"
"""The most memory of a child: ten times the need of all engines."""

CRASHES = frozenset(
    {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGTRAP}
)
"""Signals by which the kernel ends a faulty program; other signals come from people."""

_NOT_THE_UNIT = frozenset(
    {ReplyCode.DRAINING, ReplyCode.ENGINE_MISMATCH, ReplyCode.UNKNOWN_GAME, ReplyCode.LINE_TOO_LONG}
)


def child_argv() -> tuple[str, ...]:
    """Return the command of the child that repeats a unit."""
    return (*analyser_argv("judge"), "--workers", "1", "--memory", MEMORY)


def analyser_argv(name: str) -> tuple[str, ...]:
    """Return the command of an analyser on a pipe, which ends with this process.

    Process 1 of a container needs no care of that: with it everything ends.
    """
    guard = () if os.getpid() == 1 else ("--with-parent",)
    return (
        sys.executable, "-P", "-m", "analyser", "--stdio", "--name", name, "--secret", "none",
        *guard,
    )  # fmt: skip


@dataclass(eq=False)
class _Run:
    """One run of a child, with its replies about the unit so far."""

    command: JudgeHere
    link: CommandLink
    offers: dict[str, Engine] = field(default_factory=dict)
    is_asked: bool = False
    steps: int = -1
    values: ResultValues | tuple[()] = ()
    verdict: Judged | None = None

    def end(self, verdict: Verdict, text: str = "") -> None:
        """Note the verdict."""
        values = self.values if verdict is Verdict.COMPUTED else ()
        self.verdict = Judged(self.command.job, self.command.seq, verdict, values, text)

    def receive(self, reported: AnalyserEvent) -> bool:
        """Take in a reply of the child; return whether it is a sign of life."""
        if isinstance(reported, Engine):
            self.offers[reported.game] = reported
        elif isinstance(reported, Ready) and not self.is_asked:
            self._ask()
        elif isinstance(reported, TrialsArrived):
            self.values = tuple(reported.values[0])
        elif isinstance(reported, AnswerArrived):
            self.values = (reported.text,)
        elif isinstance(reported, PartEnded):
            self._take_end(reported)
        elif isinstance(reported, Progressed):
            is_moving, self.steps = reported.steps > self.steps, reported.steps
            return is_moving
        return True

    def _ask(self) -> None:
        command, offer = self.command, self.offers.get(self.command.game)
        if offer is None or offer.digest != command.engine or command.service not in offer.services:
            self.end(Verdict.UNKNOWN, f"this machine has no {command.game} engine {command.engine}")
            return
        self.is_asked = True
        self.link.send(_to_request(command))

    def _take_end(self, reported: PartEnded) -> None:
        if reported.outcome is Outcome.FAIL and reported.code not in _NOT_THE_UNIT:
            self.end(Verdict.FAILED, f"{reported.code}: {reported.text or 'no reason given'}")
        elif reported.outcome is Outcome.DONE and self.values:
            self.end(Verdict.COMPUTED)
        else:
            self.end(Verdict.UNKNOWN, "the child on this machine left before it was done")


def _to_request(command: JudgeHere) -> PartRequest:
    if command.service == TRIALS:
        return Trials(part=1, attempt=1, first_seq=command.seq, count=1, context=command.context)
    return Question(part=1, attempt=1, service=command.service, context=command.context)


class Judge:
    """Repeats the units given to it, one after the other, and reports each verdict once."""

    def __init__(
        self,
        spawn: Callable[[Coroutine[None, None, None]], None],
        tell: Callable[[Event], None],
        argv: tuple[str, ...] | None = None,
        still_s: float = STILL_S_MAX,
    ) -> None:
        """Begin with nothing to do.

        Args:
            spawn: runs a task of the master.
            tell: receives each `Judged`.
            argv: the command of the child; None: an analyser of this installation.
            still_s: see STILL_S_MAX.
        """
        self._spawn = spawn
        self._tell = tell
        self._argv = argv
        self._still_s = still_s
        self._queue: deque[JudgeHere] = deque()  # as bounded as the scheduler's requests
        self._current: JudgeHere | None = None
        self._is_wanted = True
        self._is_working = False
        self._child: CommandLink | None = None

    @property
    def is_working(self) -> bool:
        """Whether a unit is being repeated."""
        return self._is_working

    def take(self, command: JudgeHere) -> None:
        """Repeat a unit as soon as those before it are done."""
        self._queue.append(command)
        if not self._is_working:
            self._is_working = True
            self._spawn(self._work())

    def forget(self, job: int) -> None:
        """Repeat nothing more of a job that has ended."""
        kept = [command for command in self._queue if command.job != job]
        dropped = [command for command in self._queue if command.job == job]
        self._queue = deque(kept)
        if self._current is not None and self._current.job == job:
            self._is_wanted = False
            if self._child is not None:
                _kill(self._child)
        for command in dropped:
            self._tell_soon(_forgotten(command))

    def _tell_soon(self, verdict: Judged) -> None:
        """Report a verdict in a turn of its own: the scheduler is in the middle of one."""
        asyncio.get_running_loop().call_soon(self._tell, verdict)

    async def _work(self) -> None:
        try:
            while self._queue:
                self._current, self._is_wanted = self._queue.popleft(), True
                self._tell(await self._repeated(self._current))
        finally:
            self._current, self._is_working = None, False

    async def _repeated(self, command: JudgeHere) -> Judged:
        for _ in range(TRIES_MAX):
            verdict = await self._run(command)
            if not self._is_wanted:
                return _forgotten(command)
            if verdict is not None:
                return verdict
        text = f"the child on this machine was killed {TRIES_MAX} times"
        return Judged(command.job, command.seq, Verdict.UNKNOWN, text=text)

    async def _run(self, command: JudgeHere) -> Judged | None:
        """Run a child for a unit; None: it was killed, so there is no verdict."""
        try:
            link = await open_command(self._argv or child_argv(), MasterSide(), is_apart=True)
        except OSError as error:
            text = f"no child can be started on this machine: {error.strerror or error}"
            return Judged(command.job, command.seq, Verdict.UNKNOWN, text=text)
        self._child, run = link, _Run(command, link)
        try:
            await self._converse(run)
            if run.verdict is None:
                await _note_exit(run)
        finally:
            self._child = None
            _kill(link)
            await link.aclose()
        return run.verdict

    async def _converse(self, run: _Run) -> None:
        """Serve the child until it has answered, has ended, or stands still."""
        now = asyncio.get_running_loop().time
        until = now() + START_S_MAX + REPEAT_S_MAX
        try:
            async with asyncio.timeout(START_S_MAX) as limit:
                async for event in run.link:
                    message = event.message if isinstance(event, MessageReceived) else None
                    if isinstance(message, AnalyserHello):
                        session = new_session_secret()
                        run.link.send(MasterHello(name="judge", session=session, received=0))
                    for reported in to_events(0, [event]):
                        if run.receive(reported) and run.is_asked:
                            limit.reschedule(min(until, now() + self._still_s))
                    if run.verdict is not None:
                        run.link.send(Bye(reason="done"))
                        return
        except TimeoutError:
            if not run.is_asked:
                run.end(Verdict.UNKNOWN, f"no child was ready within {START_S_MAX:g} s")
            elif now() >= until:
                run.end(Verdict.UNKNOWN, f"it was not done within {REPEAT_S_MAX:g} s")
            else:
                run.end(Verdict.FAILED, f"it stood still for {self._still_s:g} s")


async def _note_exit(run: _Run) -> None:
    """Return the verdict that follows from the child's end, if any does."""
    try:
        async with asyncio.timeout(EXIT_S_MAX):
            code = await run.link.process.wait()
    except TimeoutError:  # it has closed its pipe and goes on: it is killed, without a verdict
        return
    if not run.is_asked and code >= 0:
        run.end(Verdict.UNKNOWN, f"the child on this machine left at its start, exit code {code}")
    elif code > 0:
        run.end(Verdict.FAILED, f"it ended the engine with exit code {code}")
    elif -code in CRASHES:
        how = f"ended by {signal.Signals(-code).name}"
        if run.is_asked:
            run.end(Verdict.FAILED, f"the engine was {how}")
        else:
            run.end(Verdict.UNKNOWN, f"the child on this machine was {how} at its start")


def _forgotten(command: JudgeHere) -> Judged:
    return Judged(command.job, command.seq, Verdict.UNKNOWN, text="its job has ended")


def _kill(link: CommandLink) -> None:
    if link.process.returncode is None:
        link.process.kill()


def no_judge(command: JudgeHere) -> Judged:
    """Return the verdict of a master that can repeat nothing."""
    text = "nothing is repeated by this master"
    return Judged(command.job, command.seq, Verdict.UNKNOWN, text=text)
