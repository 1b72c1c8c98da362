"""A search's outstanding attempts: each until its final reply."""

from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import dataclass

from master.contract.search_views import HotSpot, SearcherLine
from master.search.commands import HandOutPart
from master.search.running.actions import Send
from master.search.running.numbering import to_wire
from master.search.running.search_sessions import SearchSession
from master.search.running.tree_paths import TreePaths
from protocol.messages import Stop

STOP_S_MAX = 2.0
"""After so long without an answer to a stop, an analyser gets no parts until it sends something: a
stopped process, a machine that sleeps.  Its link is kept; a silent link is ended elsewhere."""

RUNNING_SHOWN_MAX = 64
"""Running parts in one view; a terminal has fewer lines."""


@dataclass(slots=True, eq=False)
class Handed:
    """An attempt without its final reply.

    Args:
        session: its session.
        command: the scheduler's command.
        since: when it was handed out.
        is_stopping: it was asked to stop...
        stopped_at: ... by the scheduler, at this time; None: no answer to that is due.
        answer: its answer, if it has come already.
    """

    session: SearchSession
    command: HandOutPart
    since: float
    is_stopping: bool = False
    stopped_at: float | None = None
    answer: str | None = None


class Dispatches:
    """All attempts of one search that go on, in the order they began."""

    def __init__(self, search: int, paths: TreePaths) -> None:
        """Begin with none.

        Args:
            search: number of the search.
            paths: receives each position that is split.
        """
        self._search = search
        self._paths = paths
        self._handed: dict[tuple[int, int], Handed] = {}

    def add(self, session: SearchSession, command: HandOutPart, now: float) -> None:
        """Record that a session has been handed a part."""
        self._handed[command.part, command.generation] = Handed(session, command, now)

    def get(self, part: int, attempt: int) -> Handed | None:
        """Return an attempt, if it goes on."""
        return self._handed.get((part, attempt))

    def remove(self, handed: Handed) -> None:
        """Forget an attempt whose final reply has come."""
        del self._handed[handed.command.part, handed.command.generation]

    def stop(self, handed: Handed, is_shot: bool = False) -> Send:
        """Return the message that stops an attempt: its position may be split from now on.

        Args:
            handed: the attempt.
            is_shot: it is stopped as a hot spot.
        """
        handed.is_stopping = True
        command = handed.command
        self._paths.record_split(command.position, command.depth)
        part = to_wire(self._search, command.part)
        return Send(handed.session.number, Stop(part=part, attempt=command.generation), is_shot)

    def stop_all(self, session: SearchSession, are_stops_announced: bool = False) -> list[Send]:
        """Return messages that stop all parts of a session; a link may have lost a former stop."""
        return [
            self.stop(handed)
            for handed in self._of(session)
            if are_stops_announced or not handed.is_stopping
        ]

    def forgive(self, session: SearchSession) -> None:
        """Wait for no answers of a session to former stops."""
        for handed in self._of(session):
            handed.stopped_at = None

    def _of(self, session: SearchSession) -> Iterator[Handed]:
        return (handed for handed in self._handed.values() if handed.session is session)

    def held(self) -> Counter[int]:
        """Return how many parts each session has, by its number."""
        return Counter(handed.session.number for handed in self._handed.values())

    def silent(self, now: float) -> list[SearchSession]:
        """Return the sessions that owe an answer to a stop for too long."""
        late = (
            handed.session
            for handed in self._handed.values()
            if handed.stopped_at is not None and now - handed.stopped_at > STOP_S_MAX
        )
        return list({session.number: session for session in late}.values())

    def line(self, session: SearchSession, now: float) -> SearcherLine:
        """Return the state of a session."""
        session.meter.record(now, session.nodes)
        parts = sum(1 for _ in self._of(session))
        rate = session.meter.per_s()
        return SearcherLine(session.name, len(session.workers), parts, session.nodes, rate)

    def hot_spots(self, workers: Container[int], now: float) -> tuple[HotSpot, ...]:
        """Return the positions that present workers search, the oldest first."""
        running = [
            handed
            for handed in self._handed.values()
            if not handed.is_stopping and handed.command.analyser in workers
        ]
        running.sort(key=lambda handed: handed.since)
        return tuple(
            HotSpot(
                handed.session.name,
                self._paths.path(handed.command.position),
                handed.command.depth,
                now - handed.since,
            )
            for handed in running[:RUNNING_SHOWN_MAX]
        )
