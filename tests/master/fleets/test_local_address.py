"""The address that another machine sees."""

import pytest

from master.fleets.local_address import local_host
from master.fleets.placing import FleetFailedError


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
async def test_this_machine_sees_itself_on_loopback(host: str) -> None:
    assert await local_host(host) in ("127.0.0.1", "::1")


async def test_host_that_is_not_known_is_one_line() -> None:
    with pytest.raises(FleetFailedError, match=r"no way to nowhere\.invalid is known \("):
        await local_host("nowhere.invalid")
