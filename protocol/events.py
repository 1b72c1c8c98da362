"""Events: plain values that a connection returns to its shell."""

from protocol.messages import Message, PartResult
from protocol.values import value


@value
class MessageReceived:
    """A message arrived that is allowed now. Pings are answered already and are not reported."""

    message: Message


@value
class UnknownPartReceived:
    """A result arrived for a part (or attempt) that is not outstanding: count it, then drop it."""

    message: PartResult


@value
class LineRejected:
    """A line could not be read; the peer got an `error`, and the connection goes on."""

    code: str
    text: str


@value
class ProtocolFailed:
    """The last event: the peer broke the protocol or a deadline, and got a closing `error`."""

    code: str
    text: str


EOF_REASON = "the peer closed the connection"
"""The reason of PeerClosed when the stream ended without `bye`: a crash, or a broken network."""


@value
class PeerClosed:
    """The last event: the peer left: `bye`, `busy`, a closing `error` or the end of its bytes."""

    reason: str


LinkEvent = MessageReceived | UnknownPartReceived | LineRejected | ProtocolFailed | PeerClosed
