"""The sessions of a search: a record for each."""

from collections.abc import Collection
from dataclasses import dataclass, field

from master.contract.rate import RateMeter
from master.search.events import TableEntry
from master.search.known_entries import KnownEntries


@dataclass(slots=True, eq=False)
class SearchSession:
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


def why_nobody(sessions: Collection[SearchSession]) -> str:
    """Return why none of the sessions that came can be used, for people; empty: it is not so."""
    refusals = [f"{session.name}: {session.refusal}" for session in sessions if session.refusal]
    return "; ".join(refusals) if len(refusals) == len(sessions) else ""
