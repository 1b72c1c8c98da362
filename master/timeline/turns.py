"""Translation of schedulers' turns and searches' messages into calls of a timeline."""

from __future__ import annotations

from collections.abc import Sequence

from master.contract.commands import Command, HandOut, Quarantine, StopPart
from master.contract.events import (
    TRIALS,
    AnalyserLost,
    AnalyserReady,
    AnalyserResized,
    Event,
    JobSubmitted,
    Outcome,
    PartEnded,
    TrialsArrived,
)
from master.contract.reading import Work
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
from master.search.running.run import Send
from master.timeline.journal import TimelineRecorder
from master.timeline.spans import Ending, Kind
from master.timeline.timeline import Part, Timeline
from protocol.messages import Search, Stop


class LiveSearches:
    """Passes the messages of all searches of a master on to a timeline."""

    def __init__(self, timeline: TimelineRecorder) -> None:
        self._timeline = timeline

    def begin(self, search: int, game: str) -> None:
        """A search begins."""
        self._timeline.name(Kind.SEARCH, search, game)

    def send(self, search: int, sent: Send, now: float) -> None:
        """A session is sent a message."""
        timeline, message = self._timeline, sent.message
        if isinstance(message, Search):
            timeline.advance(now)
            part = Part(Kind.SEARCH, search, message.part, message.attempt, is_urgent=True)
            timeline.hand_out(sent.session, part)
        elif isinstance(message, Stop):
            timeline.advance(now)
            timeline.ask_to_stop(message.part, message.attempt, is_shot=sent.is_shot)

    def receive(self, work: Sequence[Work], now: float) -> None:
        """A session has replied about parts of searches."""
        for ended in work:
            if isinstance(ended, PartEnded):
                self._timeline.advance(now)
                self._timeline.end(ended.part, ended.attempt, ENDINGS[ended.outcome])


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


ENDINGS = {
    Outcome.DONE: Ending.DONE,
    Outcome.STOPPED: Ending.STOPPED,
    Outcome.FAIL: Ending.FAILED,
}

_TRIALS, _QUESTION = int(Kind.TRIALS), int(Kind.QUESTION)  # to look them up takes 50 ns

CARRIED_OUT = frozenset({HandOut, StopPart, Quarantine})


class JobTurns:
    """Passes the events and commands of the job scheduler on to a timeline."""

    def __init__(self, timeline: TimelineRecorder) -> None:
        self._timeline = timeline

    def turn(self, now: float, events: Sequence[Event], commands: Sequence[Command]) -> None:
        """Receive a turn of the scheduler.

        Most turns bring only results, which a timeline ignores: they cost no more than the check.
        """
        timeline, is_new, gone = self._timeline, True, None
        for event in events:
            if type(event) is TrialsArrived:
                continue
            if is_new:
                timeline.advance(now)
                is_new = False
            if type(event) is PartEnded:
                timeline.end(event.part, event.attempt, ENDINGS[event.outcome])
            elif isinstance(event, AnalyserLost) and (event.grace_s <= 0.0 or event.breach):
                gone = [*(gone or ()), event.analyser]
            else:
                _tell(timeline, event, now)
        for command in commands:
            if type(command) in CARRIED_OUT:
                if is_new:
                    timeline.advance(now)
                    is_new = False
                _carry_out(timeline, command)
        for analyser in gone or ():
            timeline.go(analyser)  # parts that the same turn handed to it are lost, too


def _tell(timeline: TimelineRecorder, event: Event, now: float) -> None:
    """Pass an event on, but not PartEnded."""
    if isinstance(event, AnalyserReady):
        timeline.come(event.analyser, event.name, event.workers)
    elif isinstance(event, AnalyserResized):
        timeline.resize(event.analyser, event.workers)
    elif isinstance(event, AnalyserLost):
        timeline.be_away(event.analyser, now + event.grace_s)
    elif isinstance(event, JobSubmitted):
        spec = event.spec
        kind = Kind.TRIALS if spec.service == TRIALS else Kind.QUESTION
        timeline.name(kind, spec.job, spec.game)


def _carry_out(timeline: TimelineRecorder, command: Command) -> None:
    if type(command) is HandOut:
        part = Part(
            _TRIALS if command.service == TRIALS else _QUESTION, command.job, command.part,
            command.attempt, command.first_seq, command.count, command.is_urgent,
        )  # fmt: skip
        timeline.hand_out(command.analyser, part)
    elif isinstance(command, StopPart):
        timeline.ask_to_stop(command.part, command.attempt)
    elif isinstance(command, Quarantine):
        timeline.go(command.analyser)
