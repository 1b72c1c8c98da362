"""States of a connection, and the table of legal messages for each role.

Knows which message may come or go in which state and the state behind it. Pings, errors and bye are
legal behind the greeting and stand in the table once.
"""

from enum import Enum

from protocol.messages import (
    REQUEST_TYPES,
    RESULT_TYPES,
    Ack,
    AnalyserHello,
    Busy,
    Bye,
    Drain,
    Engine,
    Entries,
    Error,
    Help,
    Info,
    MasterHello,
    Message,
    Ping,
    Pong,
    Progress,
    Ready,
    Status,
    Stop,
    Who,
)


class Role(Enum):
    """Which side of the link speaks."""

    MASTER = "master"
    ANALYSER = "analyser"


class State(Enum):
    """Where the life of a connection stands; both sides go through the same states."""

    GREETING = "greeting"  # the analyser's hello is due
    ANSWERING = "answering"  # the master's hello is due
    LOADING = "loading"  # the analyser loads its engines; `ready` or `busy` is due
    WORKING = "working"  # parts and results
    DRAINING = "draining"  # no new parts; outstanding ones are finished
    CLOSED = "closed"


Legal = dict[type[Message], State]


def _stay(state: State, *message_types: type[Message]) -> Legal:
    return dict.fromkeys(message_types, state)


_BY_HAND = (Help, Who, Status)


def _anywhere(state: State) -> Legal:
    return _stay(state, Ping, Pong, Error) | {Bye: State.CLOSED}


# _LEGAL[role of the sender][state] = what it may send, and the state behind it.
_LEGAL: dict[Role, dict[State, Legal]] = {
    Role.ANALYSER: {
        State.GREETING: {AnalyserHello: State.ANSWERING},
        State.ANSWERING: _stay(State.ANSWERING, Info) | {Busy: State.CLOSED},
        State.LOADING: _stay(State.LOADING, Engine, Info)
        | {Ready: State.WORKING, Busy: State.CLOSED},
        State.WORKING: _stay(State.WORKING, Engine, Progress, Entries, Info, *RESULT_TYPES)
        | {Drain: State.DRAINING},
        State.DRAINING: _stay(State.DRAINING, Progress, Entries, Info, Drain, *RESULT_TYPES),
        State.CLOSED: {},
    },
    Role.MASTER: {
        State.GREETING: {},
        State.ANSWERING: _stay(State.ANSWERING, *_BY_HAND) | {MasterHello: State.LOADING},
        State.LOADING: _stay(State.LOADING, *_BY_HAND),
        State.WORKING: _stay(State.WORKING, *REQUEST_TYPES, Entries, Stop, Ack, *_BY_HAND)
        | {Drain: State.DRAINING},
        # The analyser's `drain` may cross the master's requests: they are answered by `fail`.
        State.DRAINING: _stay(State.DRAINING, *REQUEST_TYPES, Entries, Stop, Ack, Drain, *_BY_HAND),
        State.CLOSED: {},
    },
}

_BARE = (State.GREETING, State.CLOSED)  # nothing comes before the greeting

LEGAL: dict[Role, dict[State, Legal]] = {
    role: {
        state: legal if state in _BARE else _anywhere(state) | legal
        for state, legal in table.items()
    }
    for role, table in _LEGAL.items()
}
