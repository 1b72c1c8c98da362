import asyncio
import socket
from collections.abc import AsyncIterator
from ipaddress import ip_network

import pytest

from master.contract.errors import MasterError
from master.contract.figures import Figures
from master.metrics.endpoint import CONNECTIONS_MAX, MetricsEndpoint
from master.metrics.http import HEAD_BYTES_MAX
from protocol.access.lock import SharedSecret
from protocol.access.rules import NOBODY_ELSE, Access
from protocol.address import Address
from protocol.guards.access_control import AccessControl

pytestmark = pytest.mark.sockets

HERE = Address("127.0.0.1", 0)
ASKED = b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"


async def read() -> Figures:
    return Figures(parts_waiting=5)


@pytest.fixture
async def endpoint() -> AsyncIterator[MetricsEndpoint]:
    endpoint = MetricsEndpoint(read, AccessControl(), exchange_s=0.3)
    await endpoint.open(HERE)
    yield endpoint
    await endpoint.aclose()


async def answered(endpoint: MetricsEndpoint, *said: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", endpoint.port)
    for each in said:
        writer.write(each)
        await writer.drain()
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


async def test_numbers_are_announced(endpoint: MetricsEndpoint) -> None:
    answer = await answered(endpoint, ASKED)
    assert answer.startswith(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4")
    assert b"\nmanyply_parts_waiting 5.0\n" in answer


async def test_request_may_come_in_pieces(endpoint: MetricsEndpoint) -> None:
    pieces = [ASKED[at : at + 1] for at in range(len(ASKED))]
    assert (await answered(endpoint, *pieces)).startswith(b"HTTP/1.1 200 OK")


async def test_health_is_announced(endpoint: MetricsEndpoint) -> None:
    assert (await answered(endpoint, b"GET /healthz HTTP/1.0\n\n")).endswith(b"\r\n\r\nok\n")


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", 404),
        (b"POST /metrics HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd", 405),
        (b"hello\r\n\r\n", 400),
        (b"GET /metrics HTTP/1.1\r\nA: " + b"a" * 2 * HEAD_BYTES_MAX, 431),
    ],
)
async def test_bad_request_is_refused_in_words(
    endpoint: MetricsEndpoint, said: bytes, status: int
) -> None:
    assert (await answered(endpoint, said)).startswith(b"HTTP/1.1 %d " % status)


async def test_head_has_no_body(endpoint: MetricsEndpoint) -> None:
    answer = await answered(endpoint, b"HEAD /metrics HTTP/1.1\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert answer.endswith(b"\r\n\r\n")


async def test_who_is_too_slow_is_told_so(endpoint: MetricsEndpoint) -> None:
    assert (await answered(endpoint, ASKED[:9])).startswith(b"HTTP/1.1 408 ")


async def test_who_leaves_early_leaves_nothing_behind(endpoint: MetricsEndpoint) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", endpoint.port)
    writer.write(ASKED[:9])
    writer.close()
    await writer.wait_closed()
    assert (await answered(endpoint, ASKED)).startswith(b"HTTP/1.1 200 OK")
    await asyncio.gather(*endpoint._tasks)
    assert not endpoint._tasks


async def test_oldest_connection_makes_room(endpoint: MetricsEndpoint) -> None:
    held = [
        await asyncio.open_connection("127.0.0.1", endpoint.port) for _ in range(CONNECTIONS_MAX)
    ]
    assert (await answered(endpoint, ASKED)).startswith(b"HTTP/1.1 200 OK")
    first, _ = held[0]
    assert await first.read() == b""
    second, writer = held[1]
    writer.write(ASKED)
    assert (await second.read()).startswith(b"HTTP/1.1 200 OK")
    for _, writer in held:
        writer.close()


async def test_numbers_that_cannot_be_told_are_no_numbers() -> None:
    async def fail() -> Figures:
        raise MasterError("the disk is full")

    endpoint = MetricsEndpoint(fail, AccessControl())
    await endpoint.open(HERE)
    answer = await answered(endpoint, ASKED)
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert answer.endswith(b"\r\n\r\nthe disk is full\n")
    await endpoint.aclose()


async def test_network_that_is_not_allowed_is_turned_away_and_counted() -> None:
    keeper = AccessControl(Access(allowed=(ip_network("192.0.2.0/24"),)))
    endpoint = MetricsEndpoint(read, keeper)
    await endpoint.open(HERE)
    assert await answered(endpoint, ASKED) == b""
    assert keeper.summary() == "not-allowed 1"
    await endpoint.aclose()


async def test_nobody_beyond_this_machine_reads_unasked() -> None:
    endpoint = MetricsEndpoint(read, AccessControl(NOBODY_ELSE))
    with pytest.raises(MasterError, match=r"metrics on 0\.0\.0\.0:0 could use it: give --lib"):
        await endpoint.open(Address("0.0.0.0", 0))


@pytest.mark.parametrize(
    "access",
    [Access(secret=SharedSecret(b"s" * 16)), Access(allowed=(ip_network("127.0.0.0/8"),))],
    ids=["secret", "allow"],
)
async def test_what_readers_cannot_show_and_addresses_alone_guard_no_metrics(
    access: Access,
) -> None:
    endpoint = MetricsEndpoint(read, AccessControl(access))
    with pytest.raises(MasterError, match="anybody who reaches metrics on"):
        await endpoint.open(Address("0.0.0.0", 0))


@pytest.mark.parametrize(
    "access",
    [
        Access(is_open=True),
        Access(is_open=True, allowed=(ip_network("127.0.0.0/8"),)),
        Access(is_let_in=lambda host: True),
    ],
)
async def test_who_was_told_to_may_serve_others(access: Access) -> None:
    endpoint = MetricsEndpoint(read, AccessControl(access))
    await endpoint.open(Address("0.0.0.0", 0))
    assert (await answered(endpoint, ASKED)).startswith(b"HTTP/1.1 200 OK")
    await endpoint.aclose()


async def test_address_in_use_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        endpoint = MetricsEndpoint(read, AccessControl())
        with pytest.raises(MasterError, match=f"cannot serve metrics on 127.0.0.1:{port}: Address"):
            await endpoint.open(Address("127.0.0.1", port))
