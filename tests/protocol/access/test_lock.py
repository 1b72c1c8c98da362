"""Both ends prove that they know the secret, and nobody else can."""

import hashlib
import hmac
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.access.lock import KEY_BYTES_MAX, KEY_BYTES_MIN, NONCE_BYTES, Lock, SharedSecret
from protocol.codec import decode

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
