"""The interface of an engine that places analysers, and what placers share.

The engine starts, moves, replaces and ends analysers; these dial in to the master, which hands out
the work. So a placer only submits and asks: it watches nothing and restarts nothing.
"""

from __future__ import annotations

import asyncio
import shlex
import socket
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from master.config.fleet_specs import GIVE_UP_S
from master.contract.errors import MasterError
from master.fleets.child import analyser_argv
from protocol.address import Address
from protocol.aio.reasons import reason_of

Kept = Mapping[str, str]
"""Facts by which another process finds a fleet again: names and numbers, never a secret."""

CALL_S = 60.0
"""How long an engine may take for one answer."""


ERROR_CHARACTERS_MAX = 400
"""Length of the text shown for an engine's error."""


def one_line(said: object) -> str:
    """Return an engine's error as one line, cut where it gets long."""
    return " ".join(str(said).split())[:ERROR_CHARACTERS_MAX]


class FleetFailedError(MasterError):
    """An engine could not do its task; the text has the reason and the remedy, in one line."""


@dataclass(frozen=True)
class Invitation:
    """The facts about its master that an analyser of a fleet needs.

    Args:
        host: the master's address, as machines of the engine reach it.
        port: of the master's listener.
        ticket: names the fleet's secret to the master.
        secret: the secret.  It goes through the engine's own channel for secrets or to a program's
            standard input, never onto a command line or into an environment.
        give_up_s: an analyser that has not reached the master for so long leaves.
    """

    host: str
    port: int
    ticket: str
    secret: str = field(repr=False)
    give_up_s: float = GIVE_UP_S

    def arguments(self, secret: str = "-") -> tuple[str, ...]:
        """Return the arguments of `manyply-analyser` that make it come.

        Args:
            secret: the file that it finds the secret in; `-`: its standard input.
        """
        return (
            "--connect", str(Address(self.host, self.port)),
            "--ticket", self.ticket,
            "--secret", secret,
            "--give-up-after", f"{self.give_up_s:g}",
        )  # fmt: skip


SECRET_SHOWN = "(the secret of the fleet)"
"""Takes the place of a secret in a preview."""


def shown_call(argv: Sequence[str], stdin_text: str = "") -> list[str]:
    """Return the lines of a command with its standard input, as typed in a shell."""
    command = shlex.join(argv)
    if not stdin_text:
        return command.splitlines()
    return [*f"{command} <<'EOF'".splitlines(), *stdin_text.splitlines(), "EOF"]


def below_worker(invitation: Invitation, name: str, worker_count: str) -> list[str]:
    """Return the lines of the command by which an engine's worker or actor starts an analyser.

    Args:
        invitation: for the analyser.
        name: a word in place of its name, which only the worker knows.
        worker_count: a word or number in place of the number of its threads.
    """
    _, *words = analyser_argv(invitation.arguments(), name, worker_count)
    return shown_call(("python", *words), f"{invitation.secret}\n")


class MemberState(Enum):
    """The state of a requested analyser, as its engine reports it."""

    PENDING = "pending"
    RUNNING = "running"
    ENDING = "ending"
    LOST = "lost"


@dataclass(frozen=True)
class Member:
    """An analyser requested from an engine.

    Args:
        name: its name, to its master too.
        state: in our words.
        text: in the engine's own, such as `PENDING (Resources)`.
        host: where it runs; empty: nowhere yet.
    """

    name: str
    state: MemberState
    text: str = ""
    host: str = ""


class Placer(Protocol):
    """One fleet on one engine. Every call ends within CALL_S; FleetFailedError names the failure.

    It is made from the user's `where` (a partition, a namespace, an address), the fleet's ticket,
    which is its name to the engine as well (a TICKET_PATTERN that no other fleet has), and the
    facts kept by `start`, which are empty for a new one.
    """

    async def own_host(self) -> str:
        """Return the address at which machines of the engine reach this one."""

    def preview(self, invitation: Invitation, count: int | None) -> list[str]:
        """Return what `start` would submit, as lines; nothing is asked, written or begun."""

    async def start(self, invitation: Invitation, count: int | None) -> Kept:
        """Have a number of analysers placed; None: as many as the engine has room for.

        Returns without waiting for any of them. If it fails, all that it began is undone.
        """

    async def scale(self, invitation: Invitation, count: int) -> Kept:
        """Have more or fewer of them: an analyser too many drains.

        The invitation is for the further ones, with the same ticket and secret.
        """

    async def members(self) -> tuple[Member, ...]:
        """Return the analysers that there are or are to be, by name."""

    async def stop(self) -> None:
        """End all of them: each drains within the engine's grace.  Nothing to end is no error.

        Returns when the engine has taken the order. All that was kept for the fleet is removed,
        secrets above all.
        """


_ANY_PORT = 9


async def local_host(host: str) -> str:
    """Return the address of this machine that packets to a host leave from.

    Raises:
        FleetFailedError: there is no such host, or no way to it.
    """
    try:
        async with asyncio.timeout(CALL_S):
            return await asyncio.to_thread(_local_host, host)
    except (OSError, TimeoutError) as error:
        reason = getattr(error, "strerror", None) or "no answer"
        raise FleetFailedError(f"no way to {host} is known ({reason})") from None


def _local_host(host: str) -> str:
    found = socket.getaddrinfo(host, _ANY_PORT, type=socket.SOCK_DGRAM)
    family, kind, _, _, address = found[0]
    with socket.socket(family, kind) as probe:
        probe.connect(address)  # of a datagram socket: only the route is looked up
        return str(probe.getsockname()[0])


async def call(argv: Sequence[str], *, stdin_text: str = "", within_s: float = CALL_S) -> str:
    """Run a program, out of reach of Ctrl-C; return its output.

    It inherits nothing but its standard streams, so that processes that it leaves running keep none
    of our links: a loop's own way of starting programs lets pipes of others through.

    Args:
        argv: the program and its arguments.
        stdin_text: goes to its standard input.
        within_s: it is killed if it takes longer.

    Raises:
        FleetFailedError: it is not there, failed, or took too long.
    """
    return await asyncio.to_thread(_call, argv, stdin_text, within_s)


def _call(argv: Sequence[str], stdin_text: str, within_s: float) -> str:
    try:
        ended = subprocess.run(
            argv, input=stdin_text.encode(), capture_output=True, timeout=within_s, check=False,
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise FleetFailedError(f"cannot run {argv[0]}: {reason_of(error)}") from None
    except subprocess.TimeoutExpired:
        raise FleetFailedError(f"{argv[0]} gave no answer in {within_s:g} s") from None
    if ended.returncode:
        said = one_line((ended.stderr or ended.stdout).decode(errors="replace"))
        raise FleetFailedError(f"{argv[0]}: {said or f'exit code {ended.returncode}'}")
    return ended.stdout.decode(errors="replace")
