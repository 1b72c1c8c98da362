"""The ways in for analysers: their displayed states, and the port on which analysers dial in."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Self

from master.contract.errors import MasterError, UnguardedError
from protocol.access.rules import EndpointRefusedError
from protocol.address import Address
from protocol.aio import Link, Listener, serve_tcp
from protocol.aio.reasons import reason_of
from protocol.guards.access_control import AccessControl
from protocol.sides import MasterSide


@dataclass(eq=False)
class Endpoint:
    """A way in for one analyser, as a display shows it before an analyser comes.

    `is_returning` says that the same analyser may come back to it with its session, and
    `is_inbound` that the analyser dials: it is recognised by its session alone, not by its address.
    `is_ours` says that the analyser is in this process, or one that this process has started.
    `seen_as` is the name of the last analyser. `certificate` is the digest of the certificate of an
    analyser that dials over TLS.
    """

    name: str
    address: str
    is_returning: bool = False
    state: str = "connecting"
    text: str = ""
    is_inbound: bool = False
    is_ours: bool = False
    seen_as: str = ""
    certificate: str = ""

    @classmethod
    def inbound(cls, address: str, certificate: str = "") -> Self:
        """Return the endpoint of an analyser that has dialled in from an address."""
        return cls("", address, is_returning=True, is_inbound=True, certificate=certificate)

    @property
    def host(self) -> str:
        """The part of its address that stays the same when an analyser dials in again."""
        return self.address.rpartition(":")[0] or self.address

    @property
    def origin(self) -> str:
        """A name that an analyser there cannot choose: its certificate, else its host."""
        return self.certificate or self.host

    @property
    def whence(self) -> str:
        """The origin for people."""
        return f"the certificate {self.certificate[:16]}" if self.certificate else self.host

    def leads_back_to(self, other: "Endpoint") -> bool:
        """Whether a session that came through the other endpoint may come back through this one.

        Any process that reaches a listening analyser gets its greeting. So the session of an
        analyser that this master dialled comes back only where it dials again, and only there the
        secret is sent.
        """
        return self is other or (self.is_inbound and other.is_inbound)


async def listen_for_analysers(
    address: Address, keeper: AccessControl, serve: Callable[[Link], Awaitable[None]]
) -> Listener:
    """Serve each analyser that dials in.

    Raises:
        MasterError: the address cannot be used, or nothing guards it.
    """

    def new_side() -> MasterSide:
        return MasterSide(lock=keeper.access.lock())

    try:
        return await serve_tcp(address.host or None, address.port, new_side, serve, keeper=keeper)
    except OSError as error:
        raise MasterError(f"cannot listen on {address}: {reason_of(error)}") from None
    except EndpointRefusedError as error:
        raise UnguardedError(str(error)) from None
