"""Access control of endpoints: one rule for all of them.

**Without a secret, TLS or libwrap, an endpoint may listen on loopback addresses only, unless it is
declared open.**
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
    """A machine's certificate and the CAs it trusts; each call makes a TLS context from them."""

    def server_context(self) -> Any:
        """Return the context of a connection that was accepted."""

    def client_context(self) -> Any:
        """Return the context of a connection that is dialled."""


class EndpointRefusedError(Exception):
    """An endpoint may not be opened; one line gives the reason and the remedy."""


@dataclass(frozen=True)
class Access:
    """The conditions that peers must meet.

    Args:
        secret: both ends must know it.
        tls: this machine's identity; both ends must show a certificate of the same household.
        allowed: networks from which peers may dial in; empty: all.
        is_let_in: whether libwrap allows a peer's address; None: libwrap is not used.
        is_open: every peer may connect.
        ticket: of an analyser; see Lock.
        secret_of: of a master: returns the secret of a fleet by its ticket.
    """

    secret: SharedSecret | None = None
    tls: Identity | None = None
    allowed: tuple[Network, ...] = ()
    is_let_in: Callable[[str], bool] | None = None
    is_open: bool = False
    ticket: str = ""
    secret_of: SecretOf | None = field(default=None, repr=False)

    def lock(self) -> Lock | None:
        """Return the lock of one link; None: the peer needs no secret."""
        if self.secret is None and self.secret_of is None:
            return None
        return Lock(self.secret, ticket=self.ticket, secret_of=self.secret_of)

    @property
    def is_guarded(self) -> bool:
        """Whether a peer needs more than a route to the endpoint to use it."""
        guards = (self.secret, self.tls, self.is_let_in)
        return any(guard is not None for guard in guards)

    def by_address(self) -> "Access":
        """Return the rules for addresses alone, for users that have neither secret nor TLS."""
        return Access(allowed=self.allowed, is_let_in=self.is_let_in, is_open=self.is_open)

    def refusal(self, host: str) -> str:
        """Return the reason why a peer of this address is refused; empty: it is allowed."""
        if self.allowed and not is_within(host, self.allowed):
            return f"{host} is in none of the networks allowed"
        if self.is_let_in is not None and not self.is_let_in(host):
            return f"hosts.allow and hosts.deny do not let {host} in"
        return ""

    def check_endpoint(self, endpoint: str, hosts: Iterable[str], how: str = HOW_TO_GUARD) -> None:
        """Make sure that an endpoint may be opened.

        Args:
            endpoint: its name for people.
            hosts: the addresses where it can be reached.
            how: advice on access control, for the message.

        Raises:
            EndpointRefusedError: other machines can reach it, and it has no access control.
        """
        if not (self.is_open or self.is_guarded or all(map(is_own_machine, hosts))):
            raise EndpointRefusedError(f"anybody who reaches {endpoint} could use it: {how}")


EVERYBODY = Access(is_open=True)
NOBODY_ELSE = Access()
"""The access of endpoints that only this machine can reach."""
