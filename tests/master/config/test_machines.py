import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.config.machines import (
    ADDRESSES_MAX,
    Machine,
    MachineError,
    parse_host,
    parse_machine,
    parse_machines,
)


@pytest.mark.parametrize(
    ("text", "machine"),
    [
        ("attic", Machine("attic")),
        ("Attic=192.168.1.20", Machine("attic", ("192.168.1.20",))),
        ("cellar=cellar.LAN,10.0.0.7", Machine("cellar", ("cellar.lan", "10.0.0.7"))),
        ("desk.lan=desk,desk,fe80:0::1", Machine("desk.lan", ("desk", "fe80::1"))),
        ("xn--dachbden-x2a", Machine("xn--dachbden-x2a")),
    ],
)
def test_machine_is_read(text: str, machine: Machine) -> None:
    assert parse_machine(text) == machine


def test_name_is_among_the_hosts_once() -> None:
    assert parse_machine("attic=10.0.0.7,attic").hosts == ("attic", "10.0.0.7")


@pytest.mark.parametrize(
    "name",
    ["", " ", ".", "..", "a/b", "../ca", "a b", "a_b", "-a", "a-", "a..b", ".a", "a.", "a*", "*",
     "a\n", "a\0", "a\x1b[2J", "dachböden", "\u212a", "a" * 64, "a:4321", "ca", "CRL", "--dir"],
)  # fmt: skip
def test_odd_name_is_refused(name: str) -> None:
    with pytest.raises(MachineError, match="expected a") as raised:
        parse_machine(name)
    assert "\x1b" not in str(raised.value)


@pytest.mark.parametrize("name", ["10.0.0.7", "fe80::1"])
def test_address_is_no_name(name: str) -> None:
    with pytest.raises(MachineError, match=f"is an address: expected NAME={name}"):
        parse_machine(name)


@pytest.mark.parametrize(
    "address",
    ["", " ", "10.0.0.7:4321", "attic:4321", "[fe80::1]", "fe80::1%eth0", "10.0.0.256", "*.lan",
     "a_b", "a b", "10.0.0.0/8", "attic.", "ä", "a" * 64, ".".join(["a" * 60] * 5)],
)  # fmt: skip
def test_odd_address_is_refused(address: str) -> None:
    with pytest.raises(MachineError, match=r"is no address|has no address"):
        parse_machine(f"attic={address}")


def test_addresses_have_a_maximum() -> None:
    many = ",".join(f"10.0.0.{number}" for number in range(ADDRESSES_MAX + 1))
    with pytest.raises(MachineError, match="has 33 addresses: expected 32 at most"):
        parse_machine(f"attic={many}")


def test_machine_is_named_once() -> None:
    with pytest.raises(MachineError, match="'attic' is named twice"):
        parse_machines(["attic=10.0.0.7", "desk", "ATTIC"])


@given(st.ip_addresses())
def test_every_ip_address_is_an_address(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    if "%" not in str(address):
        assert parse_host(str(address)) == str(address)


@given(st.text(max_size=8))
def test_what_is_read_can_be_a_file_of_the_folder(text: str) -> None:
    try:
        machine = parse_machine(text)
    except MachineError:
        return
    assert machine.name.isascii()
    assert not {"/", "\\", "\0"} & set(machine.name)
    assert machine.name.strip(".-") == machine.name != ""
