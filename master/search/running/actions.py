"""A running search's actions: plain values that its shell carries out, in order."""

from protocol.messages import Message
from protocol.values import value


@value
class Send:
    """Send a seat a message.

    Args:
        seat: its number.
        message: the message.
        is_shot: it stops a hot spot, for the timeline.
    """

    seat: int
    message: Message
    is_shot: bool = False


@value
class DropSeat:
    """End a seat's connection; it may come again."""

    seat: int
    text: str


@value
class SeatRefused:
    """A seat cannot be used for this search any more; this is shown to people."""

    seat: int
    text: str


@value
class ProveHere:
    """Have this process search a claim (claims.py), and pass the answer to `answer_here`.

    Args:
        claim: its number.
        question: the same as for an analyser.
    """

    claim: int
    question: str


Action = Send | DropSeat | SeatRefused | ProveHere
