"""A connection without roles: framing, limits, ping, bye and their deadlines.

These rules hold on every link. `protocol.sides` adds the two roles, and lists the duties of a
caller. No clock, no socket, no wait.
"""

from dataclasses import dataclass

from protocol.codec import Codec
from protocol.codes import CODES, LocalProtocolError, ProtocolError, ReplyCode
from protocol.events import (
    EOF_REASON,
    LineRejected,
    LinkEvent,
    MessageReceived,
    PeerClosed,
    ProtocolFailed,
)
from protocol.intake import TURN_LINES, Intake
from protocol.messages import Bye, Error, Message, Ping, Pong, to_text

BAD_LINES_MAX = 8
"""Enough for typing errors of a person, too few for a broken program."""

OUT_BYTES_HIGH = 1 << 20
"""`is_writable` turns false: several seconds of results on a slow line."""

OUT_BYTES_MAX = 16 << 20
"""A peer with this many unread bytes is dropped as a slow reader."""

ANSWER_BYTES_HIGH = 1 << 16
"""Limit of unread answers to a peer's own lines: a thousand pongs. Beyond it, the peer's lines are
not handled until it reads. Unrequested lines, such as an analyser's results, do not count, so two
busy peers cannot deadlock."""

_KEEPALIVE = "keepalive-"
"""Prefix of the tokens of pings that the connection sends by itself."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Deadlines of a connection, in seconds."""

    ping_after_s: float = 5.0  # of silence
    dead_after_s: float = 15.0  # of silence, ping included
    handshake_s: float = 30.0  # for both hellos together; long enough to type one by hand
    loading_s: float = 120.0  # from the hellos to `ready`
    write_stall_s: float = 30.0  # with bytes to send, and none taken by the transport


DEFAULT_TIMING = Timing()


class Connection:
    """A link without roles: framing, limits, ping and bye."""

    def __init__(self, codec: Codec, timing: Timing = DEFAULT_TIMING) -> None:
        self._codec = codec
        self._timing = timing
        self._intake = Intake(codec.line_bytes_max)
        self._is_ended = False  # the stream has ended after the lines in the intake
        self._bad_line_count = 0
        self._out: list[bytes] = []
        self._out_bytes = 0
        self._answer_bytes = 0  # of these, in answer to the peer's own lines
        self._drain_count = 0  # calls of bytes_to_send
        self._stall: tuple[int, float] | None = None  # drain count and time of a pending output
        self._late_events: list[LinkEvent] = []  # of a failure inside `send`
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
        """The outgoing buffer has room. A caller that can wait should wait for it before `send`."""
        return self._out_bytes < OUT_BYTES_HIGH

    @property
    def has_output(self) -> bool:
        """`bytes_to_send` would return something."""
        return self._out_bytes > 0

    @property
    def has_input(self) -> bool:
        """Lines of the peer wait for `receive` in a further turn of the loop."""
        intake = self._intake
        return not self._is_closed and bool(intake.lines or intake.unread)

    @property
    def is_settled(self) -> bool:
        """The peer is identified, and the handshake is over."""
        return True

    @property
    def is_listening(self) -> bool:
        """Lines of the peer are handled: its unread answers are within the limit."""
        return self._answer_bytes <= ANSWER_BYTES_HIGH

    @property
    def next_deadline(self) -> float | None:
        """The time of the next `tick`; None before the first call and after the end."""
        if self._late_events:
            return float("-inf")
        if self._is_closed or self._heard_at is None:
            return None
        return self._next_deadline(self._heard_at)

    def _alive_deadline(self, heard_at: float) -> float:
        """The time of the next ping; after a ping, the time of the end."""
        if self._pinged_at is None:
            return heard_at + self._timing.ping_after_s
        return self._pinged_at + (self._timing.dead_after_s - self._timing.ping_after_s)

    def _next_deadline(self, heard_at: float) -> float:
        # Deadlines are checked against the same sums as here. Otherwise, by rounding, a deadline
        # that has come could seem not to have come, and the shell would spin.
        alive = self._alive_deadline(heard_at)
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
        self._answer(message)
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
        self._out_bytes = self._answer_bytes = 0
        self._drain_count += 1
        return data

    def drop_output(self) -> None:
        """Forget the bytes queued for a peer that is gone."""
        self._out.clear()
        self._out_bytes = self._answer_bytes = 0

    def put(self, data: bytes, now: float) -> None:
        """Take bytes of the peer, to be handled by `receive` in a further turn of the loop."""
        if data and not self._is_closed:
            self._heard_at = now
            self._pinged_at = None
            self._intake.put(data)

    def receive(self, data: bytes, now: float) -> list[LinkEvent]:
        """Take bytes of the peer; return the events of one turn's lines, in order.

        While `has_input` and `is_listening`, call it again without bytes in the next turn of the
        loop, and read nothing more of the peer until then.
        """
        events = self._collect_late_events()
        if self._is_closed:
            return events
        self.put(data, now)
        self._handle_turn(events, now)
        if self._is_closed:
            self._intake.clear()
        elif self._is_ended and self._intake.is_empty:
            events += self.receive_eof(now)
        return events + self._collect_late_events()

    def _handle_turn(self, events: list[LinkEvent], now: float) -> None:
        decode, receive, lines = self._codec.decode, self._receive_message, self._intake.turn()
        for _ in range(min(len(lines), TURN_LINES)):
            if self._is_closed or self._answer_bytes > ANSWER_BYTES_HIGH:
                return
            line = lines.popleft()
            try:
                if isinstance(line, ReplyCode):
                    raise ProtocolError(line, CODES[line].meaning)
                message = decode(line)
            except ProtocolError as error:
                events.append(self._reject(error, line))
            else:
                event = receive(message, now)
                if event is not None:
                    events.append(event)

    def receive_eof(self, now: float) -> list[LinkEvent]:
        """Take the end of the peer's stream; its event comes after those of the waiting lines."""
        events = self._collect_late_events()
        if self.has_input:
            self._is_ended = True
        elif not self._is_closed:
            self._is_closed = True
            events.append(PeerClosed(EOF_REASON))
        return events

    def drop_input(self) -> None:
        """Drop the waiting lines of the peer."""
        self._intake.clear()

    def bind_channel(self, binding: bytes) -> None:
        """Take the binding of the connection's channel. Call it before the first tick."""

    def tick(self, now: float) -> list[LinkEvent]:
        """Take the time: start the deadlines, send a ping, or end a connection that missed one."""
        events = self._collect_late_events()
        if self._is_closed:
            return events
        if self._heard_at is None:
            self._heard_at = now
        self.record_stall(now)
        event = self._check_deadlines(now, self._heard_at)
        if event is not None:
            events.append(event)
        return events

    def record_pause(self, now: float) -> None:
        """Note that our side did not read for a while, so the peer was not silent."""
        self._heard_at = now
        self._pinged_at = None

    def _collect_late_events(self) -> list[LinkEvent]:
        events, self._late_events = self._late_events, []
        return events

    def _check_deadlines(self, now: float, heard_at: float) -> LinkEvent | None:
        if self._is_stalled(now):
            return self._fail(ReplyCode.SLOW_READER, "the peer does not read")
        if self._pinged_at is not None:
            if now >= self._alive_deadline(heard_at):
                return self._fail(ReplyCode.PEER_SILENT, f"silent for {now - heard_at:.1f} s")
        elif now >= self._alive_deadline(heard_at):
            self._pinged_at = now
            self._ping_count += 1
            self._put(self._codec.encode(Ping(token=f"{_KEEPALIVE}{self._ping_count}")))
        return None

    def record_stall(self, now: float) -> None:
        """Note the time while output waits; it shows since when the peer takes nothing."""
        if not self._out:
            self._stall = None
        elif self._stall is None or self._stall[0] != self._drain_count:
            self._stall = (self._drain_count, now)

    def _is_stalled(self, now: float) -> bool:
        return self._stall is not None and now >= self._stall[1] + self._timing.write_stall_s

    def _put(self, line: bytes) -> None:
        self._out.append(line)
        self._out_bytes += len(line)
        if self._out_bytes > OUT_BYTES_MAX and not self._is_closed:
            self._late_events.append(self._fail(ReplyCode.SLOW_READER, "too much is unread"))

    def _answer(self, message: Message) -> None:
        """Queue an answer to the peer's own line; too many unread ones stop its lines."""
        line = self._codec.encode(message)
        self._answer_bytes += len(line)
        self._put(line)

    def _reject(self, error: ProtocolError, line: str) -> LinkEvent:
        self._bad_line_count += 1
        if self._bad_line_count > BAD_LINES_MAX:
            return self._fail(ReplyCode.TOO_MANY_ERRORS, str(error))
        text = to_text(error.text)
        self._answer(self._refusal(error.code.value, text, line))
        return LineRejected(error.code.value, text)

    def _refusal(self, code: str, text: str, line: str = "") -> Error:
        """Return the `error` message for a mistake of the peer, made in a line or without one."""
        return Error(code=code, text=text)

    def _fail(self, code: ReplyCode, text: str) -> ProtocolFailed:
        """End the connection. If the peer does not read, drop the lines still queued."""
        if code is ReplyCode.SLOW_READER:
            self.bytes_to_send()
        self._is_closed = True
        self._put(self._codec.encode(self._refusal(code.value, to_text(text))))
        return ProtocolFailed(code.value, to_text(text))

    def _receive_message(self, message: Message, now: float) -> LinkEvent | None:
        if isinstance(message, Ping):
            self._answer(Pong(token=message.token))
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
