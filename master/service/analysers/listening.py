"""The port on which analysers may dial in."""

from collections.abc import Awaitable, Callable

from master.contract.errors import MasterError, UnguardedError
from protocol.access.rules import EndpointRefusedError
from protocol.address import Address
from protocol.aio import Link, Listener, serve_tcp
from protocol.aio.reasons import reason_of
from protocol.guards.access_control import AccessControl
from protocol.sides import MasterSide


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
