"""The sessions of a search, each with the parts that it has."""

from collections.abc import Collection
from dataclasses import dataclass, field

from master.contract.leases import Lease, Window
from master.contract.rate import RateMeter
from master.contract.search_views import SearcherLine
from master.search.commands import HandOutPart
from master.search.events import TableEntry
from master.search.known_entries import KnownEntries

STOP_S_MAX = 2.0
"""After so long without an answer to a stop, an analyser gets no parts until it sends something: a
stopped process, a machine that sleeps.  Its link is kept; a silent link is ended elsewhere."""


@dataclass(slots=True, eq=False)
class SearchLease(Lease):
    """A part of a search at one of its sessions.

    Args:
        command: the scheduler's command.
        handed_at: when it was handed out.
        stopped_at: when the scheduler stopped it; None: no answer to that is due.
    """

    command: HandOutPart
    handed_at: float
    stopped_at: float | None = None

    @property
    def key(self) -> tuple[int, int]:
        """Part, in the search's own numbers, and attempt."""
        return self.command.part, self.command.generation


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
        party: its sessions may lie together (confirming.py); empty: this process, which is
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
