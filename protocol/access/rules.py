"""Who may use a door, and which doors may stand open to whom: one rule for all of them.

Knows what guards a door.  Must not open one.  **Nothing listens beyond this machine without a
secret, TLS or libwrap, unless it was told to be open.**
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from protocol.access.addresses import Network, is_own_machine, is_within
from protocol.access.lock import Lock, SecretOf, SharedSecret

HOW_TO_GUARD = (
    "give --secret FILE, --tls FILE or --libwrap, or --open to let everybody in who reaches it; or"
    " listen on localhost"
)


class Identity(Protocol):
    """Who a machine is, and whom it believes: what the contexts of TLS are made from, each anew."""

    def server_context(self) -> Any:
        """Return the context of a connection that was accepted."""

    def client_context(self) -> Any:
        """Return the context of one that is dialled."""


class DoorRefusedError(Exception):
    """A door that is not opened; says why, and how it would be, in one line."""


@dataclass(frozen=True)
class Access:
    """What peers have to show.

    Args:
        secret: which both ends have to know.
        tls: who this machine is; both ends have to show a certificate of the same household.
        allowed: networks that peers may dial in from; none: all.
        is_let_in: whether libwrap lets a peer's address in; None: it is not asked.
        is_open: everybody may come.
        ticket: an analyser's; see Lock.
        secret_of: a master's, which has fleets: finds their secrets, which come and go.
    """

    secret: SharedSecret | None = None
    tls: Identity | None = None
    allowed: tuple[Network, ...] = ()
    is_let_in: Callable[[str], bool] | None = None
    is_open: bool = False
    ticket: str = ""
    secret_of: SecretOf | None = field(default=None, repr=False)

    def lock(self) -> Lock | None:
        """Return what one link asks of its peer; None: nothing."""
        if self.secret is None and self.secret_of is None:
            return None
        return Lock(self.secret, ticket=self.ticket, secret_of=self.secret_of)

    @property
    def is_guarded(self) -> bool:
        """Whether not everybody who reaches a door can use it."""
        guards = (self.secret, self.tls, self.is_let_in)
        return any(guard is not None for guard in guards)

    def by_address(self) -> "Access":
        """Return what it says of addresses alone: of doors whose users can show nothing else."""
        return Access(allowed=self.allowed, is_let_in=self.is_let_in, is_open=self.is_open)

    def refusal(self, host: str) -> str:
        """Return why a peer of this address is turned away; empty: it is let in."""
        if self.allowed and not is_within(host, self.allowed):
            return f"{host} is in none of the networks allowed"
        if self.is_let_in is not None and not self.is_let_in(host):
            return f"hosts.allow and hosts.deny do not let {host} in"
        return ""

    def check_door(self, door: str, hosts: Iterable[str], how: str = HOW_TO_GUARD) -> None:
        """Make sure that a door may be opened.

        Args:
            door: what to call it.
            hosts: the addresses that it is reached at.
            how: would it be guarded.

        Raises:
            DoorRefusedError: others than this machine reach it, and nothing guards it.
        """
        if not (self.is_open or self.is_guarded or all(map(is_own_machine, hosts))):
            raise DoorRefusedError(f"anybody who reaches {door} could use it: {how}")


EVERYBODY = Access(is_open=True)
NOBODY_ELSE = Access()
"""What is right for doors that only this machine reaches."""
