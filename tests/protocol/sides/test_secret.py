"""With a secret, neither side tells a peer anything before the peer has proved to know it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.access.lock import Lock, SharedSecret
from protocol.access.rules import Access
from protocol.messages import AnalyserHello
from protocol.plain import DEFAULT_TIMING
from protocol.sides import AnalyserSide, MasterSide
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
def test_wrong_proof_of_the_master_ends_it(line: str) -> None:
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


CHALLENGE = CHALLENGED.replace("<", ">")
GREETING = "> analyser 2.2 name=attic cores=4"


def master(text: str = "", binding: bytes = b"") -> Conversation:
    side = MasterSide(lock=Lock(SECRET, TWO))
    side.bind_channel(binding)
    return Conversation(side).play(text)


def greeting(secret: SharedSecret, binding: bytes = b"") -> str:
    return f"{GREETING} proof={Lock(secret, ONE, binding).analyser_proof(TWO)}\n"


@pytest.mark.parametrize("binding", [b"", b"channel"])
def test_proves_and_hears_who_proves_in_turn(binding: bytes) -> None:
    proof = Lock(SECRET, TWO, binding).master_proof(ONE)
    talk = master(CHALLENGE + f"< response {TWO} {proof}\n" + greeting(SECRET, binding), binding)
    talk.play("+ master 2.2 name=me session=s\n< master *\n> ready 4")


@pytest.mark.parametrize(
    "line",
    [
        greeting(OTHER),
        greeting(SECRET, b"elsewhere"),
        GREETING + "\n",
        f"{GREETING} proof={Lock(SECRET, TWO).master_proof(ONE)}\n",
    ],
)
def test_wrong_proof_ends_it(line: str) -> None:
    talk = master(
        CHALLENGE + "< response *\n" + line + "< error bad-secret *\n! *Failed bad-secret"
    )
    assert talk.side.is_closed


def test_analyser_that_asks_for_none_is_refused() -> None:
    talk = master(greeting(SECRET) + "< error no-secret *\n! ProtocolFailed no-secret")
    assert talk.side.is_closed


def test_master_without_a_secret_refuses_a_challenge() -> None:
    talk = Conversation(MasterSide()).play(CHALLENGE + "< error no-secret *\n! *Failed no-secret")
    assert talk.side.is_closed


def test_challenge_of_another_version_is_refused() -> None:
    master(f"> challenge 3.0 {ONE}\n< error wrong-version *\n! ProtocolFailed wrong-version")


def test_refusal_is_heard_before_any_greeting() -> None:
    master("> error not-allowed text=not%20you\n! PeerClosed not-allowed: not you")


def meet(analyser: AnalyserSide, master: MasterSide) -> None:
    """Carry what both say, until they have met or parted."""
    analyser.tick(0.0)
    master.tick(0.0)
    for _ in range(4):
        master.receive(analyser.bytes_to_send(), 0.0)
        analyser.receive(master.bytes_to_send(), 0.0)


@given(st.sampled_from([None, SECRET, OTHER]), st.sampled_from([None, SECRET, OTHER]))
def test_sides_meet_if_they_know_the_same_or_ask_for_nothing(
    one: SharedSecret | None, other: SharedSecret | None
) -> None:
    analyser = AnalyserSide(HELLO, lock=one.lock() if one else None)
    master = MasterSide(lock=other.lock() if other else None)
    meet(analyser, master)
    assert (master.greeting is not None) is (one is other)
    assert analyser.is_closed is master.is_closed is (one is not other)
    if master.greeting is not None:
        assert isinstance(master.greeting, AnalyserHello)
        assert master.greeting.name == HELLO.name


@given(
    st.sampled_from(["", "night", "other"]),
    st.sampled_from([SECRET, OTHER]),
    st.sampled_from([None, SECRET]),
    st.dictionaries(st.sampled_from(["night", "day"]), st.sampled_from([SECRET, OTHER])),
)
def test_ticket_says_which_secret_is_meant(
    ticket: str, held: SharedSecret, own: SharedSecret | None, tickets: dict[str, SharedSecret]
) -> None:
    analyser = AnalyserSide(HELLO, lock=held.lock(ticket))
    master = MasterSide(lock=Access(own, secret_of=tickets.get).lock())
    meet(analyser, master)
    meant = tickets.get(ticket) if ticket else own
    assert (master.greeting is not None) is (held is meant)


def test_analyser_without_a_ticket_is_let_in_where_nothing_else_is_asked_for() -> None:
    tickets = {"night": SECRET}
    for own, is_let_in in ((None, True), (SECRET, False)):
        master = MasterSide(lock=Access(own, secret_of=tickets.get).lock())
        meet(AnalyserSide(HELLO), master)
        assert (master.greeting is not None) is is_let_in


def test_ticket_that_was_not_given_out_learns_nothing() -> None:
    side = MasterSide(lock=Access(SECRET, secret_of={"night": OTHER}.get).lock())
    play = f"> challenge 2.1 {ONE} ticket=day\n< error bad-secret *\n! ProtocolFailed bad-secret"
    assert Conversation(side).play(play).side.is_closed
