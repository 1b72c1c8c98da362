"""Machines as people write them for `manyply cert`: NAME or NAME=ADDRESS,ADDRESS.

A name goes into a certificate, into a file's name and onto terminals, so it is a host name and
nothing else; an address is a host name or an IP address, without a port.
"""

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass

from master.contract.errors import MasterError

NAME_CHARS_MAX = 63
"""A certificate's common name has 64 at most (RFC 5280, ub-common-name), a label of a host 63."""

HOST_CHARS_MAX = 253
"""Of a host name (RFC 1035)."""

ADDRESSES_MAX = 32
"""Of one machine: all its interfaces, by name and by number."""

VALIDITY_DAYS = 397
"""Of a certificate, thirteen months: a renewal once a year is never late."""

TAKEN_NAMES = frozenset({"ca", "crl"})
"""Files of the CA are called so."""

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")


class MachineError(MasterError, ValueError):
    """A text that names no machine; the message names the expected form."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine of the household.

    Args:
        name: its host name, in lower case.
        addresses: where else it is dialled: host names and IP addresses.
    """

    name: str
    addresses: tuple[str, ...] = ()

    @property
    def hosts(self) -> tuple[str, ...]:
        """The name and the addresses: all names for which its certificate is valid."""
        return (self.name, *(each for each in self.addresses if each != self.name))


def parse_machine(text: str) -> Machine:
    """Return the machine that a text names.

    Raises:
        MachineError: it names none.
    """
    name, equals, addresses = text.partition("=")
    if equals and not addresses:
        raise MachineError(f"{text!r} has no address: expected NAME=ADDRESS, or NAME alone")
    found = tuple(dict.fromkeys(map(parse_host, addresses.split(",")))) if equals else ()
    if len(found) > ADDRESSES_MAX:
        raise MachineError(f"{name!r} has {len(found)} addresses: expected {ADDRESSES_MAX} at most")
    return Machine(parse_name(name), found)


def parse_machines(texts: Sequence[str]) -> tuple[Machine, ...]:
    """Return the machines that texts name.

    Raises:
        MachineError: one names none, or two name the same.
    """
    machines = tuple(map(parse_machine, texts))
    names = [machine.name for machine in machines]
    for name in names:
        if names.count(name) > 1:
            raise MachineError(f"{name!r} is named twice: expected all its addresses in one place")
    return machines


def parse_name(text: str) -> str:
    """Return a machine's name, in lower case; MachineError: it is invalid."""
    name = text.lower()
    if name in TAKEN_NAMES:
        raise MachineError(f"{text!r} is the name of a file of the CA: expected another name")
    if _is_ip(name):
        raise MachineError(f"{text!r} is an address: expected NAME={text}")
    if len(name) > NAME_CHARS_MAX or not text.isascii() or _HOST.fullmatch(name) is None:
        raise MachineError(
            f"{text!r} is no machine's name: expected a host name of up to {NAME_CHARS_MAX} "
            "letters, digits, '-' and '.', such as attic"
        )
    return name


def parse_host(text: str) -> str:
    """Return an address as certificates have it; MachineError: it is invalid."""
    host = text.lower()
    if _is_ip(host):
        return str(ipaddress.ip_address(host))
    is_host = text.isascii() and len(host) <= HOST_CHARS_MAX and _HOST.fullmatch(host) is not None
    if not is_host or host.rpartition(".")[2].isdigit():  # 10.0.0.256 is no host name
        raise MachineError(
            f"{text!r} is no address: expected a host name or an IP address without a port, such "
            "as cellar.lan or 192.168.1.20"
        )
    return host


def _is_ip(text: str) -> bool:
    """Whether a text is an IP address; one with a zone (fe80::1%eth0) fits no certificate."""
    try:
        return "%" not in text and bool(ipaddress.ip_address(text))
    except ValueError:
        return False
