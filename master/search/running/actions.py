"""A running search's actions: plain values that its shell carries out, in order."""

from protocol.messages import Message
from protocol.values import value


@value
class Send:
    """Send a session a message.

    Args:
        session: its number.
        message: the message.
        is_shot: it stops a hot spot, for the timeline.
    """

    session: int
    message: Message
    is_shot: bool = False


@value
class DropSession:
    """End a session's connection; it may come again."""

    session: int
    text: str


@value
class SessionRefused:
    """A session cannot be used for this search any more; this is shown to people."""

    session: int
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


Action = Send | DropSession | SessionRefused | ProveHere
