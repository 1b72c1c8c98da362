"""One rule for all endpoints: nothing listens beyond this machine unguarded, unless told to."""

from contextlib import nullcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.access.addresses import parse_network
from protocol.access.lock import SharedSecret
from protocol.access.rules import EVERYBODY, NOBODY_ELSE, Access, EndpointRefusedError

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
