"""What an engine is asked for that places analysers, and what it answers.

Knows what all engines have in common.  Must not know one of them, nor links.  The engine starts,
moves, replaces and ends analysers; these dial in to the master, which hands out the work.  So a
placer only submits and asks: it watches nothing and restarts nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from master.contract.errors import MasterError
from protocol.address import Address

Kept = Mapping[str, str]
"""What a fleet needs to be found again by another process: names and numbers, never a secret."""

GIVE_UP_S = 60.0
"""An analyser that has not reached its master for so long leaves: a master's restart takes less."""

CALL_S = 60.0
"""How long an engine may take for one answer."""


ERROR_CHARACTERS_MAX = 400
"""Of what an engine complained of is shown."""


def one_line(said: object) -> str:
    """Return what an engine complained of as one line, cut where it gets long."""
    return " ".join(str(said).split())[:ERROR_CHARACTERS_MAX]


class FleetFailedError(MasterError):
    """An engine could not do what it was asked for; says why, and what to do, in one line."""


@dataclass(frozen=True)
class Invitation:
    """What an analyser of a fleet has to know of its master.

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


class MemberState(Enum):
    """What an engine says of an analyser that it was asked for."""

    PENDING = "pending"
    RUNNING = "running"
    ENDING = "ending"
    LOST = "lost"


@dataclass(frozen=True)
class Member:
    """An analyser that an engine was asked for.

    Args:
        name: what it is called by its master, too.
        state: in our words.
        text: in the engine's own, such as `PENDING (Resources)`.
        host: where it runs; empty: nowhere yet.
    """

    name: str
    state: MemberState
    text: str = ""
    host: str = ""


class Placer(Protocol):
    """One fleet on one engine.  Every call ends within CALL_S; FleetFailedError says what failed.

    It is made from what the user wrote (`where`: a partition, a namespace, an address), the fleet's
    ticket, which is its name to the engine as well (a TICKET_PATTERN that no other fleet has), and
    what `start` has kept, which is empty for a new one.
    """

    async def own_host(self) -> str:
        """Return the address at which machines of the engine reach this one."""

    async def start(self, invitation: Invitation, count: int | None) -> Kept:
        """Have so many analysers placed; None: as many as the engine has room for.

        Returns without waiting for any of them.  What it has begun is taken back if it fails.
        """

    async def scale(self, invitation: Invitation, count: int) -> Kept:
        """Have more or fewer of them: an analyser too many drains.

        The invitation is what a further one is told, of the same ticket and secret.
        """

    async def members(self) -> tuple[Member, ...]:
        """Return the analysers that there are or are to be, by name."""

    async def stop(self) -> None:
        """End all of them: each drains within the engine's grace.  Nothing to end is no error.

        Returns when the engine has taken the order; what it kept of the fleet is removed, secrets
        above all.
        """
