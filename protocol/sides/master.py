"""The master's end of a link to one analyser: it counts results, and keeps the services offered."""

from protocol.access.lock import Lock
from protocol.codes import LocalProtocolError, ProtocolError, ReplyCode
from protocol.events import LinkEvent, MessageReceived, PeerClosed, UnknownPartReceived
from protocol.messages import (
    REQUEST_TYPES,
    RESULT_TYPES,
    RESULT_VERBS,
    Ack,
    AnalyserHello,
    Busy,
    Challenge,
    Engine,
    Entries,
    MasterHello,
    Message,
    PartRequest,
    PartResult,
    Question,
    Response,
    Search,
    Trials,
)
from protocol.plain import DEFAULT_TIMING, Timing
from protocol.session import MasterSession
from protocol.session_secret import is_same_session, public_session_id
from protocol.sides.common import Reactions, Side, check_version
from protocol.states import LinkState, Role


def is_offered(greeting: AnalyserHello, secret: str) -> bool:
    """Whether an analyser's greeting offers to go on with the session of this secret."""
    return is_same_session(public_session_id(secret), greeting.session)


class MasterSide(Side):
    """The master's end of a link to one analyser.

    Args:
        session: the state kept of this analyser, to go on after a break. It may also be set
            later, until MasterHello is sent; without one, sending MasterHello makes one.
        lock: the analyser must prove this secret; None: no secret.
    """

    role = Role.MASTER
    peer_role = Role.ANALYSER

    def __init__(
        self,
        session: MasterSession | None = None,
        timing: Timing = DEFAULT_TIMING,
        lock: Lock | None = None,
    ) -> None:
        super().__init__(LinkState.GREETING, timing, lock)
        self._challenge = ""
        self.session = session
        self.greeting: AnalyserHello | None = None
        self._services = {Trials.verb}  # of all its engines; the default of one that names none

    @property
    def is_resumed(self) -> bool:
        """Whether the session continues an earlier connection: its outstanding parts still run."""
        greeting, session = self.greeting, self.session
        return bool(greeting and session and is_offered(greeting, session.name))

    def send(self, message: Message) -> None:
        """Queue one message; raise LocalProtocolError if it is not allowed now, and queue none."""
        state = self._check_send(message)
        line = self._codec.encode(message)
        if isinstance(message, REQUEST_TYPES):
            self._open(message, line)
        elif isinstance(message, Entries):
            self._check_offered(Search.verb, line)
        elif isinstance(message, MasterHello):
            self._start_session(message)
        elif isinstance(message, Ack):
            self._own_session().ack(message.count)
        self._put(line)
        self._move(state)

    def _own_session(self) -> MasterSession:
        assert self.session is not None, "set when MasterHello was sent"
        return self.session

    def _open(self, message: PartRequest, line: bytes) -> None:
        if self._state is LinkState.DRAINING:
            raise LocalProtocolError("no new part while draining")
        service = message.service if type(message) is Question else message.verb
        self._check_offered(service, line)
        self._own_session().open(message)

    def _check_offered(self, service: str, line: bytes) -> None:
        assert self.greeting is not None, "no request before the greeting"
        if service not in self._services:
            raise LocalProtocolError(f"the analyser does not offer {service}")
        if len(line) > self.greeting.line_bytes_max:
            raise LocalProtocolError("the analyser takes no line as long as this")

    def _start_session(self, hello: MasterHello) -> None:
        if self.session is None:
            self.session = MasterSession(hello.session, hello.received)
        if (hello.session, hello.received) != (self.session.name, self.session.received):
            raise LocalProtocolError("the hello names another session than the connection has")
        if hello.received and not self.is_resumed:
            raise LocalProtocolError("a new session starts with no result received")

    def _reject(self, error: ProtocolError, line: str) -> LinkEvent:
        if self._state is LinkState.GREETING:
            return self._fail(ReplyCode.NOT_MANYPLY, "no greeting of an analyser came")
        if line.partition(" ")[0] in RESULT_VERBS:  # it cannot be counted: later ones would misfit
            return self._fail(ReplyCode.BAD_RESULT, f"{error.code.value}: {error.text}")
        return super()._reject(error, line)

    def _legal_reactions(self) -> Reactions:
        results: Reactions = dict.fromkeys(RESULT_TYPES, self._receive_result)
        return results | {
            Challenge: self._receive_challenge,
            AnalyserHello: self._receive_greeting,
            Engine: self._receive_offer,
            Busy: self._receive_refusal,
        }

    def _receive_result(self, result: PartResult) -> LinkEvent:
        is_known = self._own_session().count(result)
        return MessageReceived(result) if is_known else UnknownPartReceived(result)

    def _go_on(self, message: Message) -> None:
        if type(message) is Challenge and self._lock is not None:
            proof = self._lock.master_proof(message.nonce)
            self.send(Response(nonce=self._lock.nonce, proof=proof))

    def _receive_challenge(self, challenge: Challenge) -> None:
        check_version(challenge.version)
        if self._lock is None:
            raise ProtocolError(ReplyCode.NO_SECRET, "the analyser asks for one, none is here")
        if not self._lock.choose(challenge.ticket or ""):
            if challenge.ticket:
                raise ProtocolError(ReplyCode.BAD_SECRET, "that ticket is none of this master's")
            raise ProtocolError(ReplyCode.NO_SECRET, "the analyser asks for one, none is here")
        self._challenge = challenge.nonce

    def _receive_greeting(self, hello: AnalyserHello) -> None:
        check_version(hello.version)
        if self._lock is not None:
            self._check_proof(self._lock, hello)
        self.greeting = hello

    def _check_proof(self, lock: Lock, hello: AnalyserHello) -> None:
        if self._state is LinkState.PROVING:
            if not lock.is_analysers(hello.proof or "", self._challenge):
                raise ProtocolError(ReplyCode.BAD_SECRET, "the analyser's is another")
        elif lock.secret is not None:
            raise ProtocolError(
                ReplyCode.NO_SECRET, "the master asks for one, the analyser has none"
            )

    def _receive_offer(self, engine: Engine) -> None:
        self._services.update(engine.services)

    def _receive_refusal(self, busy: Busy) -> LinkEvent:
        self._is_closed = True
        return PeerClosed(f"busy, serves {busy.by}")
