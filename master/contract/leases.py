"""Attempts at parts, as the schedulers of jobs, of searches and of a relay keep them.

A lease is one attempt, a window has the leases of one session, and a final reply has one of a few
meanings.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, TypeVar

from master.contract.events import Outcome, PartEnded
from protocol.codes import ReplyCode


class Life(Enum):
    """The state of an attempt as its analyser shows it."""

    AT_WORK = "at work"  # as far as is known
    DOUBTFUL = "doubtful"  # it may have been lost when the connection broke
    STALLED = "stalled"  # it stands still


class Holding(Enum):
    """The side that computes the missing rest of an attempt; independent of its life."""

    HELD = "held"  # its analyser
    STOPPING = "stopping"  # no side: its analyser was asked to stop
    GIVEN_BACK = "given back"  # others too, or soon; results from its analyser still count
    GIVEN_UP = "given up"  # others: it was given back, and its analyser asked to stop


TRANSITIONS: dict[Life | Holding, frozenset[Life | Holding]] = {
    Life.AT_WORK: frozenset({Life.DOUBTFUL, Life.STALLED}),
    Life.DOUBTFUL: frozenset({Life.AT_WORK}),  # it never stalls: it is stopped
    Life.STALLED: frozenset({Life.AT_WORK}),
    Holding.HELD: frozenset({Holding.STOPPING, Holding.GIVEN_BACK}),
    Holding.STOPPING: frozenset({Holding.GIVEN_UP}),
    Holding.GIVEN_BACK: frozenset({Holding.GIVEN_UP}),
    Holding.GIVEN_UP: frozenset(),
}

AFTER_STOP = {Holding.HELD: Holding.STOPPING, Holding.GIVEN_BACK: Holding.GIVEN_UP}
"""The next state when its analyser is asked to stop; it is asked only once."""

AFTER_RETURN = {Holding.HELD: Holding.GIVEN_BACK, Holding.STOPPING: Holding.GIVEN_UP}
"""The next state when its missing rest is given back; that is done only once."""


@dataclass(slots=True, eq=False, kw_only=True)
class Lease:
    """An attempt: a part handed out once, until its final reply.

    Args:
        key: part number and attempt.
        steps: its step counter.
        life: its state as its analyser shows it.
        holding: the side that computes its missing rest.
        is_urgent: it goes before those that are not.
        answer: its answer, which counts when the lease has ended.
    """

    key: tuple[int, int]
    steps: int = 0
    life: Life = Life.AT_WORK
    holding: Holding = Holding.HELD
    is_urgent: bool = False
    answer: str | None = None

    @property
    def attempt(self) -> int:
        """The number of the attempt."""
        return self.key[1]

    @property
    def is_stopped(self) -> bool:
        """Whether its analyser was asked to stop."""
        return self.holding not in AFTER_STOP

    @property
    def is_given_back(self) -> bool:
        """Whether its missing rest was handed out elsewhere, or will be."""
        return self.holding not in AFTER_RETURN

    def live(self, life: Life) -> None:
        """Note its state as its analyser shows it."""
        assert life is self.life or life in TRANSITIONS[self.life], f"{self.life} is not {life}"
        self.life = life

    def move(self, claim: Holding) -> None:
        """Note the side that computes its missing rest from now on."""
        assert claim in TRANSITIONS[self.holding], f"{self.holding} is not followed by {claim}"
        self.holding = claim

    def stop(self) -> None:
        """Note that its analyser is asked to stop."""
        if not self.is_stopped:
            self.move(AFTER_STOP[self.holding])

    def give_back(self) -> None:
        """Note that its missing rest is given back."""
        if not self.is_given_back:
            self.move(AFTER_RETURN[self.holding])


AnyLease = TypeVar("AnyLease", bound=Lease)


@dataclass(slots=True, eq=False, kw_only=True)
class Window(Generic[AnyLease]):
    """The outstanding attempts of one session, in the order in which they were handed out.

    Args:
        leases: by their keys.
        urgent_count: those that go before the others.
    """

    leases: dict[tuple[int, int], AnyLease] = field(default_factory=dict)
    urgent_count: int = 0

    def add(self, lease: AnyLease) -> None:
        """Note an attempt as handed out."""
        self.leases[lease.key] = lease
        self.urgent_count += lease.is_urgent

    def remove(self, lease: AnyLease) -> None:
        """Take an attempt off."""
        del self.leases[lease.key]
        self.urgent_count -= lease.is_urgent

    def in_order(self) -> Iterator[AnyLease]:
        """Yield the leases as the session's workers take them up."""
        if not self.urgent_count:
            return iter(self.leases.values())
        return iter(sorted(self.leases.values(), key=lambda lease: not lease.is_urgent))


class Ending(Enum):
    """The meaning of a final reply."""

    DONE = "done"  # nothing is missing
    STOPPED = "stopped"  # as it was asked to
    LEAVING = "leaving"  # the analyser takes no more parts: it is draining, or stopped by itself
    TOO_LONG = "too long"  # for the analyser's lines
    OTHER_ENGINE = "other engine"  # the analyser computes no part of that game and engine
    REFUSED = "refused"  # the analyser cannot read the context
    FAILED = "failed"


_FAILS: dict[str, Ending] = {
    ReplyCode.DRAINING: Ending.LEAVING,
    ReplyCode.LINE_TOO_LONG: Ending.TOO_LONG,
    ReplyCode.ENGINE_MISMATCH: Ending.OTHER_ENGINE,
    ReplyCode.UNKNOWN_GAME: Ending.OTHER_ENGINE,
    ReplyCode.BAD_CONTEXT: Ending.REFUSED,
}


def ending_of(reply: PartEnded, lease: Lease) -> Ending:
    """Return the meaning of the final reply to a lease."""
    if reply.outcome is Outcome.DONE:
        return Ending.DONE
    if reply.outcome is Outcome.STOPPED:
        return Ending.STOPPED if lease.is_stopped else Ending.LEAVING
    return _FAILS.get(reply.code, Ending.FAILED)
