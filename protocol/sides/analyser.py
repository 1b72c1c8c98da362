"""The analyser's end of a link to a master; after a break it sends unacknowledged results again."""

from protocol.access.lock import Lock
from protocol.codes import ProtocolError, ReplyCode
from protocol.messages import (
    REQUEST_TYPES,
    RESULT_TYPES,
    Ack,
    AnalyserHello,
    Challenge,
    Error,
    Help,
    Info,
    MasterHello,
    Message,
    PartRequest,
    PartResult,
    Ready,
    Response,
)
from protocol.plain import DEFAULT_TIMING, OUT_BYTES_HIGH, Timing
from protocol.session import AnalyserSession
from protocol.session_secret import is_same_session, public_session_id
from protocol.sides.common import Reactions, Side, check_version, minor_of
from protocol.states import LinkState, Role
from protocol.usage import usage_lines

RESIZE_MINOR = 2
"""Masters of this second number and later take `ready` again while WORKING."""


class AnalyserSide(Side):
    """The analyser's end of a link; its first line is queued from the start.

    Args:
        hello: the greeting; its session fields are filled in from `session`.
        session: the analyser's memory of results, shared by all its connections.
        lock: a master must prove this secret before the greeting is sent; None: no secret.
    """

    role = Role.ANALYSER
    peer_role = Role.MASTER

    def __init__(
        self,
        hello: AnalyserHello,
        session: AnalyserSession | None = None,
        timing: Timing = DEFAULT_TIMING,
        lock: Lock | None = None,
    ) -> None:
        super().__init__(LinkState.GREETING, timing, lock)
        self._hello = hello
        self.session = AnalyserSession() if session is None else session
        self.master: MasterHello | None = None
        self._is_resumed = False
        self._resend_from: int | None = None  # ordinal of the next result to be sent again
        if lock is None:
            self._greet()
        else:
            self.send(Challenge(nonce=lock.nonce, ticket=lock.ticket or None))

    def _greet(self, proof: str | None = None) -> None:
        fields = {
            "session": public_session_id(self.session.name),
            "unacked_max": self.session.unacked_max,
            "first_unacked": self.session.first_unacked,
            "proof": proof,
        }
        self.send(self._hello.model_copy(update=fields))

    @property
    def is_resumed(self) -> bool:
        """The master goes on with the session held: parts taken before still run for it."""
        return self._is_resumed

    @property
    def may_resize(self) -> bool:
        """Whether the master accepts a further `ready`; an older one would end the connection."""
        return self.master is not None and minor_of(self.master.version) >= RESIZE_MINOR

    @property
    def has_output(self) -> bool:
        """`bytes_to_send` would return something."""
        return self._out_bytes > 0 or self._resend_from is not None

    def send(self, message: Message) -> None:
        """Queue one message.

        A result is counted and kept at once, and sent as soon as a connection of its session works.
        So a result before `ready`, or after the end of a connection, is no error.

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
        if isinstance(message, Ready) and self._state is LinkState.LOADING:
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
            Response: self._check_response,
            Ack: self._receive_ack,
            MasterHello: self._receive_hello,
            Help: self._answer_help,
        }

    def _go_on(self, message: Message) -> None:
        if type(message) is Response and self._lock is not None:
            self._greet(self._lock.analyser_proof(message.nonce))

    def _check_response(self, response: Response) -> None:
        assert self._lock is not None, "nothing was asked for without"
        if not self._lock.is_masters(response.proof, response.nonce):
            raise ProtocolError(ReplyCode.BAD_SECRET, "the master's is another")

    def _receive_request(self, request: PartRequest) -> None:
        self.session.open(request)

    def _receive_ack(self, ack: Ack) -> None:
        self.session.ack(ack.count)

    def _receive_hello(self, hello: MasterHello) -> None:
        check_version(hello.version)
        self.master = hello
        self._is_resumed = is_same_session(hello.session, self.session.name)
        if self._is_resumed:
            self.session.check_resume(hello.received)
        elif hello.received:
            raise ProtocolError(ReplyCode.BAD_RESUME, "that session is not held here")

    def _answer_help(self, _: Help) -> None:
        for info in usage_lines():
            self._answer(info)
