"""An analyser that asks for a secret says nothing of itself before it is proved."""

import pytest

from protocol.access.lock import Lock, SharedSecret
from protocol.messages import AnalyserHello
from protocol.plain import DEFAULT_TIMING
from protocol.sides import AnalyserSide
from tests.protocol.transcript import Conversation

HELLO = AnalyserHello(name="attic", cores=4, games=("noop",))
SECRET = SharedSecret(b"correct horse battery staple")
OTHER = SharedSecret(b"incorrect horse battery staple")
ONE, TWO = "1" * 32, "2" * 32
CHALLENGED = f"< challenge 2.2 {ONE}\n"


def analyser(text: str = "", binding: bytes = b"") -> Conversation:
    side = AnalyserSide(HELLO, lock=Lock(SECRET, ONE))
    side.bind_channel(binding)
    return Conversation(side).play(CHALLENGED + text)


def response(secret: SharedSecret, binding: bytes = b"", challenge: str = ONE) -> str:
    proof = Lock(secret, TWO, binding).master_proof(challenge)
    return f"> response {TWO} {proof}\n"


@pytest.mark.parametrize("binding", [b"", b"channel"])
def test_greets_who_has_proved_and_proves_in_turn(binding: bytes) -> None:
    proof = Lock(SECRET, ONE, binding).analyser_proof(TWO)
    talk = analyser(
        response(SECRET, binding) + f"< analyser 2.2 name=attic * proof={proof}", binding
    )
    talk.play("> master 2.2 name=me session=s\n+ ready 4\n< ready 4\n> ping x\n< pong x")


@pytest.mark.parametrize(
    "line",
    [
        response(OTHER),
        response(SECRET, b"elsewhere"),
        response(SECRET, challenge="3" * 32),
        f"> response {TWO} {Lock(SECRET, TWO).analyser_proof(ONE)}\n",
        f"> response {ONE} {Lock(SECRET, ONE).analyser_proof(ONE)}\n",
    ],
)
def test_wrong_proof_ends_it(line: str) -> None:
    talk = analyser(line + "< error bad-secret *\n! ProtocolFailed bad-secret")
    assert talk.side.is_closed


@pytest.mark.parametrize(
    "line",
    ["master 2.2 name=me", "help", "who", "status", "ping x", "stop 1 0", f"challenge 2.2 {TWO}"],
)
def test_nobody_learns_anything_without_a_proof(line: str) -> None:
    talk = analyser(f"> {line}\n< error no-secret *\n! ProtocolFailed no-secret")
    assert talk.side.is_closed


def test_who_says_nothing_is_not_waited_for() -> None:
    analyser(f"@ {DEFAULT_TIMING.handshake_s}\n< error handshake-timeout *\n! Proto* handshake-*")


def test_refusal_is_heard() -> None:
    analyser("> error no-secret text=none%20is%20here\n! PeerClosed no-secret: none is here")


def test_proof_is_asked_for_once() -> None:
    talk = analyser(
        response(SECRET) + "< analyser *\n" + response(SECRET) + "< error wrong-order *\n! *"
    )
    assert talk.side.is_closed
