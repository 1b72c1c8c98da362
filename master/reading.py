"""What an analyser's messages mean to the scheduler.

Knows messages and the scheduler's events. Pure: it turns the one into the other and keeps nothing.
"""

from collections.abc import Iterable, Iterator

from master.events import Event as SchedulerEvent
from master.events import Outcome, PartEnded, Progressed, TrialsArrived, Values
from protocol.events import Event, LineRejected, MessageReceived
from protocol.messages import Done, Drain, Engine, Fail, Progress, Ready, Stopped, Trial

_OUTCOMES = {Done: Outcome.DONE, Stopped: Outcome.STOPPED}


def to_events(
    analyser: int, events: Iterable[Event]
) -> Iterator[SchedulerEvent | Engine | Ready | Drain | LineRejected]:
    """Yield what the events of an analyser's link mean, in order.

    Consecutive trials of an attempt become one event. What is about the analyser and not about its
    parts is yielded as it came. Results of parts that are gone are dropped, as are the ends of
    the connection, which the reader of the link sees for itself.
    """
    run: list[Values] = []
    part = attempt = first_seq = -1
    for event in events:
        if type(event) is MessageReceived:
            message = event.message
            if type(message) is Trial:
                if run and (part, attempt) == (message.part, message.attempt):
                    run.append(message.values)
                    continue
                if run:
                    yield TrialsArrived(analyser, part, attempt, first_seq, run)
                part, attempt, first_seq = message.part, message.attempt, message.seq
                run = [message.values]
                continue
            if run:
                yield TrialsArrived(analyser, part, attempt, first_seq, run)
                run = []
            if isinstance(message, Done | Stopped | Fail | Progress):
                yield _part_event(analyser, message)
            elif isinstance(message, Engine | Ready | Drain):
                yield message
        elif type(event) is LineRejected:
            yield event
    if run:
        yield TrialsArrived(analyser, part, attempt, first_seq, run)


def _part_event(analyser: int, message: Done | Stopped | Fail | Progress) -> PartEnded | Progressed:
    part, attempt = message.part, message.attempt
    if isinstance(message, Progress):
        return Progressed(analyser, part, attempt, message.steps)
    if isinstance(message, Fail):
        return PartEnded(analyser, part, attempt, Outcome.FAIL, 0, message.code, message.text)
    return PartEnded(analyser, part, attempt, _OUTCOMES[type(message)], message.count)
