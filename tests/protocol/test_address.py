import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.address import Address, AddressError, parse_address


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("attic:4321", "attic", 4321),
        ("127.0.0.1:0", "127.0.0.1", 0),
        (":65535", "", 65535),
        ("[::1]:80", "::1", 80),
        ("[fe80::1%eth0]:80", "fe80::1%eth0", 80),
    ],
)
def test_address_is_read_and_shown(text: str, host: str, port: int) -> None:
    assert parse_address(text) == Address(host, port)
    assert str(parse_address(text)) == text


@pytest.mark.parametrize(
    "text", ["", "attic", "attic:", "attic:x", "attic:65536", "::1:80", "[::1]", "a b:1", "a:-1"]
)
def test_anything_else_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(AddressError, match="expected HOST:PORT"):
        parse_address(text)


@given(st.text())
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        address = parse_address(text)
    except AddressError:
        return
    assert parse_address(str(address)) == address
