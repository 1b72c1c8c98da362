"""Connections: bytes and time in, events and bytes out.

These classes check the order of messages, the deadlines and the limits of a link, for both roles.
They read no clock, open no socket and never wait. The caller

* calls `tick(now)` once at the start, and again whenever `next_deadline` has come;
* passes all bytes received to `receive`, and the end of the stream to `receive_eof`;
* while `has_input`, reads no more, and calls `receive` again in each turn, if `is_listening`;
* writes the result of `bytes_to_send`, after each of these calls and `send`, or calls
  `record_stall`;
* closes the transport once `is_closed`, after a last `bytes_to_send`.

No bytes of the peer make these methods raise. `send` raises LocalProtocolError for our mistakes.
"""

from protocol.events import (
    LineRejected,
    LinkEvent,
    MessageReceived,
    PeerClosed,
    ProtocolFailed,
    UnknownPartReceived,
)
from protocol.plain import Connection, Timing
from protocol.sides.analyser import AnalyserSide
from protocol.sides.master import MasterSide, is_offered

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
    "is_offered",
]
