"""The process of one UCI program: lines to it and from it, every wait with a deadline.

A program has its own POSIX session, so that all its child processes end with it.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine_ext.chess.uci_engine.engine_lines import EngineOption, EngineOptionError, read_option
from engine_ext.chess.uci_engine.engine_spec import EngineSpec
from engine_ext.control import RunControl

START_S = 20.0
"""A program greets within this time: it may have to read a large net from a slow disk."""

POLL_S = 0.05
"""Time between two checks that a program is still needed, and still runs."""

SEND_S = 2.0
"""A program that reads nothing for this time counts as ended; a pipe holds many lines."""

SUSPENDED_S = 2.0
"""A program suspended by a signal for this time is given up, and another one is started."""

LEAVE_S = 0.5
"""Time limit for a program to end after `quit`."""

TERMINATE_S = 0.5
"""Time limit for a program to end after SIGTERM; then it is killed.  Both limits together are
short enough for a command that ends at Ctrl-C."""

LINE_BYTES_MAX = 1 << 16
"""Limit of a line; the longest line of play has some thousands."""

OPTIONS_MAX = 1_000
"""Limit of stored options; programs have at most about a hundred."""

NAME_CHARACTERS_MAX = 60
"""Limit of a program's name in displays."""

READ_BYTES = 1 << 16
SHOWN_OPTIONS = 8

OWN_SETTINGS = {"threads": "1", "number of threads": "1", "ownbook": "false"}
"""Settings of every program: with one thread and no book, an answer is the same each time."""


class EngineGoneError(Exception):
    """The program has ended, is silent, or does not speak UCI; one line that names the reason."""


class EngineUnwantedError(Exception):
    """The program is not needed any more: the work that waited for it was stopped."""


@dataclass(slots=True)
class Greeting:
    """A program's answer to `uci`.

    Args:
        name: with its version.
        options: by their names in small letters.
    """

    name: str = ""
    options: dict[str, EngineOption] = field(default_factory=dict)

    def option(self, name: str) -> EngineOption:
        """Return an option by its name; EngineOptionError: it has none of that name."""
        found = self.options.get(name.lower())
        if found is None:
            known = [option.name for option in self.options.values()]
            more = ", ..." if len(known) > SHOWN_OPTIONS else ""
            has = f"it has {', '.join(known[:SHOWN_OPTIONS])}{more}" if known else "it has none"
            raise EngineOptionError(f"{self.name} has no option {name!r}: {has}")
        return found

    def settings(self, chosen: Sequence[tuple[str, str]]) -> tuple[tuple[EngineOption, str], ...]:
        """Return the options to set and their values: ours, then the user's.

        Raises:
            EngineOptionError: the program has no such option, or the option has no such value.
        """
        ours = [
            (self.options[name], value)
            for name, value in OWN_SETTINGS.items()
            if name in self.options
        ]
        theirs = [(self.option(name), value) for name, value in chosen]
        for option, value in theirs:
            option.check(value)
        return (*ours, *theirs)


class EngineProcess:
    """A running program that has answered `uci` and received its options.

    Args:
        spec: the program and its options.
        control: of the work that needs it; None: the start cannot be stopped.

    Attributes:
        greeting: its name and options.

    Raises:
        EngineGoneError: it does not start, or does not speak UCI.
        EngineOptionError: it has no such option.
        EngineUnwantedError: `control` was stopped.
    """

    def __init__(self, spec: EngineSpec, control: RunControl | None = None) -> None:
        self._program = Path(spec.command[0]).name
        self._rest = b""
        self._suspended_since: float | None = None
        try:
            # A new session: Ctrl-C reaches only this process, which ends the program.
            self._child = subprocess.Popen(
                spec.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, start_new_session=True, bufsize=0,
            )  # fmt: skip
        except OSError as error:
            raise EngineGoneError(f"cannot start {self._program}: {error.strerror}") from error
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._input, self._output = self._child.stdin, self._child.stdout
        os.set_blocking(self._input.fileno(), False)
        try:
            self.greeting = self._greet(control)
            for option, value in self.greeting.settings(spec.options):
                self.send(f"setoption name {option.name} value {value}")
            self.settle(control)
        except BaseException:
            end_programs([self], is_asked=False)
            raise

    def _greet(self, control: RunControl | None) -> Greeting:
        greeting = Greeting()
        try:
            self.send("uci")
            for line in self.lines(START_S, control):
                if line == "uciok":
                    break
                if line.startswith("id name "):
                    greeting.name = _plain(line.removeprefix("id name "))
                option = read_option(line)
                if option is not None and len(greeting.options) < OPTIONS_MAX:
                    greeting.options[option.name.lower()] = option
        except EngineGoneError as error:
            raise EngineGoneError(
                f"{self._program} is no engine that speaks UCI: {error}"
            ) from None
        greeting.name = greeting.name or _plain(self._program)
        return greeting

    def settle(self, control: RunControl | None = None) -> None:
        """Wait until the program has executed its commands."""
        self.send("isready")
        for line in self.lines(START_S, control):
            if line == "readyok":
                return

    def send(self, line: str) -> None:
        """Send a line; EngineGoneError if the program has ended, or does not read it."""
        left, deadline = line.encode() + b"\n", time.monotonic() + SEND_S
        while left:
            try:
                left = left[os.write(self._input.fileno(), left) :]
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise EngineGoneError("it reads nothing any more") from None
                poll = select.poll()
                poll.register(self._input, select.POLLOUT)
                poll.poll(POLL_S * 1000)
            except (OSError, ValueError):
                raise EngineGoneError(self._ended()) from None

    def lines(self, wait_s: float, control: RunControl | None = None) -> Iterator[str]:
        """Yield lines as they arrive.

        Raises:
            EngineGoneError: the caller wants more lines after the time limit.
            EngineUnwantedError: `control` was stopped.
        """
        deadline = time.monotonic() + wait_s
        while True:
            if control is not None and control.is_stopped:
                raise EngineUnwantedError
            left = deadline - time.monotonic()
            if left < 0:
                raise EngineGoneError(f"it has not said what it had to within {wait_s:g} s")
            line = self.line(min(left, POLL_S))
            if line is not None:
                yield line

    def line(self, wait_s: float) -> str | None:
        """Return the next line; None: none came in time.

        Raises:
            EngineGoneError: the program has ended, or is suspended.
        """
        deadline = time.monotonic() + wait_s
        while b"\n" not in self._rest:
            left = deadline - time.monotonic()
            if not self._is_readable(left):
                self._check_health()
                if left <= 0:
                    return None
                continue
            read = os.read(self._output.fileno(), READ_BYTES)
            if not read:
                raise EngineGoneError(self._ended())
            self._rest += read
            if len(self._rest) > LINE_BYTES_MAX and b"\n" not in self._rest[:LINE_BYTES_MAX]:
                raise EngineGoneError(f"it said a line of over {LINE_BYTES_MAX} bytes")
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", errors="replace").strip()

    def _is_readable(self, wait_s: float) -> bool:
        poll = select.poll()  # as select.select does not, it takes any number of open files
        poll.register(self._output, select.POLLIN)
        return bool(poll.poll(max(min(wait_s, POLL_S), 0.0) * 1000))

    def _check_health(self) -> None:
        """Detect a suspended program, and the end of one whose output its children hold open."""
        if self.has_ended and not self._is_readable(0.0):
            raise EngineGoneError(self._ended())
        if self._state(os.WSTOPPED) is None:
            self._suspended_since = None
            return
        now = time.monotonic()
        if self._suspended_since is None:
            self._suspended_since = now
        if now - self._suspended_since > SUSPENDED_S:
            raise EngineGoneError("it is suspended")

    @property
    def has_ended(self) -> bool:
        """Whether the program has ended; its child processes may still run."""
        return self._state(os.WEXITED) is not None

    def _state(self, kinds: int) -> tuple[int, int] | None:
        """Return how the program has ended or was stopped; it stays to be seen again.

        It is not reaped, so that its number stays its own until its group is killed.
        """
        try:
            found = os.waitid(os.P_PID, self._child.pid, kinds | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # reaped, or reaped by the system where SIGCHLD is ignored
            return (os.CLD_EXITED, 0) if kinds == os.WEXITED else None
        return None if found is None else (found.si_code, found.si_status)

    def _ended(self) -> str:
        deadline = time.monotonic() + LEAVE_S
        while (state := self._state(os.WEXITED)) is None and time.monotonic() < deadline:
            time.sleep(POLL_S / 10)
        if state is None:
            return "it hears or says nothing any more"
        code, status = state
        if code == os.CLD_EXITED:
            return f"it ended with exit code {status}"
        return f"signal {status} ended it"

    def signal(self, number: int) -> None:
        """Send a signal to the program and all that it has started, as far as it is there."""
        if self._child.returncode is not None:
            return  # reaped: its number may be another program's
        try:
            os.killpg(self._child.pid, number)
        except (ProcessLookupError, PermissionError):
            return  # no process is left, or only ones with other rights

    def kill(self) -> None:
        """End the program: by SIGTERM, and at last by SIGKILL."""
        end_programs([self], is_asked=False)

    def close(self) -> None:
        """Send `quit` to the program, and kill it if it does not end."""
        end_programs([self], is_asked=True)

    def release(self) -> None:
        """Kill the remaining processes; no other thread may use the program."""
        self.signal(signal.SIGKILL)
        try:
            self._child.wait(LEAVE_S)
        except subprocess.TimeoutExpired:  # it waits for a disk, and ends when that answers
            self._child.returncode = -signal.SIGKILL
        for stream in (self._input, self._output):
            stream.close()


def end_programs(programs: Sequence[EngineProcess], *, is_asked: bool) -> None:
    """End programs with all that they have started, all at the same time.

    Args:
        programs: that no other thread uses.
        is_asked: whether they are asked to leave first.
    """
    if is_asked:
        for program in programs:
            try:
                program.send("quit")
            except EngineGoneError:
                continue  # it is ended all the same
        await_ends(programs, LEAVE_S)
    terminate(programs)
    for program in programs:
        program.release()


def terminate(programs: Sequence[EngineProcess]) -> None:
    """Send SIGTERM, then SIGKILL to programs; other threads may still wait for them."""
    for program in programs:
        program.signal(signal.SIGTERM)
    await_ends(programs, TERMINATE_S)
    for program in programs:
        program.signal(signal.SIGKILL)


def await_ends(programs: Sequence[EngineProcess], wait_s: float) -> None:
    """Wait until all programs have ended, at most for so long."""
    deadline = time.monotonic() + wait_s
    while time.monotonic() < deadline and not all(program.has_ended for program in programs):
        time.sleep(POLL_S / 10)


def _plain(text: str) -> str:
    """Return a name that can be shown anywhere: printable ASCII, not too long."""
    shown = "".join(sign if " " <= sign <= "~" else "?" for sign in text.strip())
    return shown[:NAME_CHARACTERS_MAX].strip()
