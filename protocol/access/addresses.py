"""Address arithmetic of access control: allowed networks, and loopback. It asks no resolver."""

from collections.abc import Sequence
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

Network = IPv4Network | IPv6Network


def parse_network(text: str) -> Network:
    """Return the network of `192.168.1.0/24`, `10.0.0.7` or `fd00::/8`; ValueError otherwise."""
    try:
        return ip_network(text)
    except ValueError:
        raise ValueError(
            f"{text!r} is no network: expected an address, or one with the bits that count, such as"
            " 192.168.1.0/24"
        ) from None


def _address_of(host: str) -> IPv4Address | IPv6Address | None:
    """Return the address of a peer; an IPv4-mapped IPv6 address becomes the IPv4 one."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def is_within(host: str, networks: Sequence[Network]) -> bool:
    """Whether a peer's address, in the form its socket gives, lies in one of the networks."""
    address = _address_of(host)
    return address is not None and any(address in network for network in networks)


def is_own_machine(host: str) -> bool:
    """Whether an address is a loopback one: only this machine's programs reach it."""
    address = _address_of(host)
    return address is not None and address.is_loopback
