"""The seats of a search and what they have been handed, as far as the search's run knows them.

Knows records and how they are shown.  Must not know the scheduler or messages.
"""

from collections.abc import Collection, Container, Iterable
from dataclasses import dataclass, field

from master.contract.rate import RateMeter
from master.contract.search_views import HotSpot, SearcherLine
from master.search.commands import HandOutPart
from master.search.events import TableEntry
from master.search.tree_paths import TreePaths

ENTRIES_MAX = 1 << 16
"""Table entries remembered as told, 10 MB; to be told some twice does no harm."""

RUNNING_SHOWN_MAX = 64
"""Running parts of one standing; a terminal has fewer lines."""


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
        is_silent: it is done without until it says something.
        told: contents of table entries that its table has, by their keys, as far as is remembered.
        party: who may lie with one voice (confirming.py); empty: this process, which is believed.
    """

    number: int
    name: str
    meter: RateMeter
    worker_count: int = 0
    workers: list[int] = field(default_factory=list)
    nodes: int = 0
    refusal: str = ""
    is_silent: bool = False
    told: dict[bytes, bytes] = field(default_factory=dict)
    party: str = ""

    def news_of(self, entries: tuple[TableEntry, ...]) -> tuple[TableEntry, ...]:
        """Return the table entries that its table has not, as far as is remembered."""
        if len(self.workers) == 1:
            return entries  # the scheduler sends a worker nothing twice
        if len(self.told) > ENTRIES_MAX:
            self.told.clear()
        news = tuple(one for one in entries if self.told.get(one[0]) != one[2])
        self.told.update((key, content) for key, _, content in news)
        return news

    def line(self, all_handed: Iterable["Handed"], now: float) -> SearcherLine:
        """Return how it stands."""
        self.meter.record(now, self.nodes)
        parts = sum(handed.seat is self for handed in all_handed)
        return SearcherLine(self.name, len(self.workers), parts, self.nodes, self.meter.per_s())


@dataclass(slots=True, eq=False)
class Handed:
    """One handing-out without its final reply.

    Args:
        seat: who has it.
        command: what was handed out.
        since: when.
        is_stopping: it was told to stop...
        stopped_at: ... by the scheduler, at this time; None: no answer to that is due.
        answer: which has come already.
    """

    seat: SearchSeat
    command: HandOutPart
    since: float
    is_stopping: bool = False
    stopped_at: float | None = None
    answer: str | None = None


def why_nobody(seats: Collection[SearchSeat]) -> str:
    """Return why none of the seats that came can be used, for people; empty: it is not so."""
    refusals = [f"{seat.name}: {seat.refusal}" for seat in seats if seat.refusal]
    return "; ".join(refusals) if len(refusals) == len(seats) else ""


def running_parts(
    all_handed: Iterable[Handed], workers: Container[int], paths: TreePaths, now: float
) -> tuple[HotSpot, ...]:
    """Return what is searched by workers that are there, the oldest first."""
    running = [
        handed
        for handed in all_handed
        if not handed.is_stopping and handed.command.analyser in workers
    ]
    running.sort(key=lambda handed: handed.since)
    return tuple(
        HotSpot(
            handed.seat.name,
            paths.path(handed.command.position),
            handed.command.depth,
            now - handed.since,
        )
        for handed in running[:RUNNING_SHOWN_MAX]
    )
