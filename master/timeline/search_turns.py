"""Translation of a search scheduler's turns into calls of a timeline: each searcher is a worker."""

from __future__ import annotations

from collections.abc import Sequence

from master.search.events import (
    AnalyserCame,
    AnalyserWent,
    DropAnalyser,
    HandOutPart,
    SearchAnswered,
    SearchCommand,
    SearchEvent,
    SearchFailed,
    SearchPartEnded,
    StopSearchPart,
)
from master.timeline.spans import Ending, Kind
from master.timeline.timeline import Part, Timeline

SEARCH = 1
"""The number of the one search of such a timeline: each numbers its parts from 1."""


class SearchTurns:
    """Passes the events and commands of one search's scheduler on to a timeline.

    Args:
        timeline: of nothing else.
        workers: so many searchers after each other are one analyser's.
    """

    def __init__(self, timeline: Timeline, workers: int = 1) -> None:
        self._timeline = timeline
        self._workers = workers
        self._held: dict[int, dict[tuple[int, int], None]] = {}  # by searcher

    def turn(
        self, now: float, events: Sequence[SearchEvent], commands: Sequence[SearchCommand]
    ) -> None:
        """Receive a turn of the scheduler."""
        self._timeline.advance(now)
        for event in events:
            self._tell(event)
        for command in commands:
            self._carry_out(command)

    def _tell(self, event: SearchEvent) -> None:
        if isinstance(event, AnalyserCame):
            self._come(event.analyser)
        elif isinstance(event, AnalyserWent):
            self._go(event.analyser)
        elif isinstance(event, SearchPartEnded):
            self._held.get(event.analyser, {}).pop((event.part, event.generation), None)
            self._timeline.end(event.part, event.generation)

    def _carry_out(self, command: SearchCommand) -> None:
        if isinstance(command, HandOutPart):
            self._hand_out(command)
        elif isinstance(command, StopSearchPart):
            self._timeline.ask_to_stop(command.part, command.generation, is_shot=command.is_shot)
        elif isinstance(command, DropAnalyser):
            self._go(command.analyser)
        elif isinstance(command, SearchAnswered | SearchFailed):
            self._end_all()

    def _hand_out(self, command: HandOutPart) -> None:
        held = self._held.get(command.analyser)
        if held is not None:
            held[command.part, command.generation] = None
            part = Part(Kind.SEARCH, SEARCH, command.part, command.generation, command.depth)
            self._timeline.hand_out(self._session(command.analyser), part)

    def _come(self, searcher: int) -> None:
        session = self._session(searcher)
        others = self._present(session)
        self._held.setdefault(searcher, {})
        if others:
            self._timeline.resize(session, others + 1)
        else:
            self._timeline.come(session, f"{session}", 1)

    def _end_all(self) -> None:
        """End everything: the answer is known, and later replies are not waited for."""
        for held in self._held.values():
            for part, generation in held:
                self._timeline.end(part, generation, Ending.STOPPED)
        for session in {self._session(searcher) for searcher in self._held}:
            self._timeline.go(session)
        self._held.clear()

    def _go(self, searcher: int) -> None:
        held = self._held.pop(searcher, None)
        if held is None:
            return
        for part, generation in held:
            self._timeline.end(part, generation, Ending.LOST)
        session = self._session(searcher)
        others = self._present(session)
        if others:
            self._timeline.resize(session, others)
        else:
            self._timeline.go(session)

    def _session(self, searcher: int) -> int:
        return (searcher - 1) // self._workers + 1

    def _present(self, session: int) -> int:
        return sum(self._session(searcher) == session for searcher in self._held)
