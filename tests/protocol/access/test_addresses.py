"""Networks are read as people write them, and peers found in them."""

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.access.addresses import is_own_machine, is_within, parse_network

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
