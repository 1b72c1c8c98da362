"""States of a connection, and the table of legal messages for each role.

The table gives, for each state, the legal messages and the state that follows each. Pings, errors
and bye are legal in every state after the greeting, so one function adds them.
"""

from enum import Enum

from protocol.messages import (
    REQUEST_TYPES,
    RESULT_TYPES,
    Ack,
    AnalyserHello,
    Busy,
    Bye,
    Challenge,
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
    Response,
    Status,
    Stop,
    Who,
)


class Role(Enum):
    """The side of a link that sends a message."""

    MASTER = "master"
    ANALYSER = "analyser"


class LinkState(Enum):
    """The state of a connection; both sides go through the same states."""

    GREETING = "greeting"  # the analyser's hello is due, or its challenge
    CHALLENGED = "challenged"  # the master's response is due
    PROVING = "proving"  # the analyser's hello is due, with its proof
    ANSWERING = "answering"  # the master's hello is due
    LOADING = "loading"  # the analyser loads its engines; `ready` or `busy` is due
    WORKING = "working"  # parts and results
    DRAINING = "draining"  # no new parts; outstanding ones are finished
    CLOSED = "closed"


Legal = dict[type[Message], LinkState]


def _stay(state: LinkState, *message_types: type[Message]) -> Legal:
    return dict.fromkeys(message_types, state)


_BY_HAND = (Help, Who, Status)


def _anywhere(state: LinkState) -> Legal:
    return _stay(state, Ping, Pong, Error) | {Bye: LinkState.CLOSED}


def _before_greeting(state: LinkState) -> Legal:
    return _stay(state, Error) | {Bye: LinkState.CLOSED}


_LEGAL: dict[Role, dict[LinkState, Legal]] = {
    Role.ANALYSER: {
        LinkState.GREETING: _stay(LinkState.GREETING, Error)
        | {AnalyserHello: LinkState.ANSWERING, Challenge: LinkState.CHALLENGED},
        LinkState.CHALLENGED: _before_greeting(LinkState.CHALLENGED),
        LinkState.PROVING: _before_greeting(LinkState.PROVING)
        | {AnalyserHello: LinkState.ANSWERING},
        LinkState.ANSWERING: _stay(LinkState.ANSWERING, Info) | {Busy: LinkState.CLOSED},
        LinkState.LOADING: _stay(LinkState.LOADING, Engine, Info)
        | {Ready: LinkState.WORKING, Busy: LinkState.CLOSED},
        LinkState.WORKING: _stay(
            LinkState.WORKING, Engine, Ready, Progress, Entries, Info, *RESULT_TYPES
        )
        | {Drain: LinkState.DRAINING},
        # The master's `drain` may cross the analyser's `engine` and `ready` lines.
        LinkState.DRAINING: _stay(
            LinkState.DRAINING, Engine, Ready, Progress, Entries, Info, Drain, *RESULT_TYPES
        ),
        LinkState.CLOSED: {},
    },
    Role.MASTER: {
        LinkState.GREETING: _stay(LinkState.GREETING, Error),
        LinkState.CHALLENGED: _before_greeting(LinkState.CHALLENGED)
        | {Response: LinkState.PROVING},
        LinkState.PROVING: _before_greeting(LinkState.PROVING),
        LinkState.ANSWERING: _stay(LinkState.ANSWERING, *_BY_HAND)
        | {MasterHello: LinkState.LOADING},
        LinkState.LOADING: _stay(LinkState.LOADING, *_BY_HAND),
        LinkState.WORKING: _stay(LinkState.WORKING, *REQUEST_TYPES, Entries, Stop, Ack, *_BY_HAND)
        | {Drain: LinkState.DRAINING},
        # The analyser's `drain` may cross the master's requests: they are answered by `fail`.
        LinkState.DRAINING: _stay(
            LinkState.DRAINING, *REQUEST_TYPES, Entries, Stop, Ack, Drain, *_BY_HAND
        ),
        LinkState.CLOSED: {},
    },
}
"""_LEGAL[role of the sender][state] = the messages it may send, and the state after each."""

_BARE = (LinkState.GREETING, LinkState.CHALLENGED, LinkState.PROVING, LinkState.CLOSED)
"""States in which no ping is legal: those before the greeting, and the end."""

LEGAL: dict[Role, dict[LinkState, Legal]] = {
    role: {
        state: legal if state in _BARE else _anywhere(state) | legal
        for state, legal in table.items()
    }
    for role, table in _LEGAL.items()
}
