"""Rules of endpoints, networks of peers, and mutual proofs of a secret."""

import hashlib
import hmac
from contextlib import nullcontext
from ipaddress import ip_address
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.access.addresses import is_own_machine, is_within, parse_network
from protocol.access.lock import KEY_BYTES_MAX, KEY_BYTES_MIN, NONCE_BYTES, Lock, SharedSecret
from protocol.access.rules import EVERYBODY, NOBODY_ELSE, Access, EndpointRefusedError
from protocol.codec import decode

SECRET = SharedSecret(b"correct horse battery staple")
NETWORK = parse_network("192.168.1.0/24")
HOSTS = ["127.0.0.1", "::1", "192.168.1.7", "::"]
WAYS = r"^anybody who reaches port 1 .* --secret .* --tls .* --libwrap, .* --open .* localhost$"
ACCESSES = st.builds(
    Access,
    secret=st.sampled_from([None, SECRET]),
    allowed=st.sampled_from([(), (NETWORK,)]),
    is_let_in=st.sampled_from([None, lambda host: host.endswith("7")]),
    is_open=st.booleans(),
)


@given(ACCESSES, st.lists(st.sampled_from(HOSTS), min_size=1))
def test_endpoint_is_opened_if_it_is_guarded_or_open_or_at_home(
    access: Access, hosts: list[str]
) -> None:
    is_home = {*hosts} <= {"127.0.0.1", "::1"}
    may_open = is_home or access.is_open or bool(access.secret) or access.is_let_in is not None
    with nullcontext() if may_open else pytest.raises(EndpointRefusedError, match=WAYS):
        access.check_endpoint("port 1", hosts)


@given(ACCESSES, st.sampled_from(HOSTS))
def test_peer_is_let_in_by_its_network_and_by_libwrap(access: Access, host: str) -> None:
    is_refused = bool(access.allowed) and host != "192.168.1.7"
    is_refused |= access.is_let_in is not None and not host.endswith("7")
    assert bool(access.refusal(host)) is is_refused


def test_each_link_has_a_lock_of_its_own_if_there_is_a_secret() -> None:
    assert NOBODY_ELSE.lock() is EVERYBODY.lock() is None
    one, other = Access(SECRET).lock(), Access(SECRET).lock()
    assert one is not None
    assert other is not None
    assert one.nonce != other.nonce


def test_networks_guard_no_endpoint() -> None:
    with pytest.raises(EndpointRefusedError):
        Access(allowed=(NETWORK,)).check_endpoint("port 1", ["::"])


def test_what_is_left_by_address_guards_by_address_alone() -> None:
    known = Access(secret=SECRET, allowed=(NETWORK,), is_let_in=lambda host: True)
    left = known.by_address()
    assert left == Access(allowed=(NETWORK,), is_let_in=known.is_let_in)
    assert left.refusal("192.0.2.1") == known.refusal("192.0.2.1")
    with pytest.raises(EndpointRefusedError, match="could use it: ask somebody"):
        Access(secret=known.secret).by_address().check_endpoint("port 1", ["::"], "ask somebody")


NETWORKS = [parse_network(text) for text in ("192.168.1.0/24", "10.0.0.7", "fd00::/8")]


@pytest.mark.parametrize(
    ("host", "is_in"),
    [
        ("192.168.1.200", True),
        ("192.168.2.1", False),
        ("10.0.0.7", True),
        ("10.0.0.8", False),
        ("fd12::1", True),
        ("fe80::1%eth0", False),
        ("::ffff:192.168.1.9", True),
        ("::ffff:192.168.2.9", False),
        ("", False),
        ("attic", False),
    ],
)
def test_peer_is_found_in_the_networks(host: str, is_in: bool) -> None:
    assert is_within(host, NETWORKS) is is_in


@given(st.ip_addresses(v=4), st.integers(0, 32))
def test_every_address_lies_in_the_network_of_its_bits(address: object, bits: int) -> None:
    whole = int(ip_address(str(address)))
    base = whole >> (32 - bits) << (32 - bits)
    network = parse_network(f"{ip_address(base)}/{bits}")
    assert is_within(str(address), [network])
    assert is_within(f"::ffff:{address}", [network])
    assert is_within(str(address), []) is False


@pytest.mark.parametrize("text", ["", "attic", "192.168.1.9/24", "192.168.1.0/33", "1.2.3", "a/b"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no network: expected an address.*192\.168\.1\.0/24"):
        parse_network(text)


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("0.0.0.0", False),  # told apart, not bound
        ("::", False),
        ("192.168.1.1", False),
        ("localhost", False),
    ],
)
def test_own_machine_is_the_loopback(host: str, is_own: bool) -> None:
    assert is_own_machine(host) is is_own


KEY = b"correct horse battery staple"
KEYS = st.binary(min_size=KEY_BYTES_MIN, max_size=40)
BINDINGS = st.binary(max_size=32)
ONE, TWO = "1" * 32, "2" * 32


@given(KEYS, KEYS, BINDINGS, BINDINGS)
def test_proof_holds_for_the_same_secret_and_channel_alone(
    key: bytes, other: bytes, binding: bytes, elsewhere: bytes
) -> None:
    analyser = Lock(SharedSecret(key), ONE, binding)
    for theirs, bound in product({key, other}, {binding, elsewhere}):
        master = Lock(SharedSecret(theirs), TWO, bound)
        is_right = theirs == key and bound == binding
        assert analyser.is_masters(master.master_proof(ONE), TWO) is is_right
        assert master.is_analysers(analyser.analyser_proof(TWO), ONE) is is_right


def test_proof_is_the_documented_one() -> None:
    said = f"manyply master {ONE} {TWO} ".encode() + b"channel"
    expected = hmac.new(KEY, said, hashlib.sha256).hexdigest()
    assert Lock(SharedSecret(KEY), TWO, b"channel").master_proof(ONE) == expected


def test_neither_end_answers_for_the_other() -> None:
    lock = Lock(SharedSecret(KEY), ONE)
    assert not lock.is_masters(lock.analyser_proof(ONE), ONE)
    assert not lock.is_analysers(lock.master_proof(ONE), ONE)


def test_nonces_are_never_the_same() -> None:
    secret = SharedSecret(KEY)
    nonces = [secret.lock().nonce for _ in range(50)]
    assert len({*nonces}) == 50
    assert {len(nonce) for nonce in nonces} == {2 * NONCE_BYTES}
    assert decode(f"challenge 2.2 {nonces[0]}")


def test_secret_and_nonce_are_shown_to_nobody() -> None:
    lock = SharedSecret(KEY).lock()
    for shown in (repr(lock), str(lock), repr(lock.secret)):
        assert lock.nonce not in shown
        assert "horse" not in shown


@pytest.mark.parametrize("size", [0, KEY_BYTES_MIN - 1, KEY_BYTES_MAX + 1])
def test_other_sizes_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"a secret of 16 to 1024 bytes, not {size}"):
        SharedSecret(b"x" * size)
