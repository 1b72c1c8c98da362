"""The sessions of a search, the parts that they have, and the numbers of these on the wire.

Jobs' parts are counted up from 1 by the scheduler of jobs. Those of searches begin far above them,
each search with a range of its own, so the number of a reply shows its search.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from master.contract.leases import Lease, Window
from master.contract.rate import RateMeter
from master.contract.search_views import SearcherLine
from master.search.events import HandOutPart, TableEntry
from master.search.replication import KnownEntries
from protocol.messages import NUMBER_MAX

SEARCH_PART_FIRST = 1 << 52
"""Jobs' parts stay below: a million of them a second would take a hundred years."""

PARTS_MAX = 1 << 32
"""Parts of one search: a thousand a second for fifty days."""

SEARCHES_MAX = 1 << 20
"""Stretches; with them the largest number is 2**53 - 1, the protocol's.  Then they begin anew."""

JOB_PARTS = range(SEARCH_PART_FIRST)
SEARCH_PARTS = range(SEARCH_PART_FIRST, NUMBER_MAX + 1)


def to_wire(search: int, part: int) -> int:
    """Return the number on the wire of part `part` of search `search`."""
    assert 0 <= part < PARTS_MAX, f"part {part} of one search"
    return SEARCH_PART_FIRST + (search % SEARCHES_MAX) * PARTS_MAX + part


def from_wire(number: int) -> tuple[int, int]:
    """Return (search modulo SEARCHES_MAX, part) of a search's part."""
    return divmod(number - SEARCH_PART_FIRST, PARTS_MAX)


STOP_S_MAX = 2.0
"""After so long without an answer to a stop, an analyser gets no parts until it sends something: a
stopped process, a machine that sleeps.  Its link is kept; a silent link is ended elsewhere."""


@dataclass(slots=True, eq=False)
class SearchLease(Lease):
    """A part of a search at one of its sessions.

    Args:
        handed_at: when it was handed out.
        stopped_at: when the scheduler stopped it; None: no answer to that is due.
    """

    command: HandOutPart
    handed_at: float
    stopped_at: float | None = None


@dataclass(slots=True, eq=False)
class SearchSession(Window[SearchLease]):
    """One session of one analyser.

    Args:
        number: the pool's.
        name: for people.
        meter: of its nodes.
        worker_count: of which the search uses all or none.
        workers: the scheduler's numbers for them; none: it is away, silent or refused.
        nodes: searched.
        refusal: why it is not used for this search, for people.
        is_silent: it gets no parts until it sends something.
        known: table entries that its table has.
        party: its sessions may lie together (see CheckedRun); empty: this process, which is
            believed.
    """

    number: int
    name: str
    meter: RateMeter
    worker_count: int = 0
    workers: list[int] = field(default_factory=list)
    nodes: int = 0
    refusal: str = ""
    is_silent: bool = False
    known: KnownEntries = field(default_factory=KnownEntries)
    party: str = ""

    def news_of(self, entries: tuple[TableEntry, ...]) -> tuple[TableEntry, ...]:
        """Return the table entries that its table has not, as far as is remembered."""
        if len(self.workers) == 1:
            return entries  # the scheduler sends a worker nothing twice
        return self.known.news_of(entries)

    def forgive(self) -> None:
        """Wait for no answers to former stops."""
        for lease in self.leases.values():
            lease.stopped_at = None

    def is_late(self, now: float) -> bool:
        """Say whether it owes an answer to a stop for too long."""
        times = (lease.stopped_at for lease in self.leases.values())
        return any(at is not None and now - at > STOP_S_MAX for at in times)

    def line(self, now: float) -> SearcherLine:
        """Return its state for displays."""
        self.meter.record(now, self.nodes)
        rate = self.meter.per_s()
        return SearcherLine(self.name, len(self.workers), len(self.leases), self.nodes, rate)


def why_nobody(sessions: Collection[SearchSession]) -> str:
    """Return why none of the sessions that came can be used, for people; empty: it is not so."""
    refusals = [f"{session.name}: {session.refusal}" for session in sessions if session.refusal]
    return "; ".join(refusals) if len(refusals) == len(sessions) else ""
