"""What is to be done for a running search, in order, by whoever has the links and threads.

Knows messages and seats by their numbers.
"""

from protocol.messages import Message
from protocol.values import value


@value
class Send:
    """Send a seat a message.

    Args:
        seat: its number.
        message: what is sent.
        is_shot: it stops a hot spot, for those who watch.
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
    """A seat cannot be used for this search any more; tell people."""

    seat: int
    text: str


@value
class ProveHere:
    """Have this process search a claim (claims.py): `answer_here` is to be told the answer.

    Args:
        claim: its number.
        question: as an analyser would be asked.
    """

    claim: int
    question: str


Action = Send | DropSeat | SeatRefused | ProveHere
