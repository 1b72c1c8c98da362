"""The seats of a search: a record for each."""

from collections.abc import Collection
from dataclasses import dataclass, field

from master.contract.rate import RateMeter
from master.search.events import TableEntry
from master.search.told import Told


@dataclass(slots=True, eq=False)
class SearchSeat:
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
        told: table entries that its table has.
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
    told: Told = field(default_factory=Told)
    party: str = ""

    def news_of(self, entries: tuple[TableEntry, ...]) -> tuple[TableEntry, ...]:
        """Return the table entries that its table has not, as far as is remembered."""
        if len(self.workers) == 1:
            return entries  # the scheduler sends a worker nothing twice
        return self.told.news_of(entries)


def why_nobody(seats: Collection[SearchSeat]) -> str:
    """Return why none of the seats that came can be used, for people; empty: it is not so."""
    refusals = [f"{seat.name}: {seat.refusal}" for seat in seats if seat.refusal]
    return "; ".join(refusals) if len(refusals) == len(seats) else ""
