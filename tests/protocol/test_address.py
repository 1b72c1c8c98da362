from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.address import PORT_MAX, Address, AddressError, parse_address

PORTS = st.integers(0, PORT_MAX)
LABELS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9-]{0,20}", fullmatch=True)
HOSTS = st.lists(LABELS, max_size=5).map(".".join)


@given(address=st.builds(Address, HOSTS | st.ip_addresses().map(str), PORTS))
@pytest.mark.when_changed
def test_address_reads_back_as_it_is_written(address: Address) -> None:
    assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("attic:4321", Address("attic", 4321)),
        (":4321", Address("", 4321)),
        ("[::1]:0", Address("::1", 0)),
        ("[fe80::1%eth0]:65535", Address("fe80::1%eth0", 65535)),
    ],
)
def test_forms_of_an_address(text: str, address: Address) -> None:
    assert parse_address(text) == address


@given(text=st.text() | st.from_regex(r"[a-z:\[\]0-9 ]{0,12}", fullmatch=True))
def test_any_text_is_an_address_or_named_as_none(text: str) -> None:
    with suppress(AddressError):
        address = parse_address(text)
        assert 0 <= address.port <= PORT_MAX
        address.host.encode("idna")
        assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    "text",
    [
        "attic",
        "a" * 64 + ":1",
        "a..b:1",
        "attic:",
        "attic:65536",
        "::1:80",
        "attic:-1",
        "a b:1",
        "attic:1\n",
        "[::1]",
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(AddressError, match="expected HOST:PORT"):
        parse_address(text)
