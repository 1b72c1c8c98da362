"""The common base of both ends of an analyser link: the table of states, and the deadlines."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from protocol.access.lock import Lock
from protocol.codec import ANALYSER_CODEC
from protocol.codes import LocalProtocolError, ProtocolError, ReplyCode
from protocol.events import LinkEvent
from protocol.messages import VERSION, VERSION_MAJOR, Message
from protocol.plain import Connection, Timing
from protocol.states import LEGAL, Legal, LinkState, Role

Reactions = dict[type[Message], Callable[[Any], LinkEvent | None]]


class Side(Connection, ABC):
    """A link with a role: it accepts and sends only messages allowed by the table of states."""

    role: Role
    peer_role: Role

    def __init__(self, state: LinkState, timing: Timing, lock: Lock | None) -> None:
        super().__init__(ANALYSER_CODEC, timing)
        self._lock = lock
        self._state = state
        self._state_since: float | None = None
        self._reactions = self._legal_reactions()
        self._may_send: Legal = LEGAL[self.role][state]
        self._may_come: Legal = LEGAL[self.peer_role][state]

    @property
    def state(self) -> LinkState:
        """The state of the connection."""
        return LinkState.CLOSED if self._is_closed else self._state

    def bind_channel(self, binding: bytes) -> None:
        """Take the binding of the channel; proofs are valid on this channel only."""
        if self._lock is not None:
            self._lock.binding = binding

    @property
    def is_settled(self) -> bool:
        """The peer is identified, and the handshake is over."""
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
            is_challenged = self._state is LinkState.CHALLENGED
            code = ReplyCode.NO_SECRET if is_challenged else ReplyCode.WRONG_ORDER
            return self._fail(code, f"{message.verb} is not allowed while {self._state.value}")
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
            self._go_on(message)
        return event

    def _go_on(self, message: Message) -> None:
        """Send the line that is due at once after a message that has changed the state."""

    @abstractmethod
    def _legal_reactions(self) -> Reactions:
        """Return the handler of each message type; without an event from it, Connection decides."""


def check_version(version: str) -> None:
    """Raise ProtocolError `wrong-version` for a peer with another first number."""
    if int(version.partition(".")[0]) != VERSION_MAJOR:
        raise ProtocolError(ReplyCode.WRONG_VERSION, f"{version} here is {VERSION}")


def minor_of(version: str) -> int:
    """Return the second number of a version, which grows with additions."""
    return int(version.partition(".")[2])
