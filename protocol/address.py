"""Addresses as people write them: HOST:PORT, :PORT, [IPV6]:PORT."""

from __future__ import annotations

import re
from dataclasses import dataclass

PORT_MAX = 65_535


class AddressError(ValueError):
    """A text is no address; the message gives the expected form."""


@dataclass(frozen=True, slots=True)
class Address:
    """A host, empty for every interface, and a port; 0 is any free port."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def parse_address(text: str) -> Address:
    """Return the address of a text; AddressError otherwise."""
    match = re.fullmatch(r"(?:\[([0-9A-Fa-f:.%a-z]+)\]|([^:\s\[\]]*)):([0-9]{1,5})", text)
    if match is not None:
        address = Address(match[1] or match[2] or "", int(match[3]))
        if address.port <= PORT_MAX and _may_be_host(address.host):
            return address
    raise AddressError(f"{text!r} is not an address: expected HOST:PORT, such as attic:4321")


def _may_be_host(host: str) -> bool:
    """Whether a resolver accepts the name: for others socket.getaddrinfo raises no OSError."""
    try:
        host.encode("idna")
    except UnicodeError:
        return False
    return True
