"""Connections: bytes and time in, events and bytes out.

Knows the order of messages, the deadlines and the limits of a link, for both roles. It reads no
clock, opens no socket and never waits: its caller

* calls `tick(now)` once at the start, and again whenever `next_deadline` has come;
* hands every byte received to `receive`, and the end of the stream to `receive_eof`;
* writes what `bytes_to_send` returns, after each of these calls and after `send`;
* closes the transport once `is_closed`, after a last `bytes_to_send`.

No bytes of the peer make these methods raise. `send` raises LocalProtocolError for our mistakes.
"""

from dataclasses import dataclass

from protocol.codec import ANALYSER_CODEC, Codec
from protocol.codes import CODES, LocalProtocolError, ProtocolError, ReplyCode
from protocol.events import (
    Event,
    LineRejected,
    MessageReceived,
    PeerClosed,
    ProtocolFailed,
    UnknownPartReceived,
)
from protocol.line import LineBuffer
from protocol.messages import (
    VERSION,
    VERSION_MAJOR,
    Ack,
    AnalyserHello,
    Busy,
    Bye,
    Done,
    Error,
    Fail,
    Help,
    MasterHello,
    Message,
    Ping,
    Pong,
    Ready,
    Stopped,
    Trial,
    Trials,
    to_text,
)
from protocol.session import AnalyserSession, MasterSession
from protocol.states import MOVES, Role, State
from protocol.usage import usage_lines

__all__ = [
    "AnalyserSide",
    "Connection",
    "Event",
    "LineRejected",
    "MasterSide",
    "MessageReceived",
    "PeerClosed",
    "ProtocolFailed",
    "Timing",
    "UnknownPartReceived",
]

BAD_LINES_MAX = 8  # enough for a person who mistypes, too few for a program that talks nonsense
OUT_BYTES_HIGH = 1 << 20  # `is_writable` turns false: several seconds of results on a slow line
OUT_BYTES_MAX = 16 << 20  # a peer that lets this much pile up is dropped as a slow reader
_KEEPALIVE = "keepalive-"  # starts the tokens of the pings that the connection sends by itself


@dataclass(frozen=True, slots=True)
class Timing:
    """Deadlines of a connection, in seconds."""

    ping_after_s: float = 5.0  # of silence
    dead_after_s: float = 15.0  # of silence, ping included
    handshake_s: float = 30.0  # for both hellos together; long enough to type one by hand
    loading_s: float = 120.0  # from the hellos to `ready`
    write_stall_s: float = 30.0  # with bytes to send of which the transport takes none


DEFAULT_TIMING = Timing()


class Connection:
    """A link without roles: framing, limits, ping and bye. The control socket uses it as it is."""

    def __init__(self, codec: Codec, timing: Timing = DEFAULT_TIMING) -> None:
        self._codec = codec
        self._timing = timing
        self._lines = LineBuffer(codec.line_bytes_max)
        self._bad_line_count = 0
        self._out: list[bytes] = []
        self._out_bytes = 0
        self._drain_count = 0  # calls of bytes_to_send
        self._stall: tuple[int, float] | None = None  # drain count and time of a pending output
        self._late_events: list[Event] = []  # of a failure inside `send`
        self._heard_at: float | None = None
        self._pinged_at: float | None = None
        self._ping_count = 0
        self._is_closed = False

    @property
    def is_closed(self) -> bool:
        """No further event will come, and nothing more can be sent."""
        return self._is_closed

    @property
    def is_writable(self) -> bool:
        """The outgoing buffer has room: whoever can wait should wait for this before `send`."""
        return self._out_bytes < OUT_BYTES_HIGH

    @property
    def has_output(self) -> bool:
        """`bytes_to_send` would return something."""
        return self._out_bytes > 0

    @property
    def next_deadline(self) -> float | None:
        """When `tick` is due next; None before the first call and after the end."""
        if self._late_events:
            return float("-inf")
        if self._is_closed or self._heard_at is None:
            return None
        return self._next_deadline(self._heard_at)

    def _next_deadline(self, heard_at: float) -> float:
        if self._pinged_at is not None:
            alive = self._pinged_at + self._timing.dead_after_s - self._timing.ping_after_s
        else:
            alive = heard_at + self._timing.ping_after_s
        if self._stall is not None:
            return min(alive, self._stall[1] + self._timing.write_stall_s)
        return alive

    def send(self, message: Message) -> None:
        """Queue one message.

        Raises:
            LocalProtocolError: it is not allowed now; nothing was queued.
        """
        if self._is_closed:
            raise LocalProtocolError("the connection is closed")
        self._put(self._codec.encode(message))
        if type(message) is Bye:
            self._is_closed = True

    def send_or_drop(self, message: Message) -> None:
        """Queue one message, or drop it if the connection is over."""
        if not self._is_closed:
            self.send(message)

    def bytes_to_send(self) -> bytes:
        """Take all bytes queued for the peer."""
        data = b"".join(self._out)
        self._out.clear()
        self._out_bytes = 0
        self._drain_count += 1
        return data

    def receive(self, data: bytes, now: float) -> list[Event]:
        """Take bytes of the peer; return what they mean, in order."""
        events = self._take_late_events()
        if self._is_closed:
            return events
        self._heard_at = now
        self._pinged_at = None
        for line in self._lines.feed(data):
            try:
                if isinstance(line, ReplyCode):
                    raise ProtocolError(line, CODES[line].meaning)
                message = self._codec.decode(line)
            except ProtocolError as error:
                events.append(self._reject(error))
            else:
                event = self._receive_message(message, now)
                if event is not None:
                    events.append(event)
            if self._is_closed:
                break
        return events + self._take_late_events()

    def receive_eof(self, now: float) -> list[Event]:
        """Take the end of the peer's stream."""
        events = self._take_late_events()
        if not self._is_closed:
            self._is_closed = True
            events.append(PeerClosed("the peer closed the connection"))
        return events

    def tick(self, now: float) -> list[Event]:
        """Note the time: start the clock, send a ping, or give up on a deadline missed."""
        events = self._take_late_events()
        if self._is_closed:
            return events
        if self._heard_at is None:
            self._heard_at = now
        event = self._check_deadlines(now, self._heard_at)
        if event is not None:
            events.append(event)
        return events

    def note_pause(self, now: float) -> None:
        """Tell that nothing was read for a while by our own choice, so silence proves nothing."""
        self._heard_at = now
        self._pinged_at = None

    def _take_late_events(self) -> list[Event]:
        events, self._late_events = self._late_events, []
        return events

    def _check_deadlines(self, now: float, heard_at: float) -> Event | None:
        timing = self._timing
        if self._is_stalled(now):
            return self._fail(ReplyCode.SLOW_READER, "the peer does not read")
        if self._pinged_at is not None:
            silence_max_s = timing.dead_after_s - timing.ping_after_s
            if now - self._pinged_at >= silence_max_s:
                return self._fail(ReplyCode.PEER_SILENT, f"silent for {now - heard_at:.1f} s")
        elif now - heard_at >= timing.ping_after_s:
            self._pinged_at = now
            self._ping_count += 1
            self._put(self._codec.encode(Ping(token=f"{_KEEPALIVE}{self._ping_count}")))
        return None

    def _is_stalled(self, now: float) -> bool:
        if not self._out:
            self._stall = None
        elif self._stall is None or self._stall[0] != self._drain_count:
            self._stall = (self._drain_count, now)
        return self._stall is not None and now - self._stall[1] >= self._timing.write_stall_s

    def _put(self, line: bytes) -> None:
        self._out.append(line)
        self._out_bytes += len(line)
        if self._out_bytes > OUT_BYTES_MAX and not self._is_closed:
            self._late_events.append(self._fail(ReplyCode.SLOW_READER, "too much is unread"))

    def _reject(self, error: ProtocolError) -> Event:
        self._bad_line_count += 1
        if self._bad_line_count > BAD_LINES_MAX:
            return self._fail(ReplyCode.TOO_MANY_ERRORS, str(error))
        text = to_text(error.text)
        self._put(self._codec.encode(Error(code=error.code.value, text=text)))
        return LineRejected(error.code.value, text)

    def _fail(self, code: ReplyCode, text: str) -> ProtocolFailed:
        """End the connection: whole lines still queued are dropped if the peer does not read."""
        if code is ReplyCode.SLOW_READER:
            self.bytes_to_send()
        self._is_closed = True
        self._put(self._codec.encode(Error(code=code.value, text=to_text(text))))
        return ProtocolFailed(code.value, to_text(text))

    def _receive_message(self, message: Message, now: float) -> Event | None:
        if isinstance(message, Ping):
            self._put(self._codec.encode(Pong(token=message.token)))
            return None
        if isinstance(message, Pong) and message.token.startswith(_KEEPALIVE):
            return None
        if isinstance(message, Bye):
            self._is_closed = True
            return PeerClosed(message.reason or "bye")
        if isinstance(message, Error) and message.code in CODES and CODES[message.code].is_closing:
            self._is_closed = True
            return PeerClosed(f"{message.code}: {message.text}")
        return MessageReceived(message)


class _Side(Connection):
    """A link with a role: the table of states decides what may come and go."""

    role: Role
    peer_role: Role

    def __init__(self, state: State, timing: Timing) -> None:
        super().__init__(ANALYSER_CODEC, timing)
        self._state = state
        self._state_since: float | None = None

    @property
    def state(self) -> State:
        """Where the life of the connection stands."""
        return State.CLOSED if self._is_closed else self._state

    def _next_deadline(self, heard_at: float) -> float:
        if self._state_since is None or self._state in (State.WORKING, State.DRAINING):
            return super()._next_deadline(heard_at)
        own = self._state_since + self._state_max_s()
        if self._state is State.LOADING:
            return min(own, super()._next_deadline(heard_at))
        return own

    def _state_max_s(self) -> float:
        is_loading = self._state is State.LOADING
        return self._timing.loading_s if is_loading else self._timing.handshake_s

    def _check_deadlines(self, now: float, heard_at: float) -> Event | None:
        if self._state_since is None:
            self._state_since = now
        if self._state in (State.WORKING, State.DRAINING):
            return super()._check_deadlines(now, heard_at)
        if now - self._state_since >= self._state_max_s():
            return self._fail(ReplyCode.HANDSHAKE_TIMEOUT, f"still {self._state.value}")
        if self._state is State.LOADING:
            return super()._check_deadlines(now, heard_at)
        return None

    def _check_send(self, message: Message) -> State:
        if self._is_closed:
            raise LocalProtocolError("the connection is closed")
        state = MOVES[self.role][self._state].get(type(message))
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

    def _move(self, state: State) -> None:
        self._state = state
        if state is State.CLOSED:
            self._is_closed = True

    def _receive_message(self, message: Message, now: float) -> Event | None:
        state = MOVES[self.peer_role][self._state].get(type(message))
        if state is None:
            text = f"{message.verb} is not allowed while {self._state.value}"
            return self._fail(ReplyCode.WRONG_ORDER, text)
        try:
            event = self._receive_legal(message)
        except ProtocolError as error:
            return self._fail(error.code, error.text)
        if event is None:
            event = super()._receive_message(message, now)
        if state is not self._state and not self._is_closed:
            self._move(state)
            self._state_since = now
        return event

    def _receive_legal(self, message: Message) -> Event | None:
        """Act on a message of one role; None leaves it to the rules of every link."""
        raise NotImplementedError


def _check_version(version: str) -> None:
    if int(version.partition(".")[0]) != VERSION_MAJOR:
        raise ProtocolError(ReplyCode.WRONG_VERSION, f"{version} here is {VERSION}")


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
        super().__init__(State.GREETING, timing)
        self.session = session
        self.greeting: AnalyserHello | None = None

    @property
    def is_resumed(self) -> bool:
        """The session goes on from an earlier connection: its outstanding parts still run."""
        greeting, session = self.greeting, self.session
        return bool(greeting and session and session.name and session.name == greeting.session)

    def send(self, message: Message) -> None:
        """Queue one message.

        Raises:
            LocalProtocolError: it is not allowed now; nothing was queued.
        """
        state = self._check_send(message)
        line = self._codec.encode(message)
        if isinstance(message, MasterHello):
            self._start_session(message)
        elif isinstance(message, Trials):
            self._open(message, line)
        elif isinstance(message, Ack):
            self._own_session().ack(message.count)
        self._put(line)
        self._move(state)

    def _own_session(self) -> MasterSession:
        assert self.session is not None, "set when MasterHello was sent"
        return self.session

    def _open(self, message: Trials, line: bytes) -> None:
        assert self.greeting is not None, "no request before the greeting"
        if self._state is State.DRAINING:
            raise LocalProtocolError("no new part while draining")
        if len(line) > self.greeting.line_bytes_max:
            raise LocalProtocolError("the analyser takes no line as long as this request")
        self._own_session().open(message)

    def _start_session(self, hello: MasterHello) -> None:
        if self.session is None:
            self.session = MasterSession(hello.session, hello.received)
        if (hello.session, hello.received) != (self.session.name, self.session.received):
            raise LocalProtocolError("the hello names another session than the connection has")
        if hello.received and not self.is_resumed:
            raise LocalProtocolError("a new session starts with no result received")

    def _reject(self, error: ProtocolError) -> Event:
        if self._state is State.GREETING:
            return self._fail(ReplyCode.NOT_MANYPLY, "no greeting of an analyser came")
        return super()._reject(error)

    def _receive_legal(self, message: Message) -> Event | None:
        if isinstance(message, Trial | Done | Stopped | Fail):
            is_known = self._own_session().count(message)
            return MessageReceived(message) if is_known else UnknownPartReceived(message)
        if isinstance(message, AnalyserHello):
            _check_version(message.version)
            self.greeting = message
        if isinstance(message, Busy):
            self._is_closed = True
            return PeerClosed(f"busy, serves {message.by}")
        return None


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
        super().__init__(State.GREETING, timing)
        self.session = AnalyserSession() if session is None else session
        self.master: MasterHello | None = None
        self._is_resumed = False
        self._resend_from: int | None = None  # ordinal of the next result to be sent again
        session_fields = {
            "session": self.session.name,
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
        if isinstance(message, Trial | Done | Stopped | Fail):
            self._send_result(message)
            return
        state = self._check_send(message)
        line = self._codec.encode(message)
        self._put(line)
        if isinstance(message, Ready):
            self._start_session()
        self._move(state)

    def send_or_drop(self, message: Message) -> None:
        """Queue one message; if the connection is over, keep a result and drop anything else."""
        if not self._is_closed or isinstance(message, Trial | Done | Stopped | Fail):
            self.send(message)

    def _send_result(self, result: Trial | Done | Stopped | Fail) -> None:
        line = self.session.keep(result)
        is_open = self._state in (State.WORKING, State.DRAINING) and not self._is_closed
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

    def _receive_legal(self, message: Message) -> Event | None:
        if isinstance(message, Trials):
            self.session.open(message)
        elif isinstance(message, Ack):
            self.session.ack(message.count)
        elif isinstance(message, MasterHello):
            _check_version(message.version)
            self.master = message
            self._is_resumed = bool(message.session) and message.session == self.session.name
            if self._is_resumed:
                self.session.check_resume(message.received)
            elif message.received:
                raise ProtocolError(ReplyCode.BAD_RESUME, "that session is not held here")
        elif isinstance(message, Help):
            for info in usage_lines():
                self._put(self._codec.encode(info))
        return None
