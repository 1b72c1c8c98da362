"""A relay's replies to an event: plain values that its shell carries out in their order."""

from collections.abc import Sequence
from typing import TypeAlias

from protocol.messages import Message, PartRequest
from protocol.values import value


@value
class HandDown:
    """Send a request to an analyser below."""

    analyser: int
    request: PartRequest


@value
class StopDown:
    """Ask an analyser below to end a part early."""

    analyser: int
    part: int
    attempt: int


@value
class SendUp:
    """Send messages to the master above."""

    messages: Sequence[Message]


@value
class TurnDown:
    """Say, and count, that an analyser below is not used, at least for now."""

    analyser: int
    code: str
    text: str


@value
class Condemn:
    """Refuse an analyser below from now on: it broke a rule."""

    analyser: int
    code: str
    text: str


@value
class PoolChanged:
    """Those below can do something else than before, or are more or fewer."""


Action: TypeAlias = HandDown | StopDown | SendUp | TurnDown | Condemn | PoolChanged
