"""Translation of the job scheduler's turns into calls of a timeline."""

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
from master.timeline.journal import TimelineRecorder
from master.timeline.spans import Ending, Kind
from master.timeline.timeline import Part

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
