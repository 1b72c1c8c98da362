"""Translation of an analyser's messages into the scheduler's events.  Pure."""

from collections.abc import Callable, Iterable
from typing import Any

from master.contract.events import (
    AnswerArrived,
    Outcome,
    PartEnded,
    Progressed,
    TrialsArrived,
    TrialValues,
)
from protocol.events import LineRejected, LinkEvent, MessageReceived
from protocol.messages import (
    Answer,
    Done,
    Drain,
    Engine,
    Entries,
    Fail,
    Message,
    Pong,
    Progress,
    Ready,
    Stopped,
    Trial,
)

Work = TrialsArrived | AnswerArrived | PartEnded | Progressed  # events about parts
AnalyserEvent = Work | Engine | Ready | Entries | Drain | Pong | LineRejected

_DONE = Outcome.DONE
"""To look a member up by its class takes 50 ns, for every part."""


def to_events(analyser: int, events: Iterable[LinkEvent]) -> list[AnalyserEvent]:
    """Return the meaning of events of an analyser's link, in order.

    Consecutive trials of an attempt become one event. Events about the analyser, not about its
    parts, are passed on unchanged. Results of parts that are gone are dropped, as are the ends of
    the connection, which the reader of the link sees for itself.
    """
    reported: list[AnalyserEvent] = []
    run: list[TrialValues] = []
    part = attempt = -1
    for event in events:
        if type(event) is MessageReceived:
            message = event.message
            if type(message) is Trial:
                if run and message.part == part and message.attempt == attempt:
                    run.append(message.values)
                    continue
                part, attempt, run = message.part, message.attempt, [message.values]
                reported.append(TrialsArrived(analyser, part, attempt, message.seq, run))
                continue
            run = []
            convert = _CONVERSIONS.get(type(message))
            if convert is not None:
                reported.append(convert(analyser, message))
        elif type(event) is LineRejected:
            reported.append(event)
    return reported


def _answered(analyser: int, message: Answer) -> AnalyserEvent:
    return AnswerArrived(analyser, message.part, message.attempt, message.text)


def _done(analyser: int, message: Done) -> AnalyserEvent:
    return PartEnded(analyser, message.part, message.attempt, _DONE, message.count)


def _stopped(analyser: int, message: Stopped) -> AnalyserEvent:
    return PartEnded(analyser, message.part, message.attempt, Outcome.STOPPED, message.count)


def _failed(analyser: int, message: Fail) -> AnalyserEvent:
    part, attempt = message.part, message.attempt
    return PartEnded(analyser, part, attempt, Outcome.FAIL, 0, message.code, message.text)


def _progressed(analyser: int, message: Progress) -> AnalyserEvent:
    return Progressed(analyser, message.part, message.attempt, message.steps)


def _as_it_is(analyser: int, message: AnalyserEvent) -> AnalyserEvent:
    return message


_CONVERSIONS: dict[type[Message], Callable[[int, Any], AnalyserEvent]] = {
    Answer: _answered,
    Done: _done,
    Stopped: _stopped,
    Fail: _failed,
    Progress: _progressed,
    Engine: _as_it_is,
    Ready: _as_it_is,
    Entries: _as_it_is,
    Drain: _as_it_is,
    Pong: _as_it_is,
}
