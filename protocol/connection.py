"""Connections: bytes and time in, events and bytes out.

Knows the order of messages, the deadlines and the limits of a link, for both roles. It reads no
clock, opens no socket and never waits: its caller

* calls `tick(now)` once at the start, and again whenever `next_deadline` has come;
* hands every byte received to `receive`, and the end of the stream to `receive_eof`;
* while `has_input`, reads no more, and calls `receive` again in each turn, if `is_listening`;
* writes what `bytes_to_send` returns, after each of these calls and `send`, or calls
  `record_stall`;
* closes the transport once `is_closed`, after a last `bytes_to_send`.

No bytes of the peer make these methods raise. `send` raises LocalProtocolError for our mistakes.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from protocol.codec import ANALYSER_CODEC
from protocol.codes import LocalProtocolError, ProtocolError, ReplyCode
from protocol.events import (
    LineRejected,
    LinkEvent,
    MessageReceived,
    PeerClosed,
    ProtocolFailed,
    UnknownPartReceived,
)
from protocol.messages import (
    REQUEST_TYPES,
    RESULT_TYPES,
    RESULT_VERBS,
    VERSION,
    VERSION_MAJOR,
    Ack,
    AnalyserHello,
    Busy,
    Engine,
    Entries,
    Error,
    Help,
    Info,
    MasterHello,
    Message,
    PartRequest,
    PartResult,
    Question,
    Ready,
    Search,
    Trials,
)
from protocol.plain import (
    DEFAULT_TIMING,
    OUT_BYTES_HIGH,
    Connection,
    Timing,
)
from protocol.session import AnalyserSession, MasterSession
from protocol.session_secret import is_same_session, public_session_id
from protocol.states import LEGAL, Legal, LinkState, Role
from protocol.usage import usage_lines

__all__ = [
    "AnalyserSide",
    "Connection",
    "LineRejected",
    "LinkEvent",
    "MasterSide",
    "MessageReceived",
    "PeerClosed",
    "ProtocolFailed",
    "Timing",
    "UnknownPartReceived",
]


Reactions = dict[type[Message], Callable[[Any], LinkEvent | None]]


class _Side(Connection, ABC):
    """A link with a role: the table of states decides what may come and go."""

    role: Role
    peer_role: Role

    def __init__(self, state: LinkState, timing: Timing) -> None:
        super().__init__(ANALYSER_CODEC, timing)
        self._state = state
        self._state_since: float | None = None
        self._reactions = self._legal_reactions()
        self._may_send: Legal = LEGAL[self.role][state]
        self._may_come: Legal = LEGAL[self.peer_role][state]

    @property
    def state(self) -> LinkState:
        """Where the life of the connection stands."""
        return LinkState.CLOSED if self._is_closed else self._state

    @property
    def is_settled(self) -> bool:
        return self._state in (LinkState.WORKING, LinkState.DRAINING)

    def _next_deadline(self, heard_at: float) -> float:
        if self._state_since is None or self._state in (LinkState.WORKING, LinkState.DRAINING):
            return super()._next_deadline(heard_at)
        own = self._state_since + self._state_max_s()
        if self._state is LinkState.LOADING:
            return min(own, super()._next_deadline(heard_at))
        return own

    def _state_max_s(self) -> float:
        is_loading = self._state is LinkState.LOADING
        return self._timing.loading_s if is_loading else self._timing.handshake_s

    def _check_deadlines(self, now: float, heard_at: float) -> LinkEvent | None:
        if self._state_since is None:
            self._state_since = now
        if self._state in (LinkState.WORKING, LinkState.DRAINING):
            return super()._check_deadlines(now, heard_at)
        if now >= self._state_since + self._state_max_s():
            return self._fail(ReplyCode.HANDSHAKE_TIMEOUT, f"still {self._state.value}")
        if self._state is LinkState.LOADING:
            return super()._check_deadlines(now, heard_at)
        return None

    def _check_send(self, message: Message) -> LinkState:
        if self._is_closed:
            raise LocalProtocolError("the connection is closed")
        state = self._may_send.get(type(message))
        if state is None:
            raise LocalProtocolError(f"{message.verb} is not allowed while {self._state.value}")
        return state

    def send(self, message: Message) -> None:
        """Queue one message.

        Raises:
            LocalProtocolError: it is not allowed now; nothing was queued.
        """
        state = self._check_send(message)
        self._put(self._codec.encode(message))
        self._move(state)

    def _move(self, state: LinkState) -> None:
        if state is self._state:
            return
        self._state = state
        self._may_send = LEGAL[self.role][state]
        self._may_come = LEGAL[self.peer_role][state]
        if state is LinkState.CLOSED:
            self._is_closed = True

    def _receive_message(self, message: Message, now: float) -> LinkEvent | None:
        kind = type(message)
        state = self._may_come.get(kind)
        if state is None:
            text = f"{message.verb} is not allowed while {self._state.value}"
            return self._fail(ReplyCode.WRONG_ORDER, text)
        react = self._reactions.get(kind)
        try:
            event = None if react is None else react(message)
        except ProtocolError as error:
            return self._fail(error.code, error.text)
        if event is None:
            event = super()._receive_message(message, now)
        if state is not self._state and not self._is_closed:
            self._move(state)
            self._state_since = now
        return event

    @abstractmethod
    def _legal_reactions(self) -> Reactions:
        """Return what to do about messages of one role; None leaves them to every link's rules."""


def _check_version(version: str) -> None:
    if int(version.partition(".")[0]) != VERSION_MAJOR:
        raise ProtocolError(ReplyCode.WRONG_VERSION, f"{version} here is {VERSION}")


def is_offered(greeting: AnalyserHello, secret: str) -> bool:
    """Whether an analyser's greeting offers to go on with the session of this secret."""
    return is_same_session(public_session_id(secret), greeting.session)


class MasterSide(_Side):
    """The master's end of a link to one analyser.

    Args:
        session: what is remembered of this analyser, to go on after a break. It may also be set
            later, until MasterHello is sent; without one, sending MasterHello makes one.
    """

    role = Role.MASTER
    peer_role = Role.ANALYSER

    def __init__(
        self, session: MasterSession | None = None, timing: Timing = DEFAULT_TIMING
    ) -> None:
        super().__init__(LinkState.GREETING, timing)
        self.session = session
        self.greeting: AnalyserHello | None = None
        self._services = {Trials.verb}  # of all its engines; what one has that names none

    @property
    def is_resumed(self) -> bool:
        """The session goes on from an earlier connection: its outstanding parts still run."""
        greeting, session = self.greeting, self.session
        return bool(greeting and session and is_offered(greeting, session.name))

    def send(self, message: Message) -> None:
        """Queue one message; raise LocalProtocolError if it is not allowed now, and queue none."""
        state = self._check_send(message)
        line = self._codec.encode(message)
        if isinstance(message, REQUEST_TYPES):
            self._open(message, line)
        elif isinstance(message, Entries):
            self._check_offered(Search.verb, line)
        elif isinstance(message, MasterHello):
            self._start_session(message)
        elif isinstance(message, Ack):
            self._own_session().ack(message.count)
        self._put(line)
        self._move(state)

    def _own_session(self) -> MasterSession:
        assert self.session is not None, "set when MasterHello was sent"
        return self.session

    def _open(self, message: PartRequest, line: bytes) -> None:
        if self._state is LinkState.DRAINING:
            raise LocalProtocolError("no new part while draining")
        service = message.service if type(message) is Question else message.verb
        self._check_offered(service, line)
        self._own_session().open(message)

    def _check_offered(self, service: str, line: bytes) -> None:
        assert self.greeting is not None, "no request before the greeting"
        if service not in self._services:
            raise LocalProtocolError(f"the analyser does not offer {service}")
        if len(line) > self.greeting.line_bytes_max:
            raise LocalProtocolError("the analyser takes no line as long as this")

    def _start_session(self, hello: MasterHello) -> None:
        if self.session is None:
            self.session = MasterSession(hello.session, hello.received)
        if (hello.session, hello.received) != (self.session.name, self.session.received):
            raise LocalProtocolError("the hello names another session than the connection has")
        if hello.received and not self.is_resumed:
            raise LocalProtocolError("a new session starts with no result received")

    def _reject(self, error: ProtocolError, line: str) -> LinkEvent:
        if self._state is LinkState.GREETING:
            return self._fail(ReplyCode.NOT_MANYPLY, "no greeting of an analyser came")
        if line.partition(" ")[0] in RESULT_VERBS:  # it cannot be counted: later ones would misfit
            return self._fail(ReplyCode.BAD_RESULT, f"{error.code.value}: {error.text}")
        return super()._reject(error, line)

    def _legal_reactions(self) -> Reactions:
        results: Reactions = dict.fromkeys(RESULT_TYPES, self._receive_result)
        return results | {
            AnalyserHello: self._receive_greeting,
            Engine: self._receive_offer,
            Busy: self._receive_refusal,
        }

    def _receive_result(self, result: PartResult) -> LinkEvent:
        is_known = self._own_session().count(result)
        return MessageReceived(result) if is_known else UnknownPartReceived(result)

    def _receive_greeting(self, hello: AnalyserHello) -> None:
        _check_version(hello.version)
        self.greeting = hello

    def _receive_offer(self, engine: Engine) -> None:
        self._services.update(engine.services)

    def _receive_refusal(self, busy: Busy) -> LinkEvent:
        self._is_closed = True
        return PeerClosed(f"busy, serves {busy.by}")


class AnalyserSide(_Side):
    """The analyser's end of a link; its greeting is queued from the start.

    Args:
        hello: the greeting; its session fields are filled in from `session`.
        session: the analyser's memory of results, shared by all its connections.
    """

    role = Role.ANALYSER
    peer_role = Role.MASTER

    def __init__(
        self,
        hello: AnalyserHello,
        session: AnalyserSession | None = None,
        timing: Timing = DEFAULT_TIMING,
    ) -> None:
        super().__init__(LinkState.GREETING, timing)
        self.session = AnalyserSession() if session is None else session
        self.master: MasterHello | None = None
        self._is_resumed = False
        self._resend_from: int | None = None  # ordinal of the next result to be sent again
        session_fields = {
            "session": public_session_id(self.session.name),
            "unacked_max": self.session.unacked_max,
            "first_unacked": self.session.first_unacked,
        }
        self.send(hello.model_copy(update=session_fields))

    @property
    def is_resumed(self) -> bool:
        """The master goes on with the session held: parts taken before still run for it."""
        return self._is_resumed

    @property
    def has_output(self) -> bool:
        """`bytes_to_send` would return something."""
        return self._out_bytes > 0 or self._resend_from is not None

    def send(self, message: Message) -> None:
        """Queue one message.

        A result is counted and kept at once, and goes out as soon as a connection of its session
        works: before `ready` and after the end of a connection this is no error.

        Raises:
            LocalProtocolError: it is not allowed now; nothing was queued.
        """
        if isinstance(message, RESULT_TYPES):
            self._send_result(message)
            return
        state = self._check_send(message)
        if isinstance(message, Info | Error):
            self._answer(message)
        else:
            self._put(self._codec.encode(message))
        if isinstance(message, Ready):
            self._start_session()
        self._move(state)

    def send_or_drop(self, message: Message) -> None:
        """Queue one message; if the connection is over, keep a result and drop anything else."""
        if not self._is_closed or isinstance(message, RESULT_TYPES):
            self.send(message)

    def _send_result(self, result: PartResult) -> None:
        line = self.session.keep(result)
        is_open = self._state in (LinkState.WORKING, LinkState.DRAINING) and not self._is_closed
        if is_open and self._resend_from is None:
            self._put(line)

    def _start_session(self) -> None:
        assert self.master is not None, "ready is legal only behind the hello"
        if not self.is_resumed:
            self.session.restart(self.master.session)
        elif self.master.received < self.session.result_count:
            self._resend_from = self.master.received + 1

    def bytes_to_send(self) -> bytes:
        """Take all bytes queued for the peer, and the next of the results to be sent again."""
        if self._resend_from is not None and not self._is_closed:
            ordinal = max(self._resend_from, self.session.first_unacked)
            lines = self.session.lines_from(ordinal, OUT_BYTES_HIGH)
            for line in lines:
                self._put(line)
            ordinal += len(lines)
            is_done = ordinal > self.session.result_count
            self._resend_from = None if is_done else ordinal
        return super().bytes_to_send()

    def _legal_reactions(self) -> Reactions:
        requests: Reactions = dict.fromkeys(REQUEST_TYPES, self._receive_request)
        return requests | {
            Ack: self._receive_ack,
            MasterHello: self._receive_hello,
            Help: self._answer_help,
        }

    def _receive_request(self, request: PartRequest) -> None:
        self.session.open(request)

    def _receive_ack(self, ack: Ack) -> None:
        self.session.ack(ack.count)

    def _receive_hello(self, hello: MasterHello) -> None:
        _check_version(hello.version)
        self.master = hello
        self._is_resumed = is_same_session(hello.session, self.session.name)
        if self._is_resumed:
            self.session.check_resume(hello.received)
        elif hello.received:
            raise ProtocolError(ReplyCode.BAD_RESUME, "that session is not held here")

    def _answer_help(self, _: Help) -> None:
        for info in usage_lines():
            self._answer(info)
