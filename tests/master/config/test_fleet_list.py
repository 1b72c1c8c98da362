from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.config.fleet_list import (
    ExecAddress,
    FleetError,
    parse_fleet,
    parse_fleet_address,
    read_fleet,
)
from protocol.address import Address


def test_fleet_file_lists_addresses_and_commands_in_order() -> None:
    text = """
    [[analyser]]
    name = "attic"
    address = "192.168.1.20:4455"
    [[analyser]]
    command = "ssh cellar 'manyply-analyser' --stdio"
    [[analyser]]
    command = ["a b", "c"]
    """
    attic, cellar, third = parse_fleet(text, "fleet.toml")
    assert (attic.name, attic.address) == ("attic", Address("192.168.1.20", 4455))
    assert cellar.address == ExecAddress(("ssh", "cellar", "manyply-analyser", "--stdio"))
    assert cellar.name == "exec:ssh cellar manyply-analyser --stdio"
    assert third.address == ExecAddress(("a b", "c"))


def test_empty_fleet_file_is_an_empty_fleet() -> None:
    assert parse_fleet("", "fleet.toml") == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("analyser = 1", "own \\[\\[analyser\\]\\] table"),
        ("[[analyser]]\nname='x'", "analyser 1: give either address or command"),
        ("[[analyser]]\naddress='a:1'\ncommand='b'", "analyser 1: give either"),
        ("[[analyser]]\naddress='a:1'\n[[analyser]]\nadress='b:1'", "analyser 2: unknown key"),
        ("[[analyser]]\naddress=1", "are text"),
        ("[[analyser]]\naddress=['a:1']", "are text"),
        ("[[analyser]]\ncommand=''", "command is empty"),
        ("[[analyser]]\ncommand=[1]", "command is empty"),
        ('[[analyser]]\ncommand="\'"', "No closing quotation"),
        ("[[analyser]]\naddress='a:1'\nname=3", "name must be printable"),
        ("[[analyser]]\naddress='a:1'\n[[analyser]]\naddress='a:1'", "listed twice"),
        ("port = 1", "unknown key 'port'"),
        ("[[analyser", "fleet.toml: "),
    ],
)
def test_bad_fleet_file_gets_one_line_that_says_what_is_wrong(text: str, reason: str) -> None:
    with pytest.raises(FleetError, match=reason) as caught:
        parse_fleet(text, "fleet.toml")
    assert str(caught.value).startswith("fleet.toml: ")
    assert "\n" not in str(caught.value)


def test_missing_fleet_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FleetError, match=r"none\.toml: No such file"):
        read_fleet(tmp_path / "none.toml")


def test_fleet_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "fleet.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FleetError, match="not UTF-8"):
        read_fleet(path)


def test_addresses_read_back_as_written() -> None:
    for text in ("localhost:1", "[::1]:65535", "exec:ssh host run"):
        assert str(parse_fleet_address(text)) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("localhost", "expected HOST:PORT"),
        ("localhost:65536", "expected HOST:PORT"),
        ("localhost:0", "names no analyser"),
        (":80", "names no analyser"),
        ("exec:", "empty"),
    ],
)
def test_bad_address_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(FleetError, match=reason):
        parse_fleet_address(text)


@given(st.text())
def test_any_text_is_an_address_or_a_fleet_error(text: str) -> None:
    try:
        address = parse_fleet_address(text)
    except FleetError:
        return
    assert parse_fleet_address(str(address)) == address
